"""Exceptions of an answer as data: the learner's own lines, the expression that failed, and what Python suggests."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from grader.marking.verdict import Cause, Described
from grader.run.answer.exceptions import FRAMES, LONGEST_MESSAGE_READ, describe, said_by
from grader.run.answer.process import load

FILE = "answer.py"


def described(body: str, *, before: str = "import jax.numpy as jnp") -> Described:
    """What is sent of the exception that an answer with this body raises."""
    text = f"{before}\n\ndef toy(n):\n{textwrap.indent(textwrap.dedent(body), '    ')}\n"
    try:
        load(text, FILE, "toy", ["n"])(3)
    except BaseException as error:
        return describe(error, FILE)
    raise AssertionError("it raises nothing")


def underlined(body: str) -> str:
    frame = described(body).frames[-1]
    return frame.text[frame.start : frame.end]


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        ("return (n + jnp.ones(n, n)).sum()", "jnp.ones(n, n)"),
        ("x = n\nreturn x.nothing + 1", "x.nothing"),
        ("return [é for é in (1, 2)][n]", "[é for é in (1, 2)][n]"),
        ("raise ValueError", ""),
        ("return jnp.ones(\n    (n, n)).reshape(\n    7)", ""),
        ("return (n + ", "("),
    ],
)
def test_the_expression_that_failed_is_marked_if_it_is_a_part_of_one_line(body: str, expression: str) -> None:
    assert underlined(body) == expression


@pytest.mark.parametrize(
    ("body", "suggestion"),
    [
        ("return jnp.arrange(n)", "module 'jax.numpy' has no attribute 'arrange'. Did you mean: 'arange'?"),
        ("value = n\nreturn valve", "name 'valve' is not defined. Did you mean: 'value'?"),
        ("return 'a'.uper()", "'str' object has no attribute 'uper'. Did you mean: 'upper'?"),
        ("return jnp.zzqq", "module 'jax.numpy' has no attribute 'zzqq'"),
    ],
)
def test_a_near_name_is_suggested(body: str, suggestion: str) -> None:
    assert described(body).message == suggestion


def test_a_name_that_self_has_is_suggested() -> None:
    body = """
        class Scale:
            weight = 2
            def scaled(self):
                return weight * n
        return Scale().scaled()
        """
    assert described(body).message == "name 'weight' is not defined. Did you mean: 'self.weight'?"


def test_of_a_wrong_indentation_the_line_above_is_shown_too_with_the_indentation_of_both() -> None:
    frames = described("x = n\n  y = x\nreturn y").frames
    assert [(frame.line, frame.text) for frame in frames] == [(4, "x = n"), (5, "  y = x")]
    frames = described("x = n\n\n  y = x\nreturn y").frames
    assert [(frame.line, frame.text) for frame in frames] == [(4, "x = n"), (6, "  y = x")]


@pytest.mark.parametrize("body", ["def toy(n)\n    return n\n", "def toy(n):\nreturn n\n"])
def test_of_wrong_syntax_the_line_is_that_of_the_answer_also_where_its_file_holds_more(
    body: str, tmp_path: Path
) -> None:
    notebook = tmp_path / "work.ipynb"
    notebook.write_text('{\n "cells": [\n  {\n   "source": [')
    text = f"import jax\n{body}"
    try:
        load(text, str(notebook), "toy", ["n"])
    except SyntaxError as error:
        frames = describe(error, str(notebook)).frames
    assert frames[-1].text == text.splitlines()[frames[-1].line - 1]
    assert frames[-1].start <= len(frames[-1].text)


@pytest.mark.parametrize("work", ["n", "list(map(str, range(3)))", "jnp.arange(3)"])
def test_of_a_recursion_the_call_without_an_end_is_shown_alone(work: str) -> None:
    (frame,) = described(f"def f(n):\n    x = {work}\n    return f(n) + x\nreturn f(n)").frames
    assert (frame.line, frame.text) == (6, "return f(n) + x")
    assert frame.text[frame.start : frame.end] == "f(n)"


def test_of_functions_that_call_each_other_without_an_end_one_line_is_shown() -> None:
    (frame,) = described("def f(n):\n    return g(n)\ndef g(n):\n    return f(n)\nreturn f(n)").frames
    assert frame.text in ("return g(n)", "return f(n)")


@pytest.mark.parametrize(
    ("body", "operation"),
    [
        (
            """
            def loss(w):
                w = jax.lax.while_loop(lambda s: s.sum() < 10, lambda s: s * 1.5, w)
                return w.sum()
            return jax.jit(jax.grad(loss))(jnp.ones(n))
            """,
            "w = jax.lax.while_loop(lambda s: s.sum() < 10, lambda s: s * 1.5, w)",
        ),
        (
            """
            def kernel(x, y):
                y[...] = x[...]
            def copied(x):
                y = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((n,), "float32"), interpret=True)(x)
                return y.sum()
            return jax.jit(jax.grad(copied))(jnp.ones(n))
            """,
            'y = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((n,), "float32"), interpret=True)(x)',
        ),
    ],
)
def test_where_jax_cannot_differentiate_the_line_of_the_operation_is_the_last(body: str, operation: str) -> None:
    before = "import jax\nimport jax.numpy as jnp\nfrom jax.experimental import pallas as pl"
    first, *_, last = described(body, before=before).frames
    assert "jax.grad" in first.text
    assert last.text == operation


def test_of_an_error_in_a_backward_rule_the_line_of_the_rule_is_the_last() -> None:
    body = """
        @jax.custom_vjp
        def f(x):
            return x.sum()
        f.defvjp(lambda x: (x.sum(), x), lambda x, g: (
            jnp.concatenate(g),))
        return jax.grad(lambda x: f(x))(jnp.ones(n))
        """
    assert described(body, before="import jax\nimport jax.numpy as jnp").frames[-1].text == "jnp.concatenate(g),))"


def test_of_a_long_traceback_the_last_lines_are_sent() -> None:
    calls = "\n".join(f"def f{i}(n):\n    return f{i + 1}(n) + {i}" for i in range(9))
    frames = described(f"{calls}\ndef f9(n):\n    raise ValueError\nreturn f0(n)").frames
    assert [frame.function for frame in frames] == [f"f{i}" for i in range(10 - FRAMES, 10)]


def test_an_exception_that_cannot_be_described_is_described_all_the_same() -> None:
    class Hostile(Exception):
        def __str__(self) -> str:
            raise SystemExit

    told = describe(Hostile(), FILE)
    assert (told.message, told.cause, told.details) == ("", Cause.NO_MESSAGE, {"error": "SystemExit"})


def test_of_a_message_without_an_end_as_much_is_read_as_is_needed() -> None:
    assert len(said_by(ValueError("é" * 50 * LONGEST_MESSAGE_READ))[0]) == LONGEST_MESSAGE_READ
