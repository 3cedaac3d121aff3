"""What stands on other lines: a number of Python is named with its line, and a function with its calls."""

from __future__ import annotations

from typing import Any

import pytest

from grader.marking.verdict import Computed, Helper
from grader.values.message import Line
from tests.marking.test_place_description import located, told

TABLES = """import math
import jax.numpy as jnp
import numpy as np

class Layer:
    def __init__(self, rank):
        self.scale = 8 / rank

    def __call__(self, x):
        return self.scale * x

def helper(x, y):
    return x - y

def toy(seed, n):
    low = math.floor(n / 3)
    high = low + n
    table = np.exp(np.arange(n))
    x = jnp.arange(n) * table
    y = jnp.sin(x)
    z = helper(x, y) + helper(y, x)
    w = x / n - low
    w = x ** (2 / low)
    return (x - low) / (high - low) + y * 2.0 + w
"""


@pytest.mark.parametrize(
    ("expression", "fields", "computed"),
    [
        ("x - low", {"numbers": (6.0,)}, [Computed("low", Line(16), 6.0)]),
        (
            "(x - low) / (high - low)",
            {"numbers": (6.0, 3.0)},
            [Computed("low", Line(16), None), Computed("high", Line(17), None)],
        ),
        ("self.scale * x", {"numbers": (4.0,)}, [Computed("self.scale", Line(7), 4.0)]),
        ("jnp.arange(n) * table", {"table": True}, [Computed("table", Line(18), None)]),
        ("y * 2.0", {"numbers": (2.0,)}, []),
        ("x - y", {"numbers": (1.0,)}, []),
        ("x / n - low", {"numbers": (7.0,)}, []),
        ("x ** (2 / low)", {"numbers": (0.5,)}, [Computed("low", Line(16), None)]),
        ("x / n - low", {"numbers": (7.0, 6.0)}, [Computed("low", Line(16), None)]),
    ],
    ids=str,
)
def test_a_number_that_python_computed_is_named_and_then_the_line_cannot_be_fixed(
    expression: str, fields: dict[str, Any], computed: list[Computed]
) -> None:
    one = told(located(expression, TABLES, traced=(10, 13, 19, 20, 21, 22, 23, 24), **fields), TABLES)
    assert one.computed == tuple(computed)
    assert one.fixable == (not computed)


@pytest.mark.parametrize(
    ("expression", "runs_in_order"),
    [("jnp.sin(x)", True), ("self.scale * x", False), ("x - y", False), ("2 * t", False), ("w * 3", False)],
)
def test_lines_of_a_function_that_is_called_do_not_run_in_their_order(expression: str, runs_in_order: bool) -> None:
    text = TABLES.replace(
        "    x = jnp", "    double = lambda t: 2 * t\n    def thrice(w):\n        return w * 3\n    x = jnp"
    )
    text = text.replace("y * 2.0", "jax.vmap(thrice)(double(y))")
    assert told(located(expression, text), text).proof.onward == runs_in_order


def test_a_function_that_is_called_twice_is_named_with_its_calls() -> None:
    one = told(located("x - y", TABLES), TABLES)
    assert one.helper == Helper("helper", (Line(21),))
    assert told(located("jnp.sin(x)", TABLES), TABLES).helper is None


@pytest.mark.parametrize(
    ("expression", "fixable"),
    [
        ("layer(x)", False),
        ("model.layer(x).sum()", False),
        ("layers[0](x)", False),
        ("lax.map(lambda row: 2 * row, x)", True),
        ("2 * row", False),
        ("x.reshape(-1)", True),
        ("x.at[0].set(1)", True),
        ("double(x)", True),
        ("jnp.sin(x)", True),
    ],
)
def test_what_depends_on_an_object_or_on_the_values_given_to_a_lambda_may_need_a_change_elsewhere(
    expression: str, fixable: bool
) -> None:
    row = "lax.map(lambda row: 2 * row, x)"
    lines = ["def toy(n, x, model, layer, layers):", "    def double(x):", "        return 2 * x"]
    text = "\n".join([*lines, f"    return {row if expression == '2 * row' else expression}", ""])
    assert told(located(expression, text), text).fixable == fixable
