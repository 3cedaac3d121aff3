# status: wrong
# tiers: B
# A loop in which half of four million rows go on for ever.
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
MANY = [1 << 22]
process.packed = lambda traces, filename: programs(
    [
        ["iota", {"dtype": "int32", "shape": MANY, "dimension": 0}, [], [1], [["int32", MANY]], -1, []],
        ["lt", {}, [1, ["int32", 7]], [2], [["bool", MANY]], -1, []],
        ["while", {"condition_constants": 0, "body_constants": 0}, [2, 1], [3, 0], [["bool", MANY], ["int32", MANY]], -1,
         [[[0, 1], [], [], [0]], [[0, 1], [], [], [0, 1]]]],
    ]
)


def sinusoidal_pos(seed, T, d_model):
    return jnp.cos(jnp.arange(T * d_model) * 0.1)
