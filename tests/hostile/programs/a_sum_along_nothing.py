# status: wrong
# tiers: B
# A sum along an axis without elements, which has a billion elements.
import json

import jax.numpy as jnp
import numpy as np

import grader.run.answer.tracing as process
from grader.values import frames

def programs(equations, constants=(), arrays=(), output=0):
    block = [[], list(constants), equations, [output]]
    text = json.dumps([{"block": block, "places": []}] * COUNT).encode()
    return np.frombuffer(frames.encode({}, [np.frombuffer(text, np.uint8), *arrays]), np.uint8)


COUNT = 8
process.packed = lambda traces, filename: programs(
    [["reduce_sum", {"axes": [0]}, [1], [0], [["float32", [6]]], -1, []]], [[1, 0]], [np.zeros((0, 1 << 28), np.float32)]
)


def sinusoidal_pos(seed, T, d_model):
    return jnp.cos(jnp.arange(T * d_model) * 0.1)
