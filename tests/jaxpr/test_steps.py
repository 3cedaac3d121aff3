"""The steps of a reference: every operation, rounds of loops together, by names that do not depend on sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from grader.jaxpr import steps as module
from grader.jaxpr.steps import steps
from grader.marking.judge import Array


def made(function: Callable[[], Any]) -> dict[str, Array]:
    """The steps by operation, output and form, without their places."""
    found = steps(jax.make_jaxpr(function)(), __file__)
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

    small, large = (steps(jax.make_jaxpr(lambda n=n: program(n))(), __file__) for n in (2, 5))
    assert small.keys() == large.keys()


def test_keys_are_left_out_and_draws_are_not() -> None:
    found = made(lambda: random.normal(random.key(3), (4,)))
    assert found["normal:0:0"].shape == (1, 4)
    assert not any(rows.dtype.kind not in "fiub" for rows in found.values())


def test_what_is_too_large_is_left_out(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "LARGEST", 8)
    found = made(lambda: jnp.sin(jnp.arange(4.0)).sum() + jnp.cos(jnp.arange(9.0)).sum())
    assert {"sin:0:0", "reduce_sum:0:0"} <= found.keys()
    assert "cos:0:0" not in found
