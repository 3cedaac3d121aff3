# status: wrong
# tiers: B
# A broadcast of a billion elements.
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
    [["broadcast_in_dim", {"shape": [1 << 30], "broadcast_dimensions": []}, [["float32", 1.0]], [0], [["float32", [1 << 30]]], -1, []]]
)


def sinusoidal_pos(seed, T, d_model):
    return jnp.cos(jnp.arange(T * d_model) * 0.1)
