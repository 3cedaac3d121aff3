"""Checks of what a problem declares: the names of axes and the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

from grader.kit.picture import as_pictures, shown
from grader.kit.problem import Problem, differentiates


def fault_of_axes(problem: Problem, shapes: Sequence[tuple[int, ...]]) -> str:
    """What is wrong with the names of axes of these shapes; empty if nothing is. The last axes may be without a name."""
    count = max(1, max(map(len, shapes)) - differentiates(problem))  # a derivative is stacked below the values
    if len(problem.axes) <= count:
        return ""
    given = f"`axes` names {len(problem.axes)}, {', '.join(problem.axes)}"
    return f"{given}, and before it is flattened the array has {count}: name no more than it has"


def fault_of_pictures(problem: Problem, shapes: Sequence[tuple[int, ...]]) -> str:
    """What is wrong with a picture of arrays of these shapes; empty if nothing is. The names of axes are right."""
    stacked = int(differentiates(problem))
    for picture in as_pictures(problem.picture):
        places = [stacked + problem.axes.index(axis) for axis in astuple(picture)]
        if not any(all(shape[place] > 1 for place in places) for shape in shapes):
            several = " and ".join(f"two values along {axis!r}" for axis in astuple(picture))
            return f"{shown(picture)} shows nothing: no case has {several}. Add such a case, or remove the picture"
    return ""
