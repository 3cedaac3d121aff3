"""Calls of a reference, on the cases, near them, on other seeds, on earlier cases, and what mistakes give there."""

from __future__ import annotations

import ast
import contextlib
import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from grader.kit.mistakes import MistakeForm
from grader.kit.problem import Case, Problem, arguments_of, fault_of
from grader.kit.problem_error import ProblemError
from grader.kit.repository import committed_versions
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.diagnosis import diagnose
from grader.marking.evidence import Evidence
from grader.marking.facts import Truth
from grader.marking.program_comparison import compare
from grader.marking.verdict import Diagnosis
from grader.oracle.calls import cost, uses_seed
from grader.oracle.expect import expect, trace_once, uncertain, unstable
from grader.oracle.mistakes import MIN_DISTANCE
from grader.oracle.oracle import Oracle
from grader.values.arrays import (
    MOST_DEVIATIONS,
    UNIT_ROUNDOFF,
    Answered,
    Array,
    Expected,
    difference,
    excess,
    largest_magnitude,
)
from grader.values.places import parsed

CALLS_ON_OTHER_SEEDS = 96
"""How many calls on other seeds there are, spread over the sizes of the cases: each costs a trace of the reference."""

MOST_SEEDS = 16
"""The most other seeds that one size is tried with."""


