"""Calls of a reference: how far outputs are apart, which programs differ, and which calls beyond the cases are made."""

from __future__ import annotations

import dataclasses

import jax.numpy as jnp
import numpy as np
import pytest

from grader.author.calls import MOST_SEEDS, Calls, CheckedCall
from tests.toy import problem_of


def waves(seed: int, T: int) -> object:
    if T > 5:
        raise ValueError("too long")
    return jnp.cos(seed + jnp.arange(T)) / (seed != 9)


def ramp(seed: int, T: int) -> object:
    return jnp.arange(T) * 0.3


PROBLEM = problem_of(waves, cases=[(0, 2), (1, 4)])
CALLS = Calls(PROBLEM)


@pytest.fixture(scope="module")
def call() -> CheckedCall:
    return CheckedCall(PROBLEM, (0, 4))


def test_distances_are_in_tolerances_of_the_call(call: CheckedCall) -> None:
    tolerance = call.due.largest_tolerance
    assert call.distance(call.values + 3 * tolerance, call.values) == pytest.approx(3)
    assert call.distance(call.values[:2] + 3 * tolerance, call.values[:2]) == pytest.approx(3)
    assert call.distance(call.values, call.values) == 0
    assert call.distance(call.values[:2], call.values) == np.inf


@pytest.mark.parametrize(("by_row", "moved"), [(False, 0.0), (False, 1e-9), (True, 0.0)])
def test_outputs_that_are_nearly_equal_need_no_noisy_evaluations(by_row: bool, moved: float) -> None:
    call = CheckedCall(dataclasses.replace(PROBLEM, by_row=by_row), (0, 4))
    told = call.distance(call.values + moved, call.values)
    assert "due" not in vars(call)
    assert moved / call.due.largest_tolerance <= told <= 1


def test_a_program_differs_where_float32_could_not_show_it(call: CheckedCall) -> None:
    off = call.values + 5e-8

    def fixed() -> np.ndarray:
        return np.zeros(4)

    def moved() -> np.ndarray:
        return np.full(4, 5e-8)

    assert call.distance(off, call.values) < 1
    assert call.program_differs(off, fixed)
    assert not call.program_differs(off, moved)
    assert not call.program_differs(call.values, fixed)


def test_calls_that_the_reference_refuses_or_that_are_not_finite_are_left_out() -> None:
    assert [call.case for call in CALLS.beyond([(0, 9), (9, 2), (2, 2)])] == [(2, 2)]


def test_other_seeds_are_called_only_where_the_seed_has_an_effect() -> None:
    assert len(CALLS.on_other_seeds) == 2 * MOST_SEEDS - 2  # seed 9 is not finite
    assert Calls(problem_of(ramp, cases=[(0, 2)])).on_other_seeds == []
