"""An operation and its constants are told as the learner wrote them; of what the learner did not write, nothing is told."""

from __future__ import annotations

import ast

import pytest

from grader.marking.answer_text import spelling_of
from grader.values.places import Edit


def node(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("operation", "text", "spelled"),
    [
        ("dot_general", "q @ k.T", "@"),
        ("transpose", "k.T", ".T"),
        ("sin", "jnp.sin(x)", "jnp.sin"),
        ("reduce_sum", "x.sum(axis=0)", ".sum"),
        ("logistic", "jax.nn.sigmoid(x)", "jax.nn.sigmoid"),
        ("select_n", "jnp.where(mask, a, b)", "jnp.where"),
        ("device_psum", 'jax.lax.psum(x, "i")', "jax.lax.psum"),
        ("device_psum", 'jax.lax.pmean(x, "i")', ""),
        ("lt", "a < b", "<"),
        ("lt", "0 < a < b", ""),
        ("mul", "a + b", ""),
        ("div", "x.mean()", ""),
        ("select_n", "k % 2", ""),
        ("iota", "jnp.eye(n)", ""),
    ],
)
def test_an_operation_is_written_as_in_the_answer_or_not_at_all(operation: str, text: str, spelled: str) -> None:
    assert spelling_of(operation, node(text), Edit.OPERATION) == spelled


@pytest.mark.parametrize(
    ("constant", "operation", "text", "spelled"),
    [
        (2.0, "mul", "2 * x", "2"),
        (-1.5, "add", "x + -1.5", "-1.5"),
        (10000.0, "pow", "10000.0 ** x", "10000.0"),
        (3.0, "cos", "jnp.cos(delta)", ""),
        (4.0, "div", "x.mean(axis=-1)", ""),
        (2.0, "mul", "half * x", ""),
    ],
)
def test_a_constant_is_written_as_in_the_answer_or_not_at_all(
    constant: float, operation: str, text: str, spelled: str
) -> None:
    assert spelling_of(operation, node(text), Edit.CONSTANT, constant) == spelled


def test_of_an_expression_that_is_not_known_nothing_is_told() -> None:
    assert spelling_of("sin", None, Edit.OPERATION) == ""
