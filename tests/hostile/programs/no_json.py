# status: wrong
# tiers: B
# A text that is no JSON.
import jax.numpy as jnp
import numpy as np

import grader.run.answer.tracing as process
from grader.values import frames

process.packed = lambda traces, filename: np.frombuffer(
    frames.encode({}, [np.frombuffer(b"[" * 100_000, np.uint8)]), np.uint8
)


def sinusoidal_pos(seed, T, d_model):
    return jnp.cos(jnp.arange(T * d_model) * 0.1)
