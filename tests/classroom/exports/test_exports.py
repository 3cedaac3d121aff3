"""Other programs read what leaves a gradebook as it is meant: no formula runs, no score is lost, no fault is a zero."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from xml.etree import ElementTree

import pytest

from grader.classroom.exports import canvas, junit, table
from grader.classroom.exports.cells import cell, number
from grader.classroom.points import Decimal, points
from grader.classroom.roster import Roster, read_roster
from tests.classroom.exports.rows import ROWS, verdict

GRADEBOOK = (
    "Student,ID,SIS Login ID,Section,alibi (11),rope (12),essay (13)\n"
    "    Points Possible,,,,1,1,5\n"
    '"Doe, Jane",101,jdoe,A,,0,4\n'
    "=SUM(1),102,ben,A,0.5,,\n"
    "Eve,104,eve,B,1,1,1\n"
)


def roster(folder: Path, text: str = GRADEBOOK) -> Roster:
    (folder / "canvas.csv").write_text(text)
    return read_roster(folder / "canvas.csv")


def parsed(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_the_table_has_a_row_for_each_answer_and_no_number_without_a_verdict(tmp_path: Path) -> None:
    header, *lines = parsed(table.export(ROWS, points(None), roster(tmp_path), mistakes=True))
    assert tuple(header) == table.COLUMNS
    assert [line[:6] for line in lines] == [
        ["101", "Doe, Jane", "alibi", "correct", "1", ""],
        ["101", "Doe, Jane", "rope", "wrong", "0", "half-split rotates-backwards"],
        ["102", "'=SUM(1)", "alibi", "fault", "", ""],
        ["102", "'=SUM(1)", "rope", "correct", "1", ""],
        ["103", "", "rope", "due", "", ""],
        ["'=cmd()", "", "rope", "unattempted", "0", ""],
    ]
    assert "half-split" not in table.export(ROWS, points(None), None, mistakes=False)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"


def test_numbers_have_no_zeros_at_their_end() -> None:
    assert [number(one) for one in (None, Decimal("0.50"), Decimal(10), Decimal(0))] == ["", "0.5", "10", "0"]


def test_junit_tells_wrong_answers_faults_and_what_was_not_graded_apart() -> None:
    root = ElementTree.fromstring(junit.export(ROWS, mistakes=True).split("\n", 1)[1])
    alibi, rope = root.findall("testsuite")
    counts = ("tests", "failures", "errors", "skipped")
    assert [alibi.get(one) for one in counts] == ["2", "0", "1", "0"]
    assert [rope.get(one) for one in counts] == ["4", "1", "0", "2"]
    kinds = {case.get("name"): [inner.tag for inner in case] for case in rope.findall("testcase")}
    assert kinds == {"101": ["failure"], "102": [], "103": ["skipped"], "=cmd()": ["skipped"]}
    (failure,) = rope.iter("failure")
    assert failure.attrib == {"message": "wrong: half-split + rotates-backwards", "type": "wrong"}
    (error,) = alibi.iter("error")
    assert error.get("message") == "no process�[2J"
    assert "half-split" not in junit.export(ROWS, mistakes=False)


def test_canvas_gets_back_its_own_columns_with_the_new_scores_and_loses_none(tmp_path: Path) -> None:
    whole = parsed(canvas.export(ROWS, points("correct=1,wrong=0.25"), roster(tmp_path)))
    assert whole == [
        ["Student", "ID", "SIS Login ID", "Section", "alibi (11)", "rope (12)"],
        ["    Points Possible", "", "", "", "1", "1"],
        ["Doe, Jane", "101", "jdoe", "A", "1", "0.25"],
        ["'=SUM(1)", "102", "ben", "A", "0.5", "1"],  # the fault leaves the score that Canvas has
    ]


def test_a_problem_without_a_column_makes_no_assignment(tmp_path: Path) -> None:
    with pytest.raises(canvas.NoColumn, match="no column mha_rope"):
        canvas.export([*ROWS, verdict("101", "mha_rope", "correct")], points(None), roster(tmp_path))
    for known in (None, roster(tmp_path, "id,name\n101,Ana\n")):
        with pytest.raises(canvas.NoColumn, match="--roster should be the gradebook that Canvas exports"):
            canvas.export(ROWS, points(None), known)
