"""Compares values with expected values. NumPy only, no verdict yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.values.message import NO_MESSAGE, Message

Array = npt.NDArray[Any]

TOO_LONG, LONGER = 1 << 16, 64
"""An array of more than TOO_LONG values, plus LONGER times the expected length, is not compared: that would waste memory."""

IMPRECISE = 16.0
"""Up to this many tolerances off, an answer is still right, though imprecise, if its program is right."""

ALONE = 2.0
"""Up to this many tolerances off, an answer is right of which nothing but its values is known."""


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


@dataclass(frozen=True)
class Judged:
    """One case of an answer, judged.

    `error` is the largest absolute difference; it is inf if a value is not finite and should be, and nan if values cannot
    be compared. `flat` has the values in one dimension, as int64, float64 or complex128. `faults` are the names of mistakes
    in the form of the answer. `ratio` is the largest difference in tolerances, and
    `worst` the index of the value with the error. `size` is the number of expected values.
    """

    passed: bool
    imprecise: bool
    error: float
    tolerance: float
    flat: Array | None
    faults: tuple[str, ...]
    ratio: float = 0.0
    worst: int = 0
    size: int = 0

    def within(self, band: float) -> Judged:
        """The same case where it passes up to so many tolerances off, and nobody knows why it is further off than others."""
        return replace(self, passed=self.passed and self.ratio <= band, imprecise=False)


def excess(values: Array, expected: Array, due: Expected) -> float:
    """The largest of `differences`, in the tolerances of `due`; 0 for no values."""
    return float(_ratios(differences(values, expected), due).max(initial=0.0))


def _ratios(gaps: Array, due: Expected) -> Array:
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


# Numbers from an answer key may overflow or divide by zero: they are then infinitely far off, or not comparable.
@np.errstate(all="ignore")
def judge(answered: Answered, expected: Expected, dtype: str) -> Judged:
    """Judge one call: first the form (an array, flat, of the right dtype), then the values, which may be `IMPRECISE`."""
    nothing, size = float("nan"), expected.values.size
    if answered.array is None:
        faults = ("not-an-array",) if answered.instead else ()
        return Judged(False, False, nothing, expected.largest_tolerance, None, faults, size=size)
    array, faults = answered.array, []
    if array.ndim != 1:
        faults.append("not-flattened")
    if array.size != expected.values.size:
        faults.append("wrong-length")
    if answered.dtype != dtype:
        faults.append("wrong-dtype")
    if array.size > TOO_LONG + LONGER * expected.values.size:
        return Judged(False, False, nothing, expected.largest_tolerance, None, tuple(faults), size=size)
    flat = array.reshape(-1)
    if flat.dtype.kind not in "fc":
        flat = flat.astype(np.int64) if flat.dtype.kind in "iub" else flat
    else:
        flat = flat.astype(np.complex128 if flat.dtype.kind == "c" else np.float64)
    if "wrong-length" in faults:
        return Judged(False, False, nothing, expected.largest_tolerance, flat, tuple(faults), size=size)
    gaps = differences(flat, expected.values)
    ratios = _ratios(gaps, expected)
    # The worst value is shown: the one with the largest error, measured in its own tolerance if each value has one.
    worst = int(np.argmax(ratios if expected.by_value else gaps)) if gaps.size else 0
    error = float(gaps[worst]) if gaps.size else 0.0
    tolerance = (
        float(np.broadcast_to(expected.tolerance, gaps.shape)[worst]) if gaps.size else expected.largest_tolerance
    )
    ratio = float(ratios.max(initial=0.0))
    passed = ratio <= IMPRECISE and not faults
    return Judged(passed, 1.0 < ratio <= IMPRECISE, error, tolerance, flat, tuple(faults), ratio, worst, size)


def all_pass(judged: Sequence[Judged]) -> bool:
    """Whether no case fails."""
    return all(case.passed for case in judged)
