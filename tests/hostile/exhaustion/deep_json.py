# status: error
# says: RecursionError
# Recursion in C: a deeply nested text.
import json


def sinusoidal_pos(seed, T, d_model):
    return json.loads("[" * 1000000)
