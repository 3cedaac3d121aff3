"""The same computation is found in another form, and nothing else is taken for it."""

from __future__ import annotations

import ast

import pytest

from grader.classroom.equal_answers import same_form

WORKED = """
import jax.numpy as jnp

BASE = 10000.0

def rates(positions, d):
    pairs = jnp.arange(d // 2)
    exponents = 2 * pairs / d
    frequencies = 1 / BASE**exponents
    angles = positions[:, None] * frequencies
    return jnp.sin(angles).reshape(-1)
"""


def found(line: str, before: str = "", base: str = "") -> str | None:
    answer = ast.parse(f"import math\nimport jax.numpy as np\n{base}\ndef rates(p, n):\n{before}    {line}\n")
    (function,) = (one for one in answer.body if isinstance(one, ast.FunctionDef))
    other = same_form(function.body[-1], answer, ast.parse(WORKED), "rates")
    return None if other is None else ast.unparse(other).partition(" =")[0]


@pytest.mark.parametrize(
    ("line", "before", "of"),
    [
        ("f = 10000.0 ** -e", "", "frequencies"),
        ("f = np.exp(-e * math.log(10000.0))", "", "frequencies"),
        ("f = np.power(10000.0, -2 * k / n)", "    k = np.arange(n // 2)\n", "frequencies"),
        ("f = np.exp(-(math.log(10000.0) / n) * 2 * np.arange(n // 2))", "", "frequencies"),
        ("e = k * (2 / n)", "", "exponents"),
        ("a = f * p[:, None]", "", "angles"),
        ("return np.reshape(np.sin(t), -1)", "", "return jnp.sin(angles).reshape(-1)"),
    ],
)
def test_the_same_is_found_in_another_form(line: str, before: str, of: str) -> None:
    assert found(line, before) == of


@pytest.mark.parametrize(
    ("line", "before"),
    [
        ("f = 1000.0 ** -e", ""),
        ("f = 10000.0 ** e", ""),
        ("e = k / n", ""),
        ("e = 2 * k / p", ""),
        ("a = f / p[:, None]", ""),
        ("a = f * p[None, :]", ""),
        ("a = f / g", ""),
        ("return np.cos(t).reshape(-1)", ""),
        ("return np.reshape(np.sin(t), (-1, 1))", ""),
        ("f = 10000.0 ** (-2 * k / n)", "    n = n + 1\n"),
        ("f = [x for x in p]", ""),
        ("f += 1", ""),
        ("f = 9.0 ** 9 ** 9 ** 9", ""),
        ("f = 1 / 0", ""),
    ],
)
def test_nothing_else_is_taken_for_it(line: str, before: str) -> None:
    assert found(line, before) is None


def test_a_constant_of_the_file_is_written_out() -> None:
    assert found("f = BASE ** -e", base="BASE = 10_000") == "frequencies"
    assert found("f = THETA ** -e", base="THETA = 500_000.0") is None


def test_without_the_function_nothing_is_known() -> None:
    tree = ast.parse("x = 1")
    assert same_form(tree.body[0], tree, ast.parse(WORKED), "rates") is None
