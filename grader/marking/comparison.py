"""Compares values with expected values. NumPy only, no verdict yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.values.arrays import LONGER, TOO_LONG, Answered, Array, Expected, differences, in_tolerances

MOST_TOLERANCES_WITH_PROGRAM = 16.0
"""Up to this many tolerances off, an answer is still right, though imprecise, if its program is right."""

MOST_TOLERANCES_OF_VALUES = 2.0
"""Up to this many tolerances off, an answer is right of which nothing but its values is known."""


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

    def at_tolerances(self, most: float) -> Judged:
        """This case, judged by another limit: it passes up to `most` tolerances off. It is not imprecise."""
        return replace(self, passed=self.passed and self.ratio <= most, imprecise=False)


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
    ratios = in_tolerances(gaps, expected)
    # The worst value is shown: the one with the largest error, measured in its own tolerance if each value has one.
    worst = int(np.argmax(ratios if expected.by_value else gaps)) if gaps.size else 0
    error = float(gaps[worst]) if gaps.size else 0.0
    tolerance = (
        float(np.broadcast_to(expected.tolerance, gaps.shape)[worst]) if gaps.size else expected.largest_tolerance
    )
    ratio = float(ratios.max(initial=0.0))
    passed = ratio <= MOST_TOLERANCES_WITH_PROGRAM and not faults
    return Judged(
        passed, 1.0 < ratio <= MOST_TOLERANCES_WITH_PROGRAM, error, tolerance, flat, tuple(faults), ratio, worst, size
    )


def all_pass(judged: Sequence[Judged]) -> bool:
    """Whether no case fails."""
    return all(case.passed for case in judged)
