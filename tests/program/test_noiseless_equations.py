"""Equations that the noise of constants does not reach give the same in all evaluations, and only those are skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.program.analysis import noiseless_equations
from grader.program.arithmetic import Exact, NoisyConstants
from grader.program.data import Equation
from grader.program.evaluate import Evaluate, Evaluation
from grader.run.evaluator_calls import deviation
from grader.values.arrays import NOISY_EVALUATIONS
from tests.program.sent import sent

TABLE = np.sin(np.arange(6.0)).astype(np.float32)


def mixed() -> Any:
    places = jnp.arange(6.0) * 2
    return jnp.exp(-places * 0.123456789) + places


def looped() -> Any:
    return lax.scan(lambda c, x: (c * 0.987654321 + x, c), 0.0, jnp.arange(5.0) * 3)[1]


def of_a_table() -> Any:
    return jnp.cos(jnp.arange(6.0)) * TABLE


def short() -> Any:
    return jnp.cos(jnp.arange(6.0) * 0.1) * 0.5


def branched() -> Any:
    return lax.cond(jnp.sum(jnp.arange(3)) > 2, lambda x: x * 0.123456789, lambda x: x, jnp.arange(4.0))


PROGRAMS: list[Callable[[], Any]] = [mixed, looped, of_a_table, short, branched]


@pytest.mark.parametrize("function", PROGRAMS)
def test_what_is_still_gives_the_same_in_every_evaluation(function: Callable[[], Any]) -> None:
    program, seen = sent(function, __file__), dict[int, list[Any]]()

    def hook(equation: Equation, inputs: list[Any], evaluate: Evaluate) -> list[Any]:
        outputs = evaluate(equation, inputs)
        seen.setdefault(id(equation), []).append(outputs)
        return outputs

    for arithmetic in (Exact(), NoisyConstants(3), NoisyConstants(5)):
        Evaluation(program, arithmetic, {}, hook).output()
    found = noiseless_equations(program)
    assert found <= seen.keys()
    moved = {equation.operation for equation in program.block.equations if id(equation) not in found}
    assert (
        moved
        == {
            mixed: {"mul", "exp", "add"},
            looped: {"scan"},
            of_a_table: {"mul"},
            short: set(),
            branched: {"cond"},
        }[function]
    )
    for number in found:
        for one in seen[number][2:]:
            assert all(map(np.array_equal, one, seen[number][1]))


@pytest.mark.parametrize("function", PROGRAMS)
def test_the_noise_is_that_of_evaluations_from_the_start(function: Callable[[], Any]) -> None:
    program = sent(function, __file__)
    exact = Evaluation(program, Exact(), {}).output()
    runs = [Evaluation(program, NoisyConstants(seed), {}).output() for seed in range(NOISY_EVALUATIONS)]
    whole = np.max([np.abs(one - exact) for one in runs], axis=0)
    found = deviation(program, exact, {}, NoisyConstants)
    assert np.array_equal(found, whole if (runs[0] != exact).any() else np.zeros_like(whole))
