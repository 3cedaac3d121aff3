"""Checks of what a problem declares: the defaults of knobs, the names of axes, the pictures, the settings of pitfalls."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple

from grader.kit.picture import as_pictures, shown
from grader.kit.problem import Problem, differentiates, pitfall_sets


def wrong_defaults(problem: Problem) -> Iterator[tuple[str, str, str]]:
    """(pitfall, knob, value) where a pitfall sets all its knobs to their defaults, so that it would be no mistake."""
    defaults = {name: p.default for name, p in inspect.signature(problem.reference).parameters.items()}
    for (pitfall,), knobs in pitfall_sets(problem, 1):
        if all(_equal(defaults[knob], value) for knob, value in knobs.items()):
            for knob, value in knobs.items():
                yield pitfall, knob, repr(value)


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


def is_alone(problem: Problem, name: str, knobs: Mapping[str, object]) -> bool:
    """Whether a setting of a pitfall is tried alone only."""
    (pitfall,) = (one for one in problem.pitfalls if one.name == name)
    return knobs not in list(pitfall.settings(combined=True))


def _equal(default: object, value: object) -> bool:
    return type(default) is type(value) and default == value
