"""Judges the programs of an answer beside its values: evaluated in float64, two right programs agree. NumPy only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from grader.marking.comparison import MOST_TOLERANCES_OF_VALUES, MOST_TOLERANCES_WITH_PROGRAM, Judged
from grader.marking.facts import ExpectedValues, MistakeSet, Truth
from grader.values.arrays import (
    EQUALS_A_MISTAKE,
    MOST_DEVIATIONS,
    UNIT_ROUNDOFF,
    Array,
    Expected,
    differences,
    largest_magnitude,
)
from grader.values.outline import Draw, Outline, Reused

AGREEMENT = 2.0**-25
"""How far two right programs may differ in float64, in the largest value, where no constant is rounded.

It is half a unit roundoff. A smaller difference is less than half the distance of two neighbours in float32: a guard against
a division by zero, such as 1e-9 added to a sum of at least 1, changes no bit there.
"""

MOST_TIMES_THE_LARGEST = 1e3
"""A value that is larger than the largest right one by this factor is wrong, whatever its constants are."""

LARGEST_COMPARABLE_DEVIATION = 0.25
"""Constants that can move the values by more than this part of the largest one leave nothing to compare."""

MOST_CONSTANT_DEVIATIONS = 4.0
"""How far the rounded constants of two programs may move them apart, in the largest deviation of SAMPLES evaluations."""

FLOAT64_IN_FLOAT32_UNITS = 2.0**-29
"""Unit roundoff of float64, in that of float32: right orders of operations differ by it where numbers grow or cancel."""


class ComparedProgram(Protocol):
    """Exact values of an answer's programs, with what the constants explain; None stands for what is not known."""

    def values(self) -> Sequence[Array] | None:
        """The exact values of each case."""
        ...

    def constants(self) -> Sequence[Array] | None:
        """How far rounded constants can move each value."""
        ...

    def known(self) -> Sequence[bool] | None:
        """Whether the history of every number in the program of each case is known."""
        ...


@dataclass(frozen=True)
class Widened:
    """The programs of an answer as if no number in them had been rounded to 16 bits: the form of `Compared`.

    Attributes:
        line: where this rounding moves the values the most; 0 if that is not known.
        dtype: that of 16 bits, by name.
    """

    exact: Sequence[Array]
    deviations: Sequence[Array]
    histories: Sequence[bool]
    line: int
    dtype: str

    def values(self) -> Sequence[Array]:
        return self.exact

    def constants(self) -> Sequence[Array]:
        return self.deviations

    def known(self) -> Sequence[bool]:
        return self.histories


class EvaluatedPrograms(ComparedProgram, Protocol):
    """The programs of an answer, evaluated by another process. None stands for what that process could not give."""

    def approximate(self) -> Sequence[Array]:
        """The values of each case of programs with draws of their own, whose last bits are not known; else nothing."""
        ...

    def draws(self, case: int) -> Sequence[Draw]:
        """The draws of the program of a case, with their lines; none if they are not known."""
        ...

    def reused(self) -> Sequence[Reused | None] | None:
        """How the program of each case uses a key more than once; None for a case where it does not."""
        ...

    def outlines(self) -> Sequence[Outline] | None:
        """What can be asked about the program of each case."""
        ...

    def rounding(self) -> Sequence[Array] | None:
        """How far the rounding of float32 can move each value."""
        ...

    def widened(self, case: int) -> Widened | None:
        """The programs without their rounding to 16 bits; None if there is none. The line is that of this case."""
        ...

    def worst_line(self, case: int, index: int) -> int:
        """The line whose rounding moves one value the most; 0 if none is known."""
        ...


@dataclass(frozen=True)
class Exactness:
    """The programs of an answer compared with the truth.

    Attributes:
        values: the exact values of each case, in one dimension.
        allowed: how far each value may be from the truth, for each case.
        differs: whether some value of the case is further off.
        deviations: how far the constants of the answer move its values, for each case. Wrong values count too.
        known: whether the history of every number in the program of the case is known. Where it is not, the program has
            the tolerance of the values, and overrules none.
    """

    values: Sequence[Array]
    allowed: Sequence[Array]
    differs: Sequence[bool]
    deviations: Sequence[float]
    known: Sequence[bool]

    def overrules(self, case: int, judged: Judged) -> bool:
        """Whether the program shows that a case is wrong, and its values do not."""
        return (
            self.differs[case]
            and self.known[case]
            and not judged.faults
            and judged.ratio <= MOST_TOLERANCES_WITH_PROGRAM
        )


