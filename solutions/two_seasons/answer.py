"""Hours and weekdays as angles, as a good learner would write it."""

import jax
import jax.numpy as jnp


def two_seasons(seed, N, day, week, harmonics):
    hours = jax.random.randint(jax.random.key(seed), (N,), 0, 1000, dtype=jnp.int32)

    def waves(part, period):
        """The sines and cosines of a place in a period, (N,) -> (N, 2 * harmonics)."""
        turns = part[:, None] * jnp.arange(1, harmonics + 1) / period
        angles = 2 * jnp.pi * turns
        return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=1)

    # Whole hours and whole days: all hours of a Monday are the same day of the week.
    of_day = waves(hours % day, day)
    of_week = waves(hours // day % week, week)
    return jnp.concatenate([of_day, of_week], axis=1).reshape(-1)
