"""Calls beyond the cases: of the same kind, none of them a case, none of them too large."""

from __future__ import annotations

import math

import pytest

from grader import Whole
from grader.author.calls import COST_OF_TINY_CASES, MOST_TIMES_THE_COST, probe_cases
from grader.kit.problem import Case
from tests.toy import problem_of


def even(seed: int, T: int, d: int) -> None: ...


def scaled(seed: int, scale: float) -> None: ...


PROBLEM = problem_of(
    even,
    cases=[(0, 1, 2), (0, 4, 6), (0, 4, 10)],
    arguments={"T": Whole(), "d": Whole(2, step=2)},
    legal=[lambda T, d: d > T],
)


def test_probes_are_legal_and_no_cases() -> None:
    listed = list(probe_cases(PROBLEM))
    assert len(listed) > 10
    assert not set(listed) & set(PROBLEM.cases)
    assert all(d % 2 == 0 and 0 < T < d for _, T, d in listed)


def test_probes_are_the_same_each_time_and_the_small_ones_come_first() -> None:
    listed = list(probe_cases(PROBLEM))
    assert listed == list(probe_cases(PROBLEM))
    sizes = [T * d for _, T, d in listed]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("cases", [[(0, 2, 2)], [(0, 100, 100), (1, 50, 3)]])
def test_probes_are_not_much_larger_than_the_cases(cases: list[Case]) -> None:
    largest = max(COST_OF_TINY_CASES, MOST_TIMES_THE_COST * max(math.prod(case[1:]) for case in cases))
    assert all(T * d <= largest for _, T, d in probe_cases(problem_of(even, cases=cases)))


def test_floats_lie_between_those_of_the_cases() -> None:
    listed = list(probe_cases(problem_of(scaled, cases=[(0, 0.5), (0, 2.0)])))
    assert listed
    assert all(0.5 <= scale <= 2.0 for _, scale in listed)
