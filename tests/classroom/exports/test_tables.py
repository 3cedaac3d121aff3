"""CSV for people and for Moodle: no formula, no blank where a blank is a change, no number without a verdict."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from fractions import Fraction

import pytest

from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.tables import cell, everything, moodle
from grader.classroom.late import Deadline, Deduction, read_deduction, read_time
from grader.classroom.points import ByHand, Points, parsed
from grader.classroom.roster import Person, Roster
from grader.classroom.submission import Unread
from grader.kit.kit import KitError
from tests.classroom.exports.rows import NASTY, ROWS, read, roster, row, sheet, verdict_of

DUE = read_time("2026-06-01T00:00:00Z")


def late(rule: str, deduction: Deduction | None = None, *, due: bool = True) -> Points:
    return Points(parsed(rule), deadline=Deadline(DUE if due else None, deduction))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\r\n=1", "＝1"])
def test_no_cell_of_text_is_a_formula(text: str) -> None:
    assert cell(text).startswith("'")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("text", ["cy;=1+1", "x; =HYPERLINK(1)", "x;-1", "a;@b", 'x";=1', "x;＝1", 'x;"=1', 'x; "" -1'])
def test_no_cell_is_a_formula_where_another_character_separates_cells(text: str, delimiter: str) -> None:
    rows = [replace(ROWS[0], student=text), *ROWS[1:]]
    for line in csv.reader(io.StringIO(everything(replace(sheet(), rows=rows)), newline=""), delimiter=delimiter):
        assert not [one for one in line if one.lstrip('" ').startswith(("=", "+", "-", "@", "＝"))]


def test_everything_has_one_line_for_each_answer_and_no_number_without_a_verdict() -> None:
    header, *lines = read(everything(sheet("correct=1,prints=0.9")))
    told = {(line[0], line[3]): dict(zip(header, line, strict=True)) for line in lines}
    assert len(told) == 6
    assert {key: (one["outcome"], one["points"]) for key, one in told.items()} == {
        ("ana", "glow"): ("correct", "0.9"),
        ("ana", "rope"): ("correct", "1"),
        ("ben", "rope"): ("wrong", "0"),
        ("cy", "rope"): ("fault", ""),
        ("dan", "rope"): ("due", ""),
        ("eve", "rope"): ("error", "0"),
    }


def test_moodle_has_whole_points_and_only_students_whose_score_is_known() -> None:
    lines = read(moodle(sheet()))
    assert [line[:2] for line in lines] == [["ID number", "Week 1"], ["ana", "2"], ["ben", "0"], ["eve", "0"]]
    with pytest.raises(KitError, match="whole points"):
        moodle(sheet("correct=0.5"))


def test_moodle_gets_full_marks_for_all_that_was_asked_of_somebody() -> None:
    one = sheet()
    excused = replace(one, points=replace(one.points, excused={"eve": ["glow"], "ana": ["glow"]}))
    assert [line[:2] for line in read(moodle(excused))[1:]] == [["ana", "2"], ["ben", "0"], ["eve", "0"]]


def exported(one: Sheet) -> tuple[list[str], list[str]]:
    """The students with a line for Moodle, and what is said of the others."""
    return [line[0] for line in read(moodle(one))[1:]], one.notes


@pytest.mark.parametrize("student", ["-2+3", "=1", "＝1", "a;-1", "a\t=1", "a  b", "a\u202eb", ""])
def test_a_student_whose_id_a_table_would_change_is_left_out_for_moodle_and_no_other_is(student: str) -> None:
    found, notes = exported(sheet(rows=[row(student, verdict_of()), *ROWS]))
    assert found == ["ana", "ben", "eve"]
    shown = " ".join(student.replace("\u202e", "�").split())
    assert notes == [
        "Left out, because a spreadsheet takes their id for a formula, or it holds characters that a table does not keep: "
        f"{shown}. Give a roster with e-mails, so that Moodle gets those."
    ]


def test_where_nobody_has_a_line_for_moodle_nothing_is_written_and_the_reasons_are_told() -> None:
    rows = [row("-k1", verdict_of()), row("Ana García_4711", verdict_of())]
    with pytest.raises(KitError) as refused:
        moodle(sheet(rows=rows))
    assert "takes their id for a formula" in str(refused.value)
    assert "no ID number: Ana García_4711." in str(refused.value)


def test_students_with_one_e_mail_are_left_out_since_moodle_takes_one_line_for_each() -> None:
    class Twins(Roster):
        def of(self, student: str) -> Person:
            email = "ana@x.org" if student in "ab" else f"{student}@x.org"
            return Person("1", "Ana", email, (("id", "1"),), 2)

    found, notes = exported(sheet(rows=[row(one, verdict_of()) for one in "abc"], roster=Twins([])))
    assert found == ["c@x.org"]
    assert notes == [
        "Left out, because the roster has one e-mail for several of them, and Moodle takes one line for each: a, b."
    ]


def test_a_student_without_an_e_mail_or_with_a_strange_one_is_left_out_where_others_have_one() -> None:
    everybody = roster("ana", "ben", "cy", "dan", "eve")
    assert exported(sheet(roster=everybody))[0] == ["ana@example.org", "ben@example.org", "eve@example.org"]
    found, notes = exported(sheet(roster=roster("ana", "ben", "cy", "dan")))
    assert found == ["ana@example.org", "ben@example.org"]
    assert notes == [
        "Left out, because the roster has no e-mail of theirs, and one unknown student stops a whole import of Moodle: eve."
    ]
    odd = [replace(one, email="+ana@x.org") if one.id == "ana" else one for one in everybody.people]
    found, (note,) = exported(sheet(roster=Roster(odd)))
    assert found == ["ben@example.org", "eve@example.org"]
    assert note.startswith("Left out, because a spreadsheet takes their e-mail for a formula")
    assert note.endswith(": ana.")


@pytest.mark.parametrize("student", ["Ana García_4711", "Default group_12", "Participant 4711"])
def test_what_an_assignment_of_moodle_calls_somebody_is_no_id_number(student: str) -> None:
    with pytest.raises(KitError, match=r"no ID number: .* Give a roster with e-mails, or `--into worksheet\.csv`"):
        moodle(sheet(rows=[row(student, verdict_of())]))
    found, (note,) = exported(sheet(rows=[row(student, verdict_of()), *ROWS]))
    assert found == ["ana", "ben", "eve"]
    assert f"no ID number: {student}." in note


def test_moodle_has_no_line_for_who_handed_in_nothing_since_a_blank_is_a_change() -> None:
    one = sheet(roster=roster("ana", "ben", "cy", "dan", "eve", "zoe"))
    assert "zoe" not in moodle(one)
    assert one.notes == [
        "Left out, since no answer of theirs was read, and a blank grade takes one away in Moodle: zoe."
    ]


def test_who_handed_in_nothing_has_a_line_without_points_in_everything() -> None:
    header, *lines = read(everything(sheet(roster=roster("ana", "zoe"))))
    told = dict(zip(header, lines[-1], strict=True))
    assert {name for name, text in told.items() if text} == {"student", "name", "email", "outcome", "told"}
    assert (told["student"], told["email"], told["outcome"]) == ("zoe", "zoe@example.org", "missing")


def test_points_before_and_after_lateness_stand_apart() -> None:
    rows = [
        row("ana", verdict_of()),
        row("ben", verdict_of(), submitted="2026-05-31T00:00:00Z"),
        row("cy", verdict_of(), submitted="", late=True),
    ]
    points = late("correct=10", read_deduction("10% a day"))
    header, *lines = read(everything(sheet(rows=rows, points=points)))
    told = [dict(zip(header, line, strict=True)) for line in lines]
    columns = ("late", "points_before", "points", "max_points")
    assert [tuple(one[name] for name in columns) for one in told] == [
        ("1 day", "10", "9", "10"),
        ("", "10", "10", "10"),
        ("marked", "10", "", "10"),
    ]
    lines = read(moodle(sheet(rows=rows, points=points)))[1:]
    assert lines == [["ana", "9", "rope: correct (1 day late, 10 before that)"], ["ben", "10", "rope: correct"]]
    found, notes = exported(sheet(rows=rows, points=late("correct=1", read_deduction("10% a day"))))
    assert found == ["ben"]
    assert notes == [
        "Left out, because Moodle takes whole points only, and theirs are a fraction, by hand or after what being late "
        "costs: ana. "
        "Multiply all points, for example by 100."
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_cell_of_every_table_is_quoted_and_guarded(delimiter: str) -> None:
    evil = "x;=1+1\t@y"
    person = Person(evil, evil, evil, (("id", evil), ("id", "zoe")), 2)
    one = sheet(
        rows=[row(evil, verdict_of()), row(f"{evil}2", path=NASTY)],
        roster=Roster([replace(person, pairs=(("id", "zoe"),))]),
    )
    plain = row("zed", verdict_of())
    known = replace(one, title=evil, rows=[*one.rows, plain])
    texts = [everything(one), everything(replace(one, roster=Roster([person]))), moodle(known)]
    for text in texts:
        assert all(line.startswith('"') and line.endswith('"') for line in text.split("\r\n")[:-1])
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            assert not [one for one in line if one.lstrip('" ').startswith(("=", "+", "-", "@"))]


def test_nobody_is_left_out_of_everything_and_what_is_not_graded_has_a_row_with_the_reason() -> None:
    unread = [
        Unread("zoe/rope.py", "no text.", student="zoe", problem="rope"),
        Unread("ben/notes.py", "another name.", student="ben"),
        Unread("ana/old.py", "an earlier attempt."),
    ]
    header, *lines = read(everything(sheet(unread=unread)))
    told = [dict(zip(header, line, strict=True)) for line in lines]
    found = [one for one in told if one["outcome"] == "unread"]
    assert [(one["student"], one["problem"], one["file"], one["points"], one["told"]) for one in found] == [
        ("ben", "", "ben/notes.py", "", "another name."),
        ("zoe", "rope", "zoe/rope.py", "", "no text."),
    ]
    names = [line[0] for line in read(moodle(sheet(unread=unread)))[1:]]
    assert names == ["ana", "eve"], "ben and zoe have no sum"


def test_points_by_hand_bonus_and_excused_are_told_as_such() -> None:
    hand = {"ben": {"rope": ByHand(Fraction("0.5"), "on paper")}, "zoe": {"glow": ByHand(Fraction(1))}}
    points = Points(parsed("correct=1"), bonus=["glow"], excused={"eve": None}, by_hand=hand)
    header, *lines = read(everything(sheet(points=points)))
    told = {(line[0], line[3]): dict(zip(header, line, strict=True)) for line in lines}
    columns = ("outcome", "points_before", "points", "remark")
    assert {key: tuple(one[name] for name in columns) for key, one in told.items() if one["remark"]} == {
        ("ana", "glow"): ("correct", "1", "1", "bonus"),
        ("ben", "rope"): ("wrong", "0", "0.5", "by hand: on paper"),
        ("eve", "rope"): ("error", "0", "", "excused"),
        ("zoe", "glow"): ("missing", "", "1", "by hand, bonus"),
    }


def test_moodle_gets_no_line_for_an_id_that_nobody_has() -> None:
    given = Points(parsed("correct=1"), by_hand={"999": {"rope": ByHand(Fraction(5))}})
    filled = replace(sheet(), points=given)
    assert '"999"' not in moodle(filled)
    assert "The points file names ids that nobody here or in a roster has: 999." in filled.unknown()
