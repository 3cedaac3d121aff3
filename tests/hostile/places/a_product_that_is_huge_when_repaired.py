# status: wrong
# tiers: B
# Two large values, of which the search makes one of a billion elements where it adds them.
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
    form, wide = equations[-1][4], [["float32", [1 << 15]]]
    make = {"shape": [1 << 15], "broadcast_dimensions": []}
    equations.append(["broadcast_in_dim", make, [["float32", 1.0]], [10**6], wide, 0, []])
    column = {"shape": [1 << 15, 1], "broadcast_dimensions": [0]}
    equations.append(["broadcast_in_dim", column, [10**6], [10**6 + 1], [["float32", [1 << 15, 1]]], 1, []])
    sum_of_all = {"axes": [0, 1]}
    equations.append(["reduce_sum", sum_of_all, [10**6 + 1], [10**6 + 2], [["float32", []]], 2, []])
    equations.append(["mul", {}, [10**6 + 2, ["float32", 0.0]], [10**6 + 3], [["float32", []]], 3, []])
    equations.append(["add", {}, [output, 10**6 + 3], [10**6 + 4], form, 4, []])
    one["block"][3] = [10**6 + 4]


def sinusoidal_pos(seed, T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles * 1.375)], axis=-1).reshape(-1)
