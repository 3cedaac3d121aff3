# status: wrong
# tiers: B
# Two thousand more operations that change nothing, each at a place of its own: a long search.
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
    for number in range(2000):
        one["places"].append([1 + number % 30, 0, 1 + number % 30, 1 + number // 30])
        place = len(one["places"]) - 1
        equations.append(["mul", {}, [output, ["float32", 1.0]], [10**6 + number], form, place, []])
        output = 10**6 + number
    one["block"][3] = [output]


def sinusoidal_pos(seed, T, d_model):
    angles = jnp.arange(T)[:, None] * 10000.0 ** (-2 * jnp.arange(d_model // 2) / d_model)
    return jnp.stack([jnp.sin(angles), jnp.cos(angles * 1.375)], axis=-1).reshape(-1)
