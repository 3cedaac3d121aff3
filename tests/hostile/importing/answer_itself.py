# status: wrong
# pitfalls: not-an-array
# Imports itself again and again under the name that the grader gave it.
import importlib
import sys

sys.modules["answer"] = sys.modules["jax"]
import answer

assert answer is importlib.import_module("jax")


def sinusoidal_pos(seed, T, d_model):
    return None
