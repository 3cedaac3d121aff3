"""A function of several numbers, and its derivative by one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp


def with_derivative(function: Callable[..., Any], argnum: int) -> Callable[..., jax.Array]:
    """The function, stacked on its derivative.

    Args:
        function: of numbers, to a float array.
        argnum: which argument to differentiate by; it is given as a float32.

    Returns:
        a function of the same arguments to an array of shape `(2, *shape)`: the value, then its derivative in reverse
        mode, as `jax.grad` would compute it for each number of the value.
    """

    def both(*arguments: Any) -> jax.Array:
        def of(x: Any) -> jax.Array:
            return jnp.asarray(function(*arguments[:argnum], x, *arguments[argnum + 1 :]))

        x = jnp.float32(arguments[argnum])
        return jnp.stack([of(x), jax.jacrev(of)(x)])

    return both
