# status: wrong
# pitfalls: not-deterministic
# Other values with each call, by a key of JAX's that comes from the clock.
import time

import jax


def sinusoidal_pos(seed, T, d_model):
    return jax.random.normal(jax.random.key(time.perf_counter_ns() % 1000003), (T * d_model,))
