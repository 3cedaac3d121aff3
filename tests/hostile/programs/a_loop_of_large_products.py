# status: wrong
# tiers: B
# A loop of products of large matrices.
import json

import jax.numpy as jnp
import numpy as np

import grader.run.answer.tracing as process
from grader.values import frames

def programs(equations, constants=(), arrays=()):
    block = [[], list(constants), equations, [0]]
    text = json.dumps([{"block": block, "places": []}] * COUNT).encode()
    return np.frombuffer(frames.encode({}, [np.frombuffer(text, np.uint8), *arrays]), np.uint8)


COUNT = 8
process.packed = lambda traces, filename: programs(
    [
        ["while", {"condition_constants": 0, "body_constants": 0}, [1], [0], [["float32", [1000, 1000]]], -1,
         [[[0], [], [], [["bool", True]]],
          [[0], [], [["dot_general", {"dimension_numbers": [[[1], [0]], [[], []]], "preferred_element_type": None},
                      [0, 0], [1], [["float32", [1000, 1000]]], -1, []]], [1]]]]
    ],
    [[1, 0]],
    [np.ones((1000, 1000), np.float32)],
)


def sinusoidal_pos(seed, T, d_model):
    return jnp.cos(jnp.arange(T * d_model) * 0.1)
