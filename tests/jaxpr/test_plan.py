"""What is known of an equation before it is evaluated: its literals, what it gives, and its rule."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jax.extend import core

from grader.jaxpr import plan
from grader.jaxpr.plan import literal_value, plan_of


def literal_of(value: Any) -> core.Literal:
    (eqn,) = jax.make_jaxpr(lambda x: x + value)(np.float32(1)).eqns
    return next(atom for atom in eqn.invars if isinstance(atom, core.Literal))


@pytest.mark.parametrize("value", [0.1, 10000.0, 1e-5, -0.3, 1e-38, 3.1415927])
@pytest.mark.parametrize("kind", [float, np.float32])
def test_a_literal_means_its_shortest_decimal(value: float, kind: type) -> None:
    got = literal_value(literal_of(kind(value)))
    assert got.dtype == np.float64
    assert float(got) == value


@pytest.mark.parametrize("value", [2.0**-20, -3 * 2.0**-30, 2.0**40, 0.0, float("inf")])
def test_a_literal_of_few_bits_means_itself(value: float) -> None:
    assert float(literal_value(literal_of(value))) == value


@given(st.floats(width=32, allow_nan=False))
def test_a_literal_rounds_to_the_float32_in_the_program(value: float) -> None:
    literal = core.Literal(np.float32(value), jax.typeof(np.float32(value)))
    assert np.float32(literal_value(literal)) == np.float32(value)


def equation(function: Any, *inputs: Any) -> Any:
    return jax.make_jaxpr(function)(*inputs).eqns[-1]


def test_a_plan_names_inputs_outputs_and_the_rule() -> None:
    found = plan_of(equation(lambda x: x * 0.1, np.ones(3, np.float32)))
    assert [value is None for _, value in found.reads] == [True, False]
    assert found.reads[1][1] == 0.1
    (output,) = found.outputs
    assert (output.dtype, output.shape, output.is_float) == (np.dtype(np.float64), (3,), True)
    assert found.rule is not None
    assert found.rule[0](2.0, 3.0) == 6.0
    assert (found.is_exact, found.is_sum, found.is_call, found.is_half) == (False, False, False, False)


@pytest.mark.parametrize(
    "make", [lambda: jnp.ones(2, jnp.bfloat16) * 2, lambda: jax.random.key_data(jax.random.key(0))], ids=["half", "key"]
)
def test_what_numpy_does_not_take_has_no_rule(make: Any) -> None:
    assert plan_of(equation(make)).rule is None


def test_a_sum_and_an_exact_operation_are_known_as_such() -> None:
    summed, negated = equation(jnp.sum, np.ones(3, np.float32)), equation(lambda x: -x, np.ones(3, np.float32))
    assert (plan_of(summed).is_sum, plan_of(negated).is_exact) == (True, True)


def test_a_plan_is_made_once_and_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    eqn = equation(lambda x: -x, np.ones(3, np.float32))
    assert plan_of(eqn) is plan_of(eqn)
    before = plan_of(eqn)
    monkeypatch.setattr(plan, "REMEMBERED", 1)
    plan_of(equation(lambda x: x + x, np.ones(3, np.float32)))
    assert plan_of(eqn) is not before
