"""Lines in words."""

from __future__ import annotations

from grader.marking.places import Line, in_lines


def test_lines_are_told_with_their_cells() -> None:
    assert in_lines([Line(9)]) == "line 9"
    assert in_lines([Line(9), Line(14)]) == "lines 9 and 14"
    assert in_lines([Line(3, 2), Line(1, 4), Line(2, 4)]) == "cell 2, line 3 and cell 4, lines 1 and 2"
