"""Draws that are known before a program runs are made before; all others stay in it, and no number changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.jaxpr.lower import NUMBERS_IN_A_DRAW, hoist, lower

DRAWS: dict[str, Callable[[Any], Any]] = {
    "normal": lambda key: jax.random.normal(key, (3, 5)),
    "normal_of_16_bits": lambda key: jax.random.normal(key, (3,), jnp.bfloat16),
    "uniform": lambda key: jax.random.uniform(key, (7,)),
    "uniform_between": lambda key: jax.random.uniform(key, (2, 2), minval=-1.0, maxval=3),
    "truncated_normal": lambda key: jax.random.truncated_normal(key, -2.0, 2.0, (4,)),
    "randint": lambda key: jax.random.randint(key, (9,), 0, 100),
    "bernoulli": lambda key: jax.random.bernoulli(key, 0.3, (20,)),
    "none": lambda key: jnp.float32(1),
}


def numbers(function: Callable[[], Any]) -> tuple[Any, Any]:
    """What a function gives, compiled as it is, and lowered without its draws."""
    program = jax.make_jaxpr(function)()
    (lowered,) = lower([program]).outputs()
    return np.asarray(jax.jit(function)()), np.asarray(lowered)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", DRAWS)
def test_no_number_of_a_draw_changes(name: str) -> None:
    whole, apart = numbers(lambda: DRAWS[name](jax.random.key(7)) * 3)
    assert whole.dtype == apart.dtype
    np.testing.assert_array_max_ulp(whole, apart, 2) if whole.dtype.kind == "f" else np.testing.assert_array_equal(
        whole, apart
    )


def keys(way: str) -> Any:
    """A key, made in some way."""
    key = jax.random.key(3)
    match way:
        case "split":
            return jax.random.split(key)[1]
        case "unpacked":
            return [*jax.random.split(key, 3)][2]
        case "folded":
            return jax.random.fold_in(key, 5)
        case "old":
            return jax.random.PRNGKey(3)
        case "drawn seed":
            return jax.random.key(jax.random.randint(key, (), 0, 1000))
        case _:
            return key


@pytest.mark.few(1)
@pytest.mark.parametrize("way", ["plain", "split", "unpacked", "folded", "old", "drawn seed"])
def test_a_draw_is_made_whichever_way_whole_numbers_lead_to_its_key(way: str) -> None:
    def function() -> Any:
        return jax.random.normal(keys(way), (6,))

    hoisted = hoist(jax.make_jaxpr(function)())
    assert hoisted.drawn[-1].shape == (6,)
    assert "random_" not in str(hoisted.program)
    whole, apart = numbers(function)
    np.testing.assert_array_max_ulp(whole, apart, 2)


@jax.jit
def _normal(key: Any) -> Any:
    """A learner's own function with the name of one of JAX's."""
    return jax.random.normal(key, (4,)) / 2


def scanned() -> Any:
    def step(carry: Any, key: Any) -> tuple[Any, Any]:
        return carry, jax.random.normal(key, (2,))

    return jax.lax.scan(step, 0, jax.random.split(jax.random.key(1), 3))[1]


def of_a_float() -> Any:
    return jax.random.normal(jax.random.key((jnp.sin(jnp.float32(2)) * 10).astype(jnp.int32)), (3,))


STAY: dict[str, Callable[[], Any]] = {
    "a function of one's own with that name": lambda: _normal(jax.random.key(1)),
    "more numbers than a wide draw": lambda: jax.random.normal(jax.random.key(1), (NUMBERS_IN_A_DRAW + 1,)),
    "one draw for each of many keys": lambda: jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(1), 3)),
    "inside a loop": scanned,
    "a seed computed with floats": of_a_float,
    "another generator": lambda: jax.random.normal(jax.random.key(1, impl="rbg"), (3,)),
    "bounds computed with floats": lambda: jax.random.uniform(jax.random.key(1), (3,), maxval=jnp.exp(jnp.float32(1))),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", STAY)
def test_a_draw_stays_where_it_is_not_known(name: str) -> None:
    hoisted = hoist(jax.make_jaxpr(STAY[name])())
    assert not hoisted.drawn
    whole, apart = numbers(STAY[name])
    np.testing.assert_array_equal(whole, apart)


def test_a_draw_that_nothing_needs_is_not_made() -> None:
    def function() -> Any:
        jax.random.normal(jax.random.key(1), (3,))
        return jnp.ones(2)

    assert not hoist(jax.make_jaxpr(function)()).drawn


def test_several_programs_are_lowered_as_one() -> None:
    programs = [jax.make_jaxpr(lambda size=size: jax.random.normal(jax.random.key(size), (size,)))() for size in (2, 3)]
    outputs = lower([*programs, jax.make_jaxpr(lambda: jnp.arange(4))()]).outputs()
    assert [one.shape for one in outputs] == [(2,), (3,), (4,)]


@pytest.mark.slow
def test_an_output_may_be_the_draw_itself() -> None:
    whole, apart = numbers(lambda: jax.random.uniform(jax.random.key(1), (3,)))
    np.testing.assert_array_equal(whole, apart)
