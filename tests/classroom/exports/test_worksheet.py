"""Moodle's grading worksheet: only grades change, each in the row of its participant, and a group's number is nobody's."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest

from grader.classroom.exports.worksheet import GRADE, worksheet
from grader.classroom.points import ByHand, Points, parsed
from grader.classroom.roster import Person, Roster
from grader.classroom.row import Row
from grader.classroom.submission import Unread
from grader.kit.kit import KitError
from grader.marking.verdict import Status
from tests.classroom.exports.rows import WRONG, read, row, sheet, verdict_of

HEADER = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,Last modified (grade),Feedback"
)
WHEN = '"Monday, 1 June 2026, 2:32 PM"'
SHEET = (
    f"\ufeff{HEADER}\r\n"
    f"Participant 4711,Ana García,ana@x.org,Submitted,,1.00,Yes,{WHEN},\r\n"
    f'Participant 12,"O\'Neil, Ben",ben@x.org,Submitted,0.50,1.00,Yes,{WHEN},"He said ""hi"""\r\n'
    "Participant 13,Cy Li,cy@x.org,No submission,0.25,1.00,Yes,-,\r\n"
)
BLIND = "Identifier,Status,Grade,Maximum Grade,Last modified (grade)\nParticipant 4711,Submitted,,100.00,-\n"
GERMAN = (
    "ID,Vollständiger Name,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,Zuletzt geändert (Bewertung)\n"
    'Teilnehmer/in 4711,Ana García,Abgegeben,,"1,00",Ja,-\n'
)


def filled(rows: list[Row], template: str = SHEET, title: str = GRADE, **more: Any) -> str:
    return worksheet(sheet(rows=rows, template=template, title=title, **more))


class Moodle:
    """Moodle, as far as a worksheet goes in: what its importer does with a file in UTF-8 with commas between cells.

    `mod/assign/feedback/offline/importgradeslib.php` in its source: the participant is what follows the word `Participant `
    in the column Identifier. `locallib.php` beside it: a row is skipped whose grade is as it was, or blank, or below 0, or
    above the maximum; or whose grade changed after the time in `Last modified (grade)`. `unformat_float` takes a point in
    every language.
    """

    def __init__(self, table: str) -> None:
        self.grades: dict[str, float | None] = {}
        self.changed: dict[str, float] = {}
        self.modified: dict[str, str] = {}
        for one in self._rows(table):
            self.grades[one["Identifier"]] = float(one["Grade"]) if one["Grade"] else None
            self.modified[one["Identifier"]] = one["Last modified (grade)"]

    @staticmethod
    def _rows(text: str) -> list[dict[str, str]]:
        header, *lines = read(text.removeprefix("\ufeff"))
        assert {"Identifier", "Grade", "Last modified (grade)"} <= set(header), "else nothing is imported"
        return [dict(zip(header, line, strict=True)) for line in lines]

    def take(self, text: str) -> None:
        for one in self._rows(text):
            assert one["Last modified (grade)"] == self.modified[one["Identifier"]]
            if one["Grade"] == "":
                continue
            grade = float(one["Grade"])
            if grade != self.grades[one["Identifier"]] and 0 <= grade <= float(one["Maximum Grade"]):
                self.grades[one["Identifier"]] = self.changed[one["Identifier"]] = grade


def test_grades_go_to_their_own_rows_and_every_other_byte_stays() -> None:
    rows = [row("Ana García_4711", verdict_of()), row("ONeil Ben_12", verdict_of(Status.WRONG))]
    there, text = Moodle(SHEET), filled(rows)
    assert text == SHEET.replace(",Submitted,,1.00", ",Submitted,1,1.00").replace(",0.50,", ",0,")
    there.take(text)
    assert there.changed == {"Participant 4711": 1.0, "Participant 12": 0.0}
    assert there.grades["Participant 13"] == 0.25, "who handed in nothing keeps the grade"


@pytest.mark.parametrize(
    "student", ["Team Rope_4711", "Default group_4711", "García_4711", "4711", "Ana García 4712", "Cy Li_4711"]
)
def test_a_number_alone_is_nobody_and_a_group_is_no_participant(student: str) -> None:
    one = sheet(rows=[row(student, verdict_of())], template=SHEET, title=GRADE)
    assert worksheet(one) == SHEET
    assert one.notes == [f"Left out, because the worksheet has no row with their number and name: {student}."]


@pytest.mark.parametrize(
    "student", ["Ana García_4711", "ana garcía_4711", "Team-A-Ana García_4711", "Participant_4711"]
)
def test_the_name_of_a_folder_is_that_of_the_row(student: str) -> None:
    assert ",Submitted,1,1.00" in filled([row(student, verdict_of())])


