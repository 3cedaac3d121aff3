"""The steps of a reference: under its contract or of the value alone, and only those of the smallest cases in a key."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from grader.kit.problem import Problem
from grader.oracle.steps import packed_steps, steps_of
from grader.where.packed import unpacked
from tests.oracle.conftest import PROBLEM


def scaled(seed: int, n: int, t: float) -> Any:
    return jnp.exp(jnp.arange(n) * t)


GRAD = Problem(scaled, cases=[(0, 2, 0.5), (0, 3, 0.5)], contract="grad", wrt="t")


def operations(steps: Any) -> set[str]:
    return {name.split(":")[2] for name in steps}


def test_each_case_has_the_steps_of_the_reference_at_their_lines() -> None:
    found = steps_of(PROBLEM)
    assert [len(one) for one in found] == [len(found[0])] * len(PROBLEM.cases)
    (name,) = [name for name in found[2] if ":sin:" in name]
    np.testing.assert_allclose(found[2][name], [np.sin(np.arange(4) / 3)], rtol=1e-12)
    line = PROBLEM.reference.__code__.co_firstlineno + 1
    assert name.startswith(f"{line}:")


def test_under_a_derivative_the_steps_are_those_of_both_or_of_the_value_alone() -> None:
    both, value = (operations(steps_of(GRAD, of_value=of_value)[0]) for of_value in (False, True))
    assert value < both


def test_a_key_gets_the_smallest_cases_that_fit() -> None:
    found = steps_of(PROBLEM)
    whole = packed_steps(found)
    assert whole.cases == (0, 1, 2)
    assert [list(one) for one in unpacked(whole.data)] == [list(one) for one in found]
    some = packed_steps(found[::-1], most=len(packed_steps(found[1::-1]).data))
    assert some.cases == (1, 2)
    assert len(unpacked(some.data)) == 2
    assert packed_steps(found, most=10).cases == ()