def compare(programs: ComparedProgram, truth: Truth) -> Exactness | None:
    """Compare the programs with the truth.

    Returns:
        None if they cannot be evaluated, give values of another form, or are too uncertain: a rounded constant in a sine of
        a large angle can move the value by as much as there is.
    """
    found = programs.values()
    if found is None or len(found) != len(truth.expected):
        return None
    values = [value.reshape(-1) for value in found]
    pairs = list(zip(values, truth.expected, strict=True))
    if any(pair.size != due.values.size or pair.dtype.kind not in "fiub" for pair, due in pairs):
        return None
    values = [value.astype(np.float64 if value.dtype.kind == "f" else np.int64) for value in values]
    own, known = [0.0] * len(values), [True] * len(values)
    cases = zip(truth.expected, truth.shapes, strict=True)
    allowed = [
        AGREEMENT * _largest(np.abs(due.values), due, shape) + FLOAT64_IN_FLOAT32_UNITS * due.tolerance
        for due, shape in cases
    ]
    if any(_beyond(value, due, bound) for (value, due), bound in zip(pairs, allowed, strict=True)):
        deviations, histories = programs.constants(), programs.known()
        if deviations is None or histories is None:
            return None
        own = [largest_magnitude(deviation) for deviation in deviations]
        uncertain = truth.uncertain or [np.zeros(value.shape) for value in values]
        allowed = [
            bound
            + MOST_CONSTANT_DEVIATIONS
            * _largest(np.where(_usual(value, due), mine.reshape(-1), 0.0) + theirs, due, shape)
            for value, bound, mine, theirs, due, shape in zip(
                values, allowed, deviations, uncertain, truth.expected, truth.shapes, strict=True
            )
        ]
        known = list(histories)
        for case, due in enumerate(truth.expected):
            if not known[case]:
                allowed[case] = allowed[case] + MOST_TOLERANCES_OF_VALUES * due.tolerance
                own[case] += MOST_TOLERANCES_OF_VALUES * due.largest_tolerance / MOST_CONSTANT_DEVIATIONS
    if any(
        largest_magnitude(bound)
        > LARGEST_COMPARABLE_DEVIATION * max(largest_magnitude(value), largest_magnitude(due.values))
        for (value, due), bound in zip(pairs, allowed, strict=True)
    ):
        return None
    differs = [_beyond(value, due, bound) for (value, due), bound in zip(pairs, allowed, strict=True)]
    return Exactness(values, allowed, differs, own, known)


def rounding_bounds(programs: EvaluatedPrograms, exactness: Exactness, truth: Truth) -> Sequence[Array] | None:
    """How far the values of each case may be from its program: what the rounding of its own operations explains."""
    deviations = programs.rounding()
    if deviations is None:
        return None
    return [
        MOST_DEVIATIONS * _largest(deviation.reshape(-1), due, shape)
        + MOST_DEVIATIONS * UNIT_ROUNDOFF * largest_magnitude(values)
        for deviation, values, due, shape in zip(
            deviations, exactness.values, truth.expected, truth.shapes, strict=True
        )
    ]


def _largest(deviation: Array, due: Expected, shape: tuple[int, ...]) -> Array:
    """The largest deviation, for each value: of its row where rows have tolerances of their own, else of all."""
    finite = np.where(np.isfinite(deviation), deviation, 0.0)
    if not due.by_value or not shape or not finite.size:
        return np.full(finite.shape, finite.max(initial=0.0))
    rows = finite.reshape(shape[0], -1)
    return np.broadcast_to(rows.max(axis=1, keepdims=True, initial=0.0), rows.shape).reshape(-1)


def _usual(values: Array, due: Expected) -> Array:
    """Which values are of a size that the truth could have: the noise of others says nothing about it."""
    return np.abs(values) <= MOST_TIMES_THE_LARGEST * largest_magnitude(due.values)


def _beyond(values: Array, due: Expected, allowed: Array) -> bool:
    return bool(np.any(differences(values, due.values) > allowed))


@dataclass(frozen=True)
class ExactOracle:
    """An oracle whose tolerances are those of exact programs: `IMPRECISE` of them are what a program may be off."""

    oracle: ExpectedValues
    exact: Exactness

    def truth(self) -> Truth:
        truth = self.oracle.truth()
        pairs = zip(truth.expected, self.exact.allowed, strict=True)
        return replace(
            truth, expected=[Expected(due.values, allowed / MOST_TOLERANCES_WITH_PROGRAM) for due, allowed in pairs]
        )

    @property
    def precision(self) -> float:
        return self.oracle.precision

    @property
    def screening_case(self) -> int:
        return self.oracle.screening_case

    def level(self, size: int) -> Sequence[MistakeSet]:
        return self.oracle.level(size)  # what is compared first is compared within the noise of rounding

    def on_case(self, mistakes: Sequence[MistakeSet], case: int) -> Sequence[Expected | None]:
        return self.oracle.on_case(mistakes, case)

    def confirm(self, mistake: MistakeSet) -> Sequence[Expected | None]:
        found = self.oracle.confirm(mistake)
        return [None if expected is None else self._exactly(expected, case) for case, expected in enumerate(found)]

    def _exactly(self, mistake: Expected, case: int) -> Expected:
        scale = max(largest_magnitude(mistake.values), largest_magnitude(self.oracle.truth().expected[case].values))
        uncertain = MOST_CONSTANT_DEVIATIONS * (self.exact.deviations[case] + mistake.uncertain)
        exactly = (max(EQUALS_A_MISTAKE, self.precision) * scale + uncertain) / MOST_TOLERANCES_WITH_PROGRAM
        own = np.where(np.isfinite(mistake.tolerance), mistake.tolerance, 0.0)
        return replace(mistake, tolerance=exactly + FLOAT64_IN_FLOAT32_UNITS * own)
