"""Calls of a reference, the cases and others, and how far an output is from what a call should give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grader.author.other_seeds import other_seeds
from grader.kit.problem import Case, Problem
from grader.kit.problem_error import ProblemError
from grader.marking.comparison import Array, Expected, difference, excess
from grader.marking.facts import Truth
from grader.marking.program_comparison import compare
from grader.oracle.expect import expect, trace_once, uncertain, unstable
from grader.oracle.held_out import uses_seed


class Call:
    """The reference traced for one call. What takes longer is computed when it is first needed.

    Raises:
        ProblemError: if the reference refuses the call.
    """

    def __init__(self, problem: Problem, case: Case) -> None:
        self.case = case
        self._by_row = problem.by_row
        self.traced = trace_once(problem, case)

    @cached_property
    def values(self) -> Array:
        """The exact values, of shape (n,)."""
        return self.traced.exact

    @cached_property
    def due(self) -> Expected:
        """The exact values with their tolerance."""
        return expect(self.traced, by_row=self._by_row)

    @cached_property
    def uncertain(self) -> Array:
        """How far the constants that float32 rounds can move each value."""
        return uncertain(self.traced)

    @cached_property
    def may_be_case(self) -> bool:
        """Whether rounding alone moves no value far."""
        return unstable(self.traced, self.values) is None

    def distance(self, one: Array, other: Array) -> float:
        """The largest difference between two outputs, in tolerances of this call."""
        if one.size == other.size and np.array_equal(one, other, equal_nan=one.dtype.kind == "f"):
            return 0.0  # most are equal, and need no tolerance
        if one.size != other.size:
            return np.inf
        if one.size == self.values.size:
            return excess(one, other, self.due)
        with np.errstate(divide="ignore"):
            return float(np.divide(difference(one, other), self.due.largest_tolerance))

    def program_differs(self, values: Array, moved: Callable[[], Array]) -> bool:
        """Whether a program that gives `values` is wrong, by the rule of `marking.program_comparison`.

        Args:
            moved: how far the constants that float32 rounds can move each of the values.
        """
        bounds = np.zeros(self.values.shape) if self._by_row else 0.0  # only their form counts here
        truth = Truth(
            [Expected(self.values, bounds)], [self.traced.shape], [self.traced.dtype], [{}], uncertain=[self.uncertain]
        )
        compared = compare(_Program(values, moved), truth)
        return compared is None or compared.differs[0]


@dataclass(frozen=True)
class _Program:
    """One program, in the form of `marking.program_comparison.Compared`."""

    exact: Array
    moved: Callable[[], Array]

    def values(self) -> Sequence[Array]:
        return [self.exact]

    def constants(self) -> Sequence[Array]:
        return [self.moved()]

    def known(self) -> Sequence[bool]:
        return [True]  # the author's own


def calls_beyond(problem: Problem, cases: Iterable[Case], chosen: Sequence[Call]) -> Iterator[Call]:
    """Calls that the reference accepts. Their values are finite, if those of all `chosen` calls are."""
    finite = all(np.isfinite(call.values).all() for call in chosen)
    for case in cases:
        try:
            call = Call(problem, case)
            if np.isfinite(call.values).all() or not finite:
                yield call
        except ProblemError:
            continue  # sizes that make no sense together


def calls_on_other_seeds(problem: Problem, chosen: Sequence[Call]) -> list[Call]:
    """The calls on other seeds of the cases; none where the values do not depend on the seed."""
    return list(calls_beyond(problem, other_seeds(problem.cases), chosen)) if uses_seed(problem) else []
