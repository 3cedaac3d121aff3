"""CSV for people and for Moodle: no formula, no blank where a blank is a change, no number without a verdict."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from grader.classroom.exports.tables import cell, everything, moodle
from grader.classroom.late import Deadline, Deduction, read_deduction, read_time
from grader.classroom.points import Points, parsed
from grader.classroom.roster import Person, Roster
from grader.kit.kit import KitError
from tests.classroom.exports.rows import NASTY, ROWS, json_of, read, roster, row, sheet

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


def test_moodle_gets_no_id_that_a_spreadsheet_would_change() -> None:
    with pytest.raises(KitError, match="takes the id '-k1' for a formula"):
        moodle(sheet(rows=[row("-k1", json_of())]))


def test_moodle_gets_one_line_for_each_student() -> None:
    class Ana(Roster):
        def of(self, student: str) -> Person:
            return Person("1", "Ana", "ana@x.org", (("id", "1"),), 2)

    with pytest.raises(KitError, match=r"Two students of the gradebook are ana@x\.org in the roster"):
        moodle(sheet(rows=[row("a", json_of()), row("b", json_of())], roster=Ana([])))


def test_moodle_gets_all_e_mails_or_none() -> None:
    assert read(moodle(sheet(roster=roster("ana", "ben", "cy", "dan", "eve"))))[1][0] == "ana@example.org"
    with pytest.raises(KitError, match="no e-mail of 'eve'"):
        moodle(sheet(roster=roster("ana", "ben", "cy", "dan")))


@pytest.mark.parametrize("student", ["Ana García_4711", "Default group_12", "Participant 4711"])
def test_what_an_assignment_of_moodle_calls_somebody_is_no_id_number(student: str) -> None:
    with pytest.raises(KitError, match=r"no ID number: give a roster with e-mails, or `--into worksheet\.csv`"):
        moodle(sheet(rows=[row(student, json_of())]))


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
        row("ana", json_of()),
        row("ben", json_of(), submitted="2026-05-31T00:00:00Z"),
        row("cy", json_of(), submitted="", late=True),
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
    with pytest.raises(KitError, match=r"'ana' has 0\.9 after what being late costs"):
        moodle(sheet(rows=rows, points=late("correct=1", read_deduction("10% a day"))))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_cell_of_every_table_is_quoted_and_guarded(delimiter: str) -> None:
    evil = "x;=1+1\t@y"
    person = Person(evil, evil, evil, (("id", evil), ("id", "zoe")), 2)
    one = sheet(
        rows=[row(evil, json_of()), row(f"{evil}2", path=NASTY)],
        roster=Roster([replace(person, pairs=(("id", "zoe"),))]),
    )
    texts = [everything(one), everything(replace(one, roster=Roster([person]))), moodle(replace(one, title=evil))]
    for text in texts:
        assert all(line.startswith('"') and line.endswith('"') for line in text.split("\r\n")[:-1])
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            assert not [one for one in line if one.lstrip('" ').startswith(("=", "+", "-", "@"))]
