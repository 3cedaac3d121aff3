"""ALiBi's bias, as a good learner would write it."""

import jax.numpy as jnp


def alibi_bias(seed, H, T):

    def slopes(n):
        return 2.0 ** (-8 * jnp.arange(1, n + 1) / n)

    P = 2 ** (H.bit_length() - 1)
    # Every second slope of the longer list is one of the shorter: the others lie between them.
    m = jnp.concatenate([slopes(P), slopes(2 * P)[0::2][: H - P]])
    distance = jnp.arange(T)[:, None] - jnp.arange(T)[None, :]
    return jnp.where(distance >= 0, -m[:, None, None] * distance, -jnp.inf).reshape(-1)
