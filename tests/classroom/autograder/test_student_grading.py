"""What one student handed in: each problem has a row from the start, and what is missing is told with its name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.classroom.autograder import student_grading
from grader.classroom.autograder.__main__ import FAULT, main, printable
from grader.classroom.autograder.student_grading import FILE, Settings, StudentWork, grade
from grader.classroom.exports.sheet import Sheet
from grader.classroom.plan import PlannedAnswer
from grader.classroom.row import Outcome
from grader.classroom.submission import Unread
from grader.kit.kit import KitError
from grader.marking.verdict import Frame, Raised, Status, Verdict
from grader.options import Policy
from grader.values.message import verbatim
from tests.classroom.exports.rows import row
from tests.conftest import FLAGSHIP, copy_kit


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """A bundle of one problem, without a key: nothing can be graded by it."""
    copy_kit(tmp_path / "bundle" / "kit", FLAGSHIP)
    settings = Settings((FLAGSHIP,), policy=Policy("C"))
    (tmp_path / "bundle" / FILE).write_text(settings.to_json(), encoding="utf-8")
    (tmp_path / "handed").mkdir()
    return tmp_path / "bundle"


def test_a_file_with_another_name_is_not_graded_and_the_student_is_told(unpacked: Path) -> None:
    folder = unpacked.parent / "handed"
    (folder / "Final.py").write_text("x = 1\n", encoding="utf-8")
    known = grade(unpacked, folder)
    (only,) = known.sheet.rows
    assert only.verdict is not None
    assert only.verdict.status is Status.UNATTEMPTED
    assert f"name the file {FLAGSHIP}.py or {FLAGSHIP}.ipynb. Final.py is not read:" in str(only.verdict.message)
    assert known.lines[-1] == "No answer had to run."


@pytest.mark.slow
def test_a_shipped_stub_is_nothing_that_was_handed_in(unpacked: Path) -> None:
    stub = (unpacked / "kit" / "problems" / FLAGSHIP / "stub.py").read_text(encoding="utf-8")
    (unpacked.parent / "handed" / f"{FLAGSHIP}.py").write_text(stub, encoding="utf-8")
    (only,) = grade(unpacked, unpacked.parent / "handed").sheet.rows
    assert only.verdict is not None
    assert only.verdict.status is Status.UNATTEMPTED


def test_lines_of_a_notebook_are_told_with_their_cells(unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = [{"cell_type": "code", "source": text} for text in ("x = 1\n", f"def {FLAGSHIP}(*given):\n    return 0\n")]
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    (unpacked.parent / "handed" / f"{FLAGSHIP}.ipynb").write_text(json.dumps(book), encoding="utf-8")
    raised = Raised("ValueError", verbatim("No."), (Frame(2, FLAGSHIP, "    return 0"),))
    verdict = Verdict(FLAGSHIP, Status.ERROR, verbatim("It raises."), raised=raised)

    def graded(
        session: object, work: list[PlannedAnswer], jobs: int, room: object, record: Callable[..., None]
    ) -> None:
        record(work[0].identity, Outcome(verdict))

    monkeypatch.setattr(student_grading, "grade_work", graded)
    (only,) = grade(unpacked, unpacked.parent / "handed").sheet.rows
    assert only.verdict is not None
    assert only.verdict.raised is not None
    (frame,) = only.verdict.raised.frames
    assert (frame.cell, frame.line) == (2, 2)


def test_a_folder_that_is_missing_is_a_fault(unpacked: Path) -> None:
    with pytest.raises(KitError, match="there is nothing to grade"):
        grade(unpacked, unpacked.parent / "nowhere")


def test_the_lines_for_the_instructor_hold_no_command_of_a_workflow() -> None:
    known = StudentWork(Sheet([row("ana")]), "C", [Unread("::error ::x.py", "no.\n##[group]")])
    assert known.lines[-1] == "Tier C: answers were limited, and not confined."
    for line in map(printable, known.lines):
        assert "::" not in line
        assert "##[" not in line
        assert "\n" not in line


def test_a_wrong_call_of_the_entry_is_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == main(["gradescope"]) == main(["moodle", "x"]) == FAULT
    assert "usage" in capsys.readouterr().err
