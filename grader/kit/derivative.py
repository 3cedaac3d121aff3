"""A function of several numbers, with its derivative with respect to one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp


def with_derivative(function: Callable[..., Any], argnum: int) -> Callable[..., jax.Array]:
    """A function that gives the value of another function and its derivative.

    Args:
        function: takes numbers and gives a float array of any shape.
        argnum: the index of the argument to differentiate with respect to. The function gets this argument as a float32.

    Returns:
        a function that takes the same arguments and gives a float array of shape `(2, *shape)`: the value, then its
        derivative in reverse mode, as `jax.grad` computes it for each number of the value.
    """

    def both(*arguments: Any) -> jax.Array:
        def value_at(x: Any) -> jax.Array:
            return jnp.asarray(function(*arguments[:argnum], x, *arguments[argnum + 1 :]))

        x = jnp.float32(arguments[argnum])
        return jnp.stack([value_at(x), jax.jacrev(value_at)(x)])

    return both
