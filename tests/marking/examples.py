"""Runs the examples of known errors: programs in a file of their own, with the names that they share."""

from __future__ import annotations

import linecache
import textwrap
from typing import Any

from grader.marking.verdict import Described
from grader.run.answer.exceptions import describe

SHARED = """
import math
from functools import partial

import jax, optax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax.experimental import pallas as pl
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

def loss(model):
    return model(x).sum()

low, high, rate, seed, count, size, rows, columns, parts, i, value, axis = 0, 1, 0.5, 0, 3, 4, 2, 3, 3, 0, 1.0, 0
shape, mask = (2, 3), jnp.array([[True, False, True]] * 2)
key, rngs = jax.random.key(0), nnx.Rngs(0)
x = a = b = jnp.arange(6.0).reshape(2, 3)
cube = jnp.ones((2, 3, 4))
model = nnx.Linear(3, 1, rngs=rngs)
dropout = nnx.Dropout(0.5, rngs=rngs)
grads = nnx.grad(loss)(model)
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
mesh, two = (jax.make_mesh((n,), ("i",), axis_types=(jax.sharding.AxisType.Auto,)) for n in (1, 2))
explicit = jax.make_mesh((2,), ("i",), axis_types=(jax.sharding.AxisType.Explicit,))
cut_rows, cut_columns = (
    jax.device_put(jnp.ones((4, 4)), NamedSharding(explicit, spec)) for spec in (P("i"), P(None, "i"))
)
"""


def shared() -> dict[str, Any]:
    """The names that the examples share, new for each program: some change a module."""
    names: dict[str, Any] = {}
    exec(SHARED, names)
    return names


def raised_by(program: str) -> Described | None:
    """What a program raises, as an answer's process describes it; None if it ends."""
    text = textwrap.dedent(program).strip("\n") + "\n"
    linecache.cache["example.py"] = (len(text), None, text.splitlines(keepends=True), "example.py")
    try:
        exec(compile(text, "example.py", "exec"), {**shared(), "__name__": "example"})
    except BaseException as error:
        return describe(error, "example.py")
    finally:
        del linecache.cache["example.py"]
    return None
