"""The steps of a reference: by names that do not depend on sizes, also of the value alone; those of a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from grader.oracle import steps as module
from grader.oracle.steps import packed_steps, steps, steps_of
from grader.values.arrays import Array
from grader.where.steps import unpacked
from tests.jaxpr.evaluating import as_reference
from tests.oracle.conftest import PROBLEM
from tests.toy import problem_of


def scaled(seed: int, n: int, t: float) -> Any:
    return jnp.exp(jnp.arange(n) * t)


GRAD = problem_of(scaled, cases=[(0, 2, 0.5), (0, 3, 0.5)], contract="grad", wrt="t")


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


def made(function: Callable[[], Any]) -> dict[str, Array]:
    """The steps by operation, output and form, without their places."""
    found = steps(as_reference(jax.make_jaxpr(function)(), __file__))
    return {name.split(":", 2)[2]: rows for name, rows in found.items()}


def test_a_step_is_the_exact_value_of_an_operation() -> None:
    found = made(lambda: jax.jit(lambda x: jnp.sin(x) * 0.1)(jnp.arange(3.0)))
    np.testing.assert_allclose(found["mul:0:0"], [np.sin(np.arange(3.0)) * 0.1], rtol=1e-15)
    assert found["mul:literal1:0"].tolist() == [0.1]


def test_the_rounds_of_a_loop_are_rows() -> None:
    found = made(lambda: lax.scan(lambda c, r: (c + r, c * r), 0.0, jnp.arange(4.0))[0])
    np.testing.assert_array_equal(found["add:0:0"], [0.0, 1.0, 3.0, 6.0])
    assert found["mul:0:0"].shape == (4,)


def test_names_are_those_of_places_and_not_of_sizes() -> None:
    def program(n: int) -> Any:
        return jnp.tanh(jnp.arange(float(n)))[None] @ jnp.ones((n, 2))

    small, large = (steps(as_reference(jax.make_jaxpr(lambda n=n: program(n))(), __file__)) for n in (2, 5))
    assert small.keys() == large.keys()


def test_keys_are_left_out_and_draws_are_not() -> None:
    found = made(lambda: random.normal(random.key(3), (4,)))
    assert found["normal:0:0"].shape == (1, 4)
    assert not any(rows.dtype.kind not in "fiub" for rows in found.values())


def test_what_is_too_large_is_left_out(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "LARGEST_VALUE", 8)
    found = made(lambda: jnp.sin(jnp.arange(4.0)).sum() + jnp.cos(jnp.arange(9.0)).sum())
    assert {"sin:0:0", "reduce_sum:0:0"} <= found.keys()
    assert "cos:0:0" not in found
