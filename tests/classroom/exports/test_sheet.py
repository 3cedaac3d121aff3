"""The sum of a student: known only where every answer has a verdict."""

from __future__ import annotations

from grader.classroom.exports.sheet import folder_of
from tests.classroom.exports.rows import ROWS, sheet


def test_a_sum_needs_all_verdicts() -> None:
    ana, ben, cy, dan, _, glow = ROWS
    one = sheet()
    assert (one.total([ana, glow]), one.total([ben]), one.total([ana, cy]), one.total([dan])) == (2, 0, None, None)
    assert one.most == 2


def test_two_students_have_two_folders() -> None:
    students = ["", ".", "..", "%2E", "%", "a/b", "a%2Fb", "a\\b", "a b", "ana", "ñ"]
    assert len({folder_of(one) for one in students}) == len(students)
    assert [folder_of(one) for one in ("ana", "a b", "ñ")] == ["ana", "a b", "ñ"]
