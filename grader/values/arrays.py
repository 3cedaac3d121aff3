"""Arrays of an answer and of what is expected of it, and how far they are from each other. NumPy only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.values.message import NO_MESSAGE, Message

Array = npt.NDArray[Any]

TOO_LONG, LONGER = 1 << 16, 64
"""An array of more than TOO_LONG values, plus LONGER times the expected length, is not compared: that would waste memory."""


@dataclass(frozen=True)
class Expected:
    """The expected values of one call, of shape (n,), float64 or int64, and the largest error that is still right.

    `tolerance` is one number for all values, or an array of shape (n,) where one number does not fit all. Some values of a
    mistake are very sensitive to rounding, and others are not. Rows of the truth may have scales of their own.
    `uncertain` is how far the constants that float32 rounds can move a mistake, where that is known.
    """

    values: Array
    tolerance: float | Array
    uncertain: float = field(default=0.0, kw_only=True)

    @property
    def by_value(self) -> bool:
        """Whether each value has a tolerance of its own."""
        return isinstance(self.tolerance, np.ndarray)

    @property
    def largest_tolerance(self) -> float:
        return float(np.max(self.tolerance, initial=0.0))

    @property
    def size(self) -> int:
        """How many values the call gives."""
        return self.values.size

    def pick(self, flat: Array) -> Array:
        """Of an array of `size` values, the values to compare with `values`: here all of them."""
        return flat


@dataclass(frozen=True)
class SampledExpected(Expected):
    """Only the values of a call at `places`; the call gives `whole` values. An answer key holds mistakes in this form."""

    places: Array
    whole: int

    @property
    def size(self) -> int:
        return self.whole

    def pick(self, flat: Array) -> Array:
        return flat[self.places]


@dataclass(frozen=True)
class Answered:
    """What an answer gave for one case: an array, or None and the type of what it gave instead."""

    array: Array | None
    dtype: str = ""
    instead: Message = NO_MESSAGE


def excess(values: Array, expected: Array, due: Expected) -> float:
    """The largest of `differences`, in the tolerances of `due`; 0 for no values."""
    return float(in_tolerances(differences(values, expected), due).max(initial=0.0))


def in_tolerances(gaps: Array, due: Expected) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gaps == 0, 0.0, gaps / due.tolerance)


def difference(values: Array, expected: Array) -> float:
    """The largest of `differences`; 0 for no values."""
    return float(differences(values, expected).max(initial=0.0))


def differences(values: Array, expected: Array) -> Array:
    """Absolute differences. Equal infinities and two NaN differ by 0, any other pair with an infinity or a NaN by inf.

    Args:
        values, expected: arrays of the same shape, of a float, complex or integer dtype.
    """
    with np.errstate(all="ignore"):
        gaps = np.abs(np.subtract(values, expected, dtype=np.result_type(values, expected, np.float64)))
    same = (values == expected) | (np.isnan(values) & np.isnan(expected))
    return np.where(same, 0.0, np.where(np.isnan(gaps), np.inf, gaps))


EQUALS_A_MISTAKE = 1e-9
"""How far a program may be from a mistake in float64, in the largest value, beside what rounded constants explain."""

NOISY_EVALUATIONS, MOST_DEVIATIONS = 8, 8.0
"""Noisy evaluations of a program, and how far rounding may move its values, in the largest deviation of these."""

UNIT_ROUNDOFF = 2.0**-24
"""Unit roundoff of float32: half the distance from 1 to the next number."""


def largest_magnitude(values: Array) -> float:
    """The largest finite absolute value."""
    return float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))


SAME_RELATION = 1e-6
"""Two values count as the same if they differ by no more than this part of the largest value: constants have 32 bits."""

STEPS_CLOSE = 1e-6
"""How far the sums of two arrays may differ if the arrays count as one: a part of the largest possible sum."""

ORDERS_CLOSE = 1e-7
"""How far two numbers may differ that count as one, as a part of the largest."""

SOLVED_CLOSE = 1e-10

PROVEN_CLOSE = 1e-9
"""How far two numbers may differ that count as one."""

VALUES_CLOSE = 1e-6
"""Values that differ by no more than this part of them count as the same."""

CALLS_ALIKE = 1e-5
"""How far a value of JAX may be from its program's in float64, as a part of the largest, if it is called the same."""

ROWS_CLOSE = 1e-6
"""Two numbers count as the same if they differ by no more than this part of the larger one, or of the median."""

EQUAL_IN_PRINT = 1e-9
"""Values that differ by no more than this part of them are the same in print."""

DRAWS_CLOSE = 1e-5
"""Relative and absolute: compilers disagree about the last bits of a draw, and another draw differs by far more."""