def test_where_students_are_anonymous_the_id_says_participant() -> None:
    for student in ("Participant_4711", "Participant 4711"):
        assert ",Submitted,100,100.00" in filled([row(student, verdict_of())], BLIND)
    assert filled([row("Ana García_4711", verdict_of())], BLIND) == BLIND
    people = Roster([Person("Participant 4711", "", "", (("Identifier", "Participant 4711"),), 2)])
    assert ",Submitted,100,100.00" in filled([row("Participant 4711", verdict_of())], BLIND, roster=people)


def test_another_language_needs_the_name_of_the_column_of_grades() -> None:
    for student in ("Ana García_4711", "Teilnehmer_in_4711"):
        assert ',Abgegeben,1,"1,00"' in filled([row(student, verdict_of())], GERMAN, "Bewertung")
    with pytest.raises(KitError, match=r"0 columns 'Grade'. `--column` names the one of grades: ID, "):
        filled([], GERMAN)


@pytest.mark.parametrize(
    ("name", "email", "known"),
    [("Ana García", "", True), ("", "ana@x.org", True), ("Cy Li", "cy@x.org", False), ("", "", False)],
)
def test_a_roster_may_say_which_participant_somebody_is_but_not_that_of_another_assignment(
    name: str, email: str, known: bool
) -> None:
    people = Roster([Person("ana", name, email, (("id", "ana"), ("Identifier", "Participant 4711")), 2)])
    assert (",Submitted,1,1.00" in filled([row("ana", verdict_of())], roster=people)) == known


def test_grades_are_on_the_scale_of_the_assignment() -> None:
    one = sheet("correct=3,prints=1", rows=[row("Participant 4711", verdict_of())], template=BLIND, title=GRADE)
    assert ",Submitted,100,100.00" in worksheet(one)
    assert one.notes == [
        "Scaled: the problems here, rope (answered by 1), give 3 at most, and Moodle counts to 100.",
        "1 grade filled in where nothing stood: Participant 4711.",
    ]


@pytest.mark.parametrize("maximum", ["", "Good", "0.00", '"Poor,Good"'])
def test_a_grade_that_is_no_number_is_refused(maximum: str) -> None:
    with pytest.raises(KitError, match="no number as the maximum grade"):
        filled([row("Participant 4711", verdict_of())], BLIND.replace("100.00", maximum))


def test_what_has_no_sum_keeps_its_grade() -> None:
    assert filled([row("Ana García_4711"), row("Cy Li_13", state="fault", fault="no")]) == SHEET


def test_two_students_of_one_row_are_left_out_and_no_other_is() -> None:
    rows = [
        row("Ana García_4711"),
        row("Participant_4711", verdict_of()),
        row("Cy Li_13", verdict_of()),
    ]  # the first is due
    one = sheet(rows=rows, template=SHEET, title=GRADE)
    assert worksheet(one) == SHEET.replace(",0.25,", ",1,")
    assert one.notes == [
        "Left out, because one row of the worksheet is that of several: Ana García_4711, Participant_4711.",
        "1 grade that stands there changes: Cy Li_13 from 0.25 to 1.",
    ]


@pytest.mark.parametrize("template", ["", "Identifier;Grade;Maximum Grade\nParticipant 1;;1\n"])
def test_what_is_no_worksheet_is_one_line(template: str) -> None:
    with pytest.raises(KitError, match="is no grading worksheet of Moodle: save it with commas"):
        filled([], template)


def test_line_ends_and_a_missing_mark_stay_too() -> None:
    for template in (SHEET.replace("\r\n", "\n"), SHEET.removeprefix("\ufeff"), SHEET.rstrip()):
        text = filled([row("Ana García_4711", verdict_of())], template)
        assert re.sub("Submitted,1,1.00", "Submitted,,1.00", text) == template


EXCHANGED = (
    SHEET.replace("Participant 13", "Participant 9")
    .replace("Participant 12", "Participant 13")
    .replace("Participant 9", "Participant 12")
)
"""Ben and Cy have each other's numbers."""


def test_the_worksheet_of_another_assignment_is_refused() -> None:
    """A number in it is another participant's, and nobody is who the download says."""
    rows = [row("ONeil Ben_12", verdict_of(), layout="moodle"), row("Cy Li_13", verdict_of(), layout="moodle")]
    assert "ben@x.org,Submitted,1," in filled(rows)
    with pytest.raises(KitError, match="the worksheet of another assignment, or teams handed in"):
        filled(rows, EXCHANGED)


