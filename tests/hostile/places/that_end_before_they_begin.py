# status: wrong
# tiers: B
# Places that end before they begin.
import json

import jax.numpy as jnp
import numpy as np

import grader.run.answer.tracing as process
from grader.values import frames

sent = process.packed


def forged(traces, filename):
    programs = sent(traces, filename)
    if programs is None:
        return None
    _, (text, *arrays) = frames.decode(programs.tobytes())
    listed = json.loads(text.tobytes())
    for one in listed:
        change(one)
    text = np.frombuffer(json.dumps(listed).encode(), np.uint8)
    return np.frombuffer(frames.encode({}, [text, *arrays]), np.uint8)


process.packed = forged


def change(one):
    one["places"] = [[end_line, end_column, line, column] for line, column, end_line, end_column in one["places"]]


def sinusoidal_pos(seed, T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles * 1.375)], axis=-1).reshape(-1)