def other_seeds(cases: Sequence[Case]) -> Iterator[Case]:
    """The sizes of the cases with as many other seeds each, sizes in the order of the cases."""
    listed = dict.fromkeys(case[1:] for case in cases)
    for sizes in listed:
        others = (seed for seed in itertools.count() if (seed, *sizes) not in cases)
        yield from (
            (seed, *sizes)
            for seed in itertools.islice(others, min(MOST_SEEDS, max(1, CALLS_ON_OTHER_SEEDS // len(listed))))
        )


PROBES_PROPOSED, PROBES_MADE = 60, 16
"""How many calls are proposed, and about how many are made. JAX compiles a draw once for each size, so few are made."""

MOST_TIMES_THE_COST = 4
"""A probe may cost this many times as much as the most expensive case; see `COST_OF_TINY_CASES`."""

COST_OF_TINY_CASES = 400
"""Where all cases are tiny, a probe may cost at least as much as this."""


def probe_cases(problem: Problem) -> Iterator[Case]:
    """Other legal arguments, cheap ones first, none of them a case.

    A combination that makes no sense, and that the problem does not declare as such, is left to the reference to refuse.
    """
    arguments = arguments_of(problem)
    seeds, *sizes = zip(*problem.cases, strict=True)
    near = (each.near(column) for each, column in zip(arguments.values(), sizes, strict=True))
    columns = [sorted({*seeds, 1, 2, 3}), *near]
    largest = max(COST_OF_TINY_CASES, MOST_TIMES_THE_COST * max(cost(case) for case in problem.cases))
    drawn = random.Random(0)
    found: set[Case] = set()
    for case in problem.cases:
        for index, column in enumerate(columns):
            found.update(
                (*case[:index], value, *case[index + 1 :]) for value in drawn.sample(column, min(3, len(column)))
            )
    for _ in range(PROBES_PROPOSED):
        found.add(tuple(drawn.choice(column) for column in columns))
    cheap = (probe for probe in found - set(problem.cases) if cost(probe) <= largest and not fault_of(problem, probe))
    fitting = sorted(cheap, key=cost)
    yield from fitting[:: max(1, len(fitting) // PROBES_MADE)]


MOST_REVISIONS = 8
"""How many commits of a worked answer are looked at for earlier cases."""


def earlier_cases(problem: Problem, file: str) -> list[Case]:
    """The cases of the newest commit of a worked answer that has one which the problem lacks, without those that it has.

    Such a case may have shown what no case shows now. There are none where git knows of no such commit.
    """
    for text in committed_versions(Path(file).parent, Path(file).name, MOST_REVISIONS):
        if lacking := [case for case in cases_in(text) if case not in problem.cases and not fault_of(problem, case)]:
            return lacking
    return []


def cases_in(text: str) -> list[Case]:
    """The cases that a worked answer declares; none where they are computed, or where the text is not Python."""
    with contextlib.suppress(SyntaxError, ValueError, TypeError):
        for node in ast.walk(parsed(text)):
            if isinstance(node, ast.keyword) and node.arg == "cases":
                return [tuple(case) for case in ast.literal_eval(node.value)]
    return []


def advice_on_call(parameters: Sequence[str], cases: Sequence[Case], probe: Case) -> str:
    """What to do with a call beyond the cases that shows what no case does: take its seed, or add it."""
    if all(case[1:] != probe[1:] for case in cases):
        return f"the case {probe} would, so add it"
    return f"{seed_in_words(parameters, probe)} does, so take it"


def seed_in_words(parameters: Sequence[str], case: Case) -> str:
    """The seed of a call, and its sizes by name."""
    sizes = ", ".join(f"{name}={value}" for name, value in zip(parameters[1:], case[1:], strict=True))
    return f"{parameters[0]} {case[0]}{sizes and f' of the case {sizes}'}"


class CheckedCall:
    """The reference traced for one call, and what follows, once needed. Raises ProblemError if it refuses the call."""

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

    def distance(self, array: Array, other: Array) -> float:
        """The largest difference between two outputs, in tolerances of this call, or a larger number that is at most one."""
        if array.size == other.size:
            gap = difference(array, other)
            if gap <= self._least_tolerance:  # most are nearly equal, and the tolerance takes long to compute
                return gap / self._least_tolerance if gap else 0.0
        return _distance(array, other, self.due)

    @cached_property
    def _least_tolerance(self) -> float:
        """What the tolerance of each value is at least (see `oracle.expect.expect`); 0 if that is not known."""
        known = self.values.dtype.kind in "fc" and not self._by_row
        return MOST_DEVIATIONS * UNIT_ROUNDOFF * largest_magnitude(self.values) if known else 0.0

    def program_differs(self, values: Array, moved: Callable[[], Array]) -> bool:
        """Whether a program is wrong by the rule of `marking.program_comparison`.

        It gives `values`, and the constants that float32 rounds can move them by `moved`.
        """
        bounds = np.zeros(self.values.shape) if self._by_row else 0.0  # only their form counts here
        truth = Truth(
            [Expected(self.values, bounds)], [self.traced.shape], [self.traced.dtype], [{}], uncertain=[self.uncertain]
        )
        compared = compare(_CalledProgram(values, moved), truth)
        return compared is None or compared.differs[0]


@dataclass(frozen=True)
class _CalledProgram:
    """One program, in the form of `marking.program_comparison.Compared`."""

    exact: Array
    moved: Callable[[], Array]

    def values(self) -> Sequence[Array]:
        return [self.exact]

    def constants(self) -> Sequence[Array]:
        return [self.moved()]

    def known(self) -> Sequence[bool]:
        return [True]  # the author's own


def _distance(array: Array, other: Array, due: Expected) -> float:
    """The largest difference between two outputs of a call, in the tolerances of its values."""
    if array.size != other.size:
        return np.inf
    if array.size == due.values.size:
        return excess(array, other, due)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nan_to_num(np.divide(difference(array, other), due.largest_tolerance), posinf=np.inf))


class Calls:
    """The calls of a problem: its cases, and others."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.chosen = [CheckedCall(problem, case) for case in problem.cases]

    def beyond(self, cases: Iterable[Case]) -> Iterator[CheckedCall]:
        """Calls that the reference accepts. Their values are finite, if those of all cases of the problem are."""
        finite = all(np.isfinite(call.values).all() for call in self.chosen)
        for case in cases:
            try:
                call = CheckedCall(self._problem, case)
                if np.isfinite(call.values).all() or not finite:
                    yield call
            except ProblemError:
                continue  # sizes that make no sense together

    @cached_property
    def on_other_seeds(self) -> list[CheckedCall]:
        """The calls on other seeds of the cases; none where the values do not depend on the seed."""
        return list(self.beyond(other_seeds(self._problem.cases))) if uses_seed(self._problem) else []


class Outputs(Sequence[Array]):
    """The outputs of the worked answer with some mistakes, each computed when it is first read.

    Args:
        known: those that are computed, by the number of their case.
    """

    def __init__(self, problem: Problem, forms: tuple[MistakeForm, ...], known: Mapping[int, Array] = {}) -> None:
        self._problem, self._forms = problem, forms
        self._known = dict(known)

    def __len__(self) -> int:
        return len(self._problem.cases)

    def __getitem__(self, index: Any) -> Any:
        if index >= len(self):
            raise IndexError(index)
        if index not in self._known:
            self._known[index] = trace_once(self._problem, self._problem.cases[index], self._forms).exact
        return self._known[index]


def _screening_case_first(oracle: Oracle) -> list[tuple[int, Expected]]:
    """The cases with their expected values, the screening case first, because it decides most often."""
    return sorted(enumerate(oracle.truth().expected), key=lambda numbered: numbered[0] != oracle.screening_case)


def far_from_truth(outputs: Sequence[Array], oracle: Oracle) -> bool:
    """Whether the outputs differ from the truth by `MIN_DISTANCE` tolerances on some case."""
    distances = (_distance(outputs[index], due.values, due) for index, due in _screening_case_first(oracle))
    return any(distance >= MIN_DISTANCE for distance in distances)


def same_outputs(outputs: Sequence[Array], others: Sequence[Array], oracle: Oracle) -> bool:
    """Whether two mistakes give the same numbers on every case, up to rounding."""
    distances = (_distance(outputs[index], others[index], due) for index, due in _screening_case_first(oracle))
    return all(distance <= MOST_TOLERANCES_WITH_PROGRAM for distance in distances)


def diagnosis_of(outputs: Sequence[Array], oracle: Oracle) -> Diagnosis | None:
    """The diagnosis of these outputs, one array for each case; None if they are right."""
    returned = [Answered(output, np.asarray(output).dtype.name) for output in outputs]
    evidence = Evidence(oracle.facts(), oracle, oracle.truth(), returned, band=MOST_TOLERANCES_WITH_PROGRAM)
    return None if evidence.failing is None else diagnose(evidence)
