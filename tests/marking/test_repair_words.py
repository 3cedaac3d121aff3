"""What a repair changes is told as the learner wrote it; of what the learner did not write, no name is told."""

from __future__ import annotations

import ast

import pytest

from grader.marking.repair_words import what_changes, written


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
        ("lt", "a < b", "<"),
        ("lt", "0 < a < b", ""),
        ("mul", "a + b", ""),
        ("div", "x.mean()", ""),
        ("select_n", "k % 2", ""),
        ("iota", "jnp.eye(n)", ""),
    ],
)
def test_an_operation_is_written_as_in_the_answer_or_not_at_all(operation: str, text: str, spelled: str) -> None:
    assert written(operation, node(text)) == spelled


@pytest.mark.parametrize(
    ("changed", "operation", "text", "said"),
    [
        ("another constant than `2`", "mul", "2 * x", "Another constant than `2` here"),
        ("another constant than `-1.5`", "add", "x + -1.5", "Another constant than `-1.5` here"),
        ("another constant than `10000`", "pow", "10000.0 ** x", "Another constant than `10000.0` here"),
        ("another constant than `3`", "cos", "jnp.cos(delta)", ""),
        ("another constant than `4`", "div", "x.mean(axis=-1)", ""),
        ("another operation than `sin`", "sin", "jnp.sin(x)", "Another operation than `jnp.sin` here"),
        ("the same without `transpose`", "transpose", "x.swapaxes(0, 1)", "The same without `.swapaxes`"),
        ("the operands of `sub` in another order", "sub", "a - b", "Another order of the operands of `-`"),
        ("the two choices exchanged", "select_n", "k % 2", ""),
        (
            "the two choices exchanged",
            "select_n",
            "jnp.where(m, a, b)",
            "An exchange of the two choices of `jnp.where`",
        ),
        ("counting from another number", "iota", "jnp.arange(n)", "Another number to begin `jnp.arange` with"),
        ("counting from another number", "iota", "jnp.triu(x)", ""),
        ("another axis of `reduce_sum`", "reduce_sum", "jnp.sum(x, 0)", "Another axis of `jnp.sum`"),
        ("another axis of `reduce_max`", "reduce_max", "jax.nn.softmax(x)", ""),
    ],
)
def test_what_changes_is_told_truly(changed: str, operation: str, text: str, said: str) -> None:
    assert what_changes(changed, operation, node(text)) == said


def test_of_an_expression_that_is_not_known_nothing_is_told() -> None:
    assert what_changes("another operation than `sin`", "sin", None) == ""