def test_a_student_whose_name_changed_is_left_out_and_no_other_is() -> None:
    rows = [row("Ana García_4711", verdict_of(), layout="moodle"), row("ONeil Ben_12", verdict_of(), layout="moodle")]
    one = sheet(rows=rows, template=EXCHANGED, title=GRADE)
    assert worksheet(one) == EXCHANGED.replace(",Submitted,,1.00", ",Submitted,1,1.00")
    assert one.notes == [
        "Left out, because the worksheet has no row with their number and name: ONeil Ben_12.",
        "1 grade filled in where nothing stood: Ana García_4711.",
    ]


LOCKED = SHEET.replace("0.50,1.00,Yes", "0.50,1.00,No")
THREE = [
    row("Ana García_4711", verdict_of()),
    row("ONeil Ben_12", verdict_of(Status.WRONG)),
    row("Cy Li_13", verdict_of(Status.WRONG)),
]


def test_a_row_that_may_not_change_stays_and_each_grade_that_changes_is_told() -> None:
    one = sheet(rows=THREE, template=LOCKED, title=GRADE)
    assert worksheet(one) == LOCKED.replace(",Submitted,,1.00", ",Submitted,1,1.00").replace(",0.25,", ",0,")
    assert one.notes == [
        "1 grade that stands there changes: Cy Li_13 from 0.25 to 0.",
        "1 grade left as it stands (the worksheet says that it may not change): ONeil Ben_12 (0.50).",
        "1 grade filled in where nothing stood: Ana García_4711.",
    ]
    blank = sheet(rows=THREE, template=SHEET, title=GRADE, only_blank=True)
    assert worksheet(blank) == SHEET.replace(",Submitted,,1.00", ",Submitted,1,1.00")
    assert blank.notes[0] == "2 grades left as they stand (--only-blank): Cy Li_13 (0.25), ONeil Ben_12 (0.50)."
    german = GERMAN.replace("Ja", "Nein")
    assert filled(THREE[:1], german, "Bewertung") == german


def test_the_column_of_feedback_is_filled_in_where_that_is_asked_for() -> None:
    rows = [row("Ana García_4711", WRONG), row("ONeil Ben_12", verdict_of())]
    one = sheet(rows=rows, template=SHEET, title=GRADE, tells=True)
    there, text = Moodle(SHEET), worksheet(one)
    there.take(text)
    comments = [line[-1] for line in read(text.removeprefix("\ufeff"))]
    assert comments == ["Feedback", "rope: wrong: half-exponent + constant-factor", "rope: correct", ""]
    assert one.notes[-2:] == [
        "1 comment that stands there changes: ONeil Ben_12.",
        "1 comment filled in where nothing stood: Ana García_4711.",
    ]
    bare = sheet(rows=rows, template=SHEET.replace(",Feedback", ",Remarks"), title=GRADE, tells=True)
    with pytest.raises(KitError, match="0 columns of feedback: turn on `Feedback comments`"):
        worksheet(bare)


def test_feedback_is_html_and_one_cell_whatever_it_holds() -> None:
    points = Points(parsed("correct=1"), by_hand={"Ana García_4711": {"rope": ByHand(Fraction(1), 'a <b>, "c"; =1')}})
    one = sheet(rows=[row("Ana García_4711", verdict_of())], template=SHEET, title=GRADE, tells=True, points=points)
    assert read(worksheet(one))[1][-1] == 'rope: correct (by hand: a &lt;b&gt;, "c"; \'=1)'


def test_a_grade_above_the_maximum_is_cut_to_it_since_moodle_would_ignore_it() -> None:
    points = Points(parsed("correct=1"), bonus=["glow"])
    rows = [row("Ana García_4711", verdict_of()), row("Ana García_4711", verdict_of(), "glow")]
    one = sheet(rows=rows, template=SHEET, title=GRADE, points=points)
    assert ",Submitted,1,1.00" in worksheet(one)
    assert one.notes[0] == "Cut to the maximum grade, since Moodle takes no more: Ana García_4711."


def test_a_row_whose_sum_is_not_known_keeps_its_grade() -> None:
    unread = [Unread("Cy Li_13_assignsubmission_file_/rope.py", "no text.", student="Cy Li_13", problem="rope")]
    one = sheet(rows=THREE[:1], template=SHEET, title=GRADE, unread=unread)
    assert worksheet(one) == SHEET.replace(",Submitted,,1.00", ",Submitted,1,1.00")
    assert one.unknown() == ["The sum of Cy Li_13 is not known. Cy Li_13_assignsubmission_file_/rope.py: no text."]
