"""Numbers that a wide draw gives are those of `jax.random`, whatever the shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.jaxpr.lower import NUMBERS_IN_A_DRAW, fits_wide, own_program, wide_numbers

SHAPES = [(), (0,), (3,), (2, 5), (NUMBERS_IN_A_DRAW,)]
DRAWS: dict[str, Callable[[Any, tuple[int, ...]], Any]] = {
    "normal": lambda key, shape: jax.random.normal(key, shape),
    "uniform": lambda key, shape: jax.random.uniform(key, shape),
    "uniform between": lambda key, shape: jax.random.uniform(key, shape, minval=-3.0, maxval=0.1),
    "truncated_normal": lambda key, shape: jax.random.truncated_normal(key, -1.0, 2.0, shape),
    "randint": lambda key, shape: jax.random.randint(key, shape, -5, 1000),
    "bernoulli": lambda key, shape: jax.random.bernoulli(key, 0.3, shape),
}


def equation(draw: Callable[[Any, tuple[int, ...]], Any], shape: tuple[int, ...]) -> Any:
    """The equation of a draw."""
    return jax.make_jaxpr(lambda key: draw(key, shape))(jax.random.key(0)).jaxpr.eqns[-1]


@pytest.mark.few(3)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", DRAWS)
def test_the_numbers_are_those_of_jax(name: str, shape: tuple[int, ...]) -> None:
    eqn = equation(DRAWS[name], shape)
    assert fits_wide(eqn)
    for seed in (0, 1, 2**31 - 1):
        key = jax.random.key(seed)
        due = np.asarray(DRAWS[name](key, shape))
        bounds = [np.asarray(one.val, one.aval.dtype) for one in eqn.invars[1:]]
        given = wide_numbers(eqn, np.asarray(jax.random.key_data(key)), bounds)
        assert (given.shape, given.dtype) == (due.shape, due.dtype)
        if due.dtype.kind == "f":
            np.testing.assert_array_max_ulp(given, due, 2)  # a compiler may join two operations
        else:
            np.testing.assert_array_equal(given, due)


@pytest.mark.parametrize(
    "draw",
    [
        lambda key, shape: jax.random.normal(key, (NUMBERS_IN_A_DRAW + 1,)),
        lambda key, shape: jax.random.normal(key, (3,), jnp.bfloat16),
        lambda key, shape: jax.random.uniform(key, (2,), minval=jnp.zeros(2)),
        lambda key, shape: jax.random.permutation(key, 5),
    ],
)
def test_another_draw_does_not_fit(draw: Callable[[Any, tuple[int, ...]], Any]) -> None:
    assert not any(fits_wide(one) for one in jax.make_jaxpr(lambda: draw(jax.random.key(0), ()))().jaxpr.eqns)


@pytest.mark.parametrize("name", DRAWS)
def test_the_program_of_a_draw_is_the_one_that_jax_traced(name: str) -> None:
    eqn = equation(DRAWS[name], (3,))
    assert eqn.params["jaxpr"] is own_program(eqn)


def test_the_program_of_another_function_with_the_name_of_a_draw_is_not() -> None:
    @jax.jit
    def _normal(key: Any) -> Any:
        return jax.random.normal(key, (3,)) / 2

    eqn = equation(lambda key, shape: _normal(key), (3,))
    assert fits_wide(eqn)
    assert eqn.params["jaxpr"] is not own_program(eqn)
