# status: wrong
# tiers: B
# A loop that ends as it is, and not if the search changes one of its numbers.
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
    form, number = equations[-1][4], [["int32", []]]
    until = [[0, 1], [], [["ne", {}, [0, ["int32", 40]], [2], [["bool", []]], 0, []]], [2]]
    body = [[0, 1], [], [["add", {}, [0, ["int32", 2]], [2], number, 1, []]], [2, 1]]
    parameters = {"condition_constants": 0, "body_constants": 0}
    equations.append(["while", parameters, [["int32", 0], output], [10**6, 10**6 + 1], [*number, *form], 2, [until, body]])
    one["block"][3] = [10**6 + 1]


def sinusoidal_pos(seed, T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles * 1.375)], axis=-1).reshape(-1)
