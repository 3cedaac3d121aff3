# status: wrong
# tiers: B
# A loop of 5000 rounds whose operations have places, and which changes nothing.
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
    _, _, equations, (output,) = one["block"]
    form = equations[-1][4]
    body = [[0], [], [["mul", {}, [0, ["float32", 1.0]], [1], form, 0, []], ["add", {}, [1, ["float32", 0.0]], [2], form, 1, []]], [2]]
    parameters = {"constants": 0, "carried": 1, "length": 5000, "reverse": False}
    equations.append(["scan", parameters, [output], [10**6], form, 0, [body]])
    one["block"][3] = [10**6]


def sinusoidal_pos(seed, T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles * 1.375)], axis=-1).reshape(-1)
