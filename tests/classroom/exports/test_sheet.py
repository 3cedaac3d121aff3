"""The sum of a student: known only where every answer has a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.exports.sheet import folder_of
from grader.kit.output import write_new
from tests.classroom.exports.rows import ROWS, sheet


def test_a_sum_needs_all_verdicts() -> None:
    ana, ben, cy, dan, _, glow = ROWS
    one = sheet()
    assert (one.total([ana, glow]), one.total([ben]), one.total([ana, cy]), one.total([dan])) == (2, 0, None, None)
    assert one.most == 2


def test_two_students_have_two_folders() -> None:
    students = ["", ".", "..", "%2E", "%", "a/b", "a%2Fb", "a\\b", "a b", "ana", "ñ", "a" * 300, "a" * 301, "a" * 200]
    assert len({folder_of(one) for one in students}) == len(students)
    assert [folder_of(one) for one in ("ana", "a b", "ñ")] == ["ana", "a b", "ñ"]


@pytest.mark.parametrize(
    "student",
    [
        "",
        ".",
        "..",
        "a/b",
        "a\\b",
        "a\0",
        "a\n",
        "a\t\u00a0\u200b",
        "/etc",
        "a\ud800",
        "c:",
        "a" * 255,
        "ñ\u200b" * 100,
    ],
)
def test_no_student_leads_out_of_the_folder_and_none_stops_the_others(student: str, tmp_path: Path) -> None:
    write_new(tmp_path / "out", {f"{folder_of(student)}.md": b"x"})
    (file,) = (tmp_path / "out").iterdir()
    assert file.name.isprintable()
