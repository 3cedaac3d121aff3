"""Which number in the place of a literal makes a case right: the secant method on the distance from what is right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.marking.comparison import Array

MOST_NUMBERS_TRIED = 8
"""The most numbers that are tried. Near a root, each round about doubles the digits that are right."""
FIRST_STEP = 1e-3
"""How far the second number is from the first, as a part of it."""
DIGITS = 9
"""A number that is close to one with fewer digits is that one."""
CLOSE = 1e-10
EPSILON = 1e-15
"""A smaller step, as a part of the number, changes nothing."""


def solved(value: Callable[[float], Array], due: Array, start: float) -> float | None:
    """The number for which `value` is nearest to `due`, of shape (n,), where it is found; None where it is not.

    It says nothing about how near that is.
    """
    before, after = start, start + FIRST_STEP * (abs(start) or 1.0)
    was, now = (_apart(value(number), due) for number in (before, after))
    for _ in range(MOST_NUMBERS_TRIED):
        if was is None or now is None or after == before:
            return None
        slope = (now - was) / (after - before)
        steep = float(slope @ slope)
        if not steep:
            return None
        step = float(slope @ now) / steep
        before, was = after, now
        after -= step
        if not np.isfinite(after) or abs(step) <= EPSILON * abs(after):
            break
        now = _apart(value(after), due)
    return _short(after) if np.isfinite(after) and after != start else None


def _apart(values: Array, due: Array) -> Array | None:
    """The differences where both are numbers; None if there are no such places, or the sizes differ."""
    if values.shape != due.shape:
        return None
    with np.errstate(all="ignore"):
        apart = np.asarray(values, np.float64) - due
    clean = np.where(np.isfinite(apart), apart, 0.0)
    return clean if np.isfinite(apart).any() else None


def _short(number: float) -> float:
    """A number as somebody would write it, if that is near enough."""
    for digits in range(1, DIGITS):
        short = float(f"{number:.{digits}g}")
        if abs(short - number) <= CLOSE * abs(number):
            return short
    return number
