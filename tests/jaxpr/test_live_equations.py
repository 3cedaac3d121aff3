"""Which equations matter for a result: dead ones are left out, and loops that JAX removes are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax

from grader.jaxpr.outline import dead_loops, live_equations

Program = Callable[..., Any]
X = jnp.arange(3.0)


def jaxpr(program: Program) -> Any:
    return jax.make_jaxpr(program)(X).jaxpr


def removed(program: Program) -> list[str]:
    return [eqn.primitive.name for eqn in dead_loops(jaxpr(program))]


def test_equations_whose_outputs_are_not_used_are_left_out() -> None:
    def program(x: Any) -> Any:
        jnp.exp(jnp.sin(x))
        return jnp.cos(x)

    assert [eqn.primitive.name for eqn in live_equations(jaxpr(program))] == ["cos"]


def counted(x: Any) -> Any:
    lax.while_loop(lambda c: c[0].sum() < 9, lambda c: (c[0] + 1, c[1]), (x, 0))
    return x


@pytest.mark.parametrize(
    ("program", "loops"),
    [
        (lambda x: lax.while_loop(lambda c: True, lambda c: c, x), ["while"]),
        (lambda x: jax.jit(lambda y: lax.while_loop(lambda c: True, lambda c: c, y))(x), ["while"]),
        (lambda x: lax.fori_loop(0, 3, lambda i, c: c, x), ["scan"]),
        (counted, ["while"]),
        (lambda x: lax.while_loop(lambda c: c.sum() < 9, lambda c: c, x), []),
        (lambda x: lax.fori_loop(0, 3, lambda i, c: c + i, x), []),
        (jnp.cos, []),
    ],
)
def test_a_loop_that_the_result_does_not_depend_on_is_found(program: Program, loops: list[str]) -> None:
    assert removed(program) == loops


def test_a_loop_with_effects_is_kept() -> None:
    def program(x: Any) -> Any:
        lax.fori_loop(0, 3, lambda i, c: jax.debug.print("{i}", i=i) or c, 0)
        return x

    assert removed(program) == []
