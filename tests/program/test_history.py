"""A program says more than its values only where every number in it is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.program.analysis import history_is_known, in_float64
from grader.run.answer.tracing import encoded, trace

TABLE = np.sin(np.arange(3, dtype=np.float32))
OUTSIDE = jnp.exp(jnp.arange(3.0))


def whether_known(function: Callable[[], Any]) -> bool:
    programs = encoded([trace(function, ())], "answer.py")
    assert programs is not None
    return history_is_known(programs[0])


def at_compile_time() -> Any:
    with jax.ensure_compile_time_eval():
        table = jnp.sin(jnp.arange(3.0))
    return table * jnp.arange(3)


KNOWN: dict[str, Callable[[], Any]] = {
    "literals of the text": lambda: (jnp.arange(3) + 1e-6) * 10000.0 ** (-2 * jnp.arange(3) / 7) - 0.12345,
    "a list of decimals": lambda: jnp.arange(3) * jnp.array([0.1, 1e-5, 0.9995]),
    "whole numbers": lambda: jnp.arange(3) * np.tril(np.ones((3, 3), np.float32)),
    "minus infinity in a mask": lambda: jnp.arange(3) + np.where(np.eye(3) > 0, 0, -np.inf).astype(np.float32),
    "powers of two": lambda: jnp.arange(3) * (0.5 ** np.arange(1, 4)).astype(np.float32),
    "a root": lambda: jnp.arange(3) / 12**0.5 * math.sqrt(2 / 3),
    "a logarithm": lambda: jnp.exp(-jnp.arange(3) * math.log(10000.0) / 12),
    "a power": lambda: jnp.sin(jnp.arange(3) * 10000.0 ** (-6 / 14)),
    "a part of a turn": lambda: jnp.sin(jnp.arange(3) * (2 * math.pi / 7)),
    "a near miss of a base": lambda: jnp.exp(-jnp.arange(3) * math.log(10000.1) / 12),
    "draws of JAX": lambda: jax.random.normal(jax.random.key(0), (3,)),
    "numbers of JAX": lambda: jax.nn.gelu(jax.nn.selu(jnp.arange(3.0))),
    "an initialiser of JAX": lambda: jax.nn.initializers.lecun_normal()(jax.random.key(0), (3, 2)),
    "a table that nothing reads": lambda: (jnp.asarray(TABLE) + jnp.arange(3), jnp.arange(3))[1] * 0.5,
}

UNKNOWN: dict[str, Callable[[], Any]] = {
    "a table by NumPy": lambda: jnp.asarray(TABLE) * jnp.arange(3),
    "a table in float64": lambda: jnp.asarray(TABLE.astype(np.float64)) * jnp.arange(3),
    "a table of JAX's, made before": lambda: OUTSIDE * jnp.arange(3),
    "a table made as the program is traced": at_compile_time,
    "one number of a table": lambda: jnp.arange(3) * float(TABLE[2]),
    "one number of JAX's": lambda: jnp.arange(3) * OUTSIDE[1],
    "a list of computed numbers": lambda: jnp.array([math.sin(p) for p in range(3)]) * jnp.arange(3),
    "a table inside a loop": lambda: jax.lax.scan(lambda c, x: (c + x * TABLE, c), jnp.zeros(3), jnp.arange(2.0))[0],
    "a number inside a loop": lambda: jax.lax.fori_loop(0, 3, lambda i, c: c * float(TABLE[2]), 1.0),
}


@pytest.mark.parametrize("title", KNOWN)
def test_what_the_text_and_whole_numbers_make_is_known(title: str) -> None:
    assert whether_known(KNOWN[title])


@pytest.mark.parametrize("title", UNKNOWN)
def test_what_was_made_outside_of_the_trace_is_not_known(title: str) -> None:
    assert not whether_known(UNKNOWN[title])


@pytest.mark.slow
def test_few_random_numbers_look_like_a_formula() -> None:
    numbers = np.random.default_rng(0).uniform(0.1, 4.0, 1000).astype(np.float32)
    taken = [one for one in numbers if whether_known(lambda one=one: jnp.arange(3) * one)]
    assert len(taken) <= 60


IN_FLOAT64 = """
import math
from functools import partial

import jax
import jax.numpy as jnp

LOG = math.log(10000.0)


@partial(jax.jit, static_argnums=0)
def toy(n, base=10000.0):
    return jnp.arange(n) * math.sqrt(n) * base**0.3
"""


@pytest.mark.parametrize(
    ("changed", "to", "whether"),
    [
        ("", "", True),
        ("import math\n", "import math\nimport numpy as np\n", False),
        ("import math\n", "from scipy.special import erf\nimport math\n", False),
        ("LOG = math.log(10000.0)", "LOG = jnp.log(10000.0)", False),
        ("base=10000.0", "base=jnp.float32(10000.0)", False),
        ("    return", "    with jax.ensure_compile_time_eval():\n        pass\n    return", False),
        ("LOG = ", "class Table:\n    rows = jnp.arange(3.0)\n\nLOG = ", False),
        ("import math\n", "import math\n)", False),
    ],
)
def test_a_text_tells_whether_its_numbers_have_64_bits(changed: str, to: str, whether: bool) -> None:
    assert in_float64(IN_FLOAT64.replace(changed, to, 1)) is whether
