"""Frequencies for longer texts (YaRN), as a good learner would write it."""

import math

import jax.numpy as jnp


def yarn_frequencies(seed, d_head, base, factor, original):
    pairs = jnp.arange(d_head // 2)
    frequencies = base ** (-2 * pairs / d_head)

    def edge(turns):
        """The index at which a pair would make this many turns within the original length."""
        return d_head * math.log(original / (2 * math.pi * turns)) / (2 * math.log(base))

    # The edges depend on sizes alone, so Python's own numbers will do.
    low = max(math.floor(edge(32)), 0)
    high = min(math.ceil(edge(1)), d_head - 1)
    ramp = jnp.clip((pairs - low) / (high - low), 0, 1)
    blended = (1 - ramp) * frequencies + ramp * frequencies / factor
    return jnp.append(blended, 0.1 * math.log(factor) + 1)
