# status: wrong
# pitfalls: not-deterministic
# Other values with each call, by the clock.
import time

import jax.numpy as jnp


def sinusoidal_pos(seed, T, d_model):
    return jnp.full(T * d_model, time.perf_counter_ns() % 1000003, jnp.float32)
