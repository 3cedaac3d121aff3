"""The sum of a student: known only where every answer has a verdict."""

from __future__ import annotations

from tests.classroom.exports.rows import ROWS, sheet


def test_a_sum_needs_all_verdicts() -> None:
    ana, ben, cy, dan, _, glow = ROWS
    one = sheet()
    assert (one.total([ana, glow]), one.total([ben]), one.total([ana, cy]), one.total([dan])) == (2, 0, None, None)
    assert one.most == 2
