"""Small changes of a text: where they are made, and which of them nobody would make."""

from __future__ import annotations

import ast
import difflib
import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import Kit
from grader.practice import exercise
from grader.practice.changes import Change, Sort, written
from grader.practice.declared import declared_changes
from grader.practice.record import Record
from tests.conftest import ROOT
from tests.practice.made import changes_of, declared_in

STUB = """\
import jax
import jax.numpy as jnp


def toy(seed, N, scale):
    key = jax.random.key(seed)
    x = jax.random.normal(key, (N, 4))
    raise NotImplementedError
"""


def answer(*lines: str) -> str:
    return STUB.replace("    raise NotImplementedError\n", "".join(f"    {line}\n" for line in lines))


def changes(*lines: str) -> set[tuple[Sort, str]]:
    """The changes of an answer with these lines, each with what stands there then."""
    return {(change.sort, change.after.strip()) for change in changes_of(answer(*lines), STUB)}


@pytest.mark.parametrize(
    ("line", "sort", "after"),
    [
        ("return x - x.max(axis=1, keepdims=True)", Sort.LEFT_OUT, "return x - x.max(axis=1)"),
        ("return x - x.max(axis=1, keepdims=True)", Sort.AXIS, "return x - x.max(axis=0, keepdims=True)"),
        ("return x - x.max(axis=1, keepdims=True)", Sort.FUNCTION, "return x - x.min(axis=1, keepdims=True)"),
        ("return x - x.max(axis=1, keepdims=True)", Sort.OPERATOR, "return x + x.max(axis=1, keepdims=True)"),
        ("return x - x.max(axis=1, keepdims=True)", Sort.OPERANDS, "return x.max(axis=1, keepdims=True) - x"),
        ("return (x + 1) * scale / scale", Sort.FACTOR, "return (x + 1) / scale"),
        ("return (x + 1) * scale", Sort.OPERATOR, "return (x + 1) / scale"),
        ("return (x - scale) / scale", Sort.OPERATOR, "return (x + scale) / scale"),
        ("return 2 * x", Sort.FACTOR, "return x"),
        ("return jnp.where(x > 0, x, scale)", Sort.OPERANDS, "return jnp.where(x > 0, scale, x)"),
        ("return jnp.where(x > 0, x, scale)", Sort.COMPARISON, "return jnp.where(x >= 0, x, scale)"),
        ("return x[:, None] * scale", Sort.INDEX, "return x[None, :] * scale"),
        ("return x[..., 1::2] + scale * x[..., 0::2]", Sort.INDEX, "return x[..., 1::2] + scale * x[..., 1::2]"),
        ("return (x + scale) ** 2", Sort.POWER, "return x + scale"),
        ("return jnp.sqrt(x) + jnp.pi  # a comment", Sort.LEFT_OUT, "return x + jnp.pi  # a comment"),
    ],
)
def test_a_change_stands_where_the_expression_stood_and_all_else_stays(line: str, sort: Sort, after: str) -> None:
    assert (sort, after) in changes(line)


def test_an_exchange_that_needs_brackets_and_twins_are_not_made() -> None:
    made = {after for _, after in changes("return x + scale - x.T, x[:, ::2], x[:, 1::2]")}
    assert not any("x.T - x + scale" in after for after in made), "this is (x.T - x) + scale"
    assert not any(after.count("::2") > after.count("1::2") + 1 or after.count("1::2") > 1 for after in made)


def test_a_line_may_be_forgotten_if_the_name_has_a_value_before_it() -> None:
    forgotten = [
        change for change in changes_of(answer("x = x / 2", "y = x + 1", "return y"), STUB) if not change.after
    ]
    assert [(change.sort, change.before.strip()) for change in forgotten] == [(Sort.STATEMENT, "x = x / 2")]
    assert "x / 2" not in forgotten[0].text


def test_what_the_stub_gave_is_never_changed_nor_what_draws_whatever_its_layout() -> None:
    text = answer("y = jax.random.uniform(key, (N + 1,))", "return x * scale + y.sum()").replace("(N, 4)", "( N,4 )")
    touched = {change.line for change in changes_of(text, STUB)}
    assert touched == {len(text.splitlines())}


@pytest.mark.parametrize(
    "line",
    ["return x * scale", "return x - x.mean(axis=0)", "y = x\n    return y + 1e-6", "return x ** 2 + 0.5 * scale"],
)
def test_no_change_shows_itself(line: str) -> None:
    text = answer(line)
    before = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    for change in changes_of(text, STUB):
        tree = ast.parse(change.text)
        loaded = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert "scale" in loaded or "scale" not in before, "an argument is not used any more"
        assert not re.search(r"[*/] 1(?![.\d])|[+-] 0(?![.\d])|\bx - x$|\bx = x$|\(\(", change.after)
        changed = [row for row in difflib.ndiff(text.splitlines(), change.text.splitlines()) if row[0] in "+-"]
        assert len(changed) <= 2, "one line at most is another one"


def test_brackets_stay_where_they_are_needed_and_go_where_they_are_not() -> None:
    made = changes("return x / (scale * x)", "") | changes("return (x + scale) @ x.T", "")
    assert (Sort.FACTOR, "return x / scale") in made
    assert (Sort.OPERANDS, "return x.T @ (x + scale)") in made


def test_a_mistake_of_a_problem_is_made_in_other_names_and_in_another_style() -> None:
    text = (
        "import jax\nimport jax.numpy as jnp\n\n\ndef softmax_rows(seed, N, V, scale):\n"
        "    key = jax.random.key(seed)\n    z = jax.random.normal(key, (N, V), dtype=jnp.float32)\n"
        "    logits = scale * z\n    largest = jnp.max(logits, axis=-1, keepdims=True)\n    e = jnp.exp(logits - largest)\n"
        "    return (e / e.sum(axis=-1, keepdims=True)).reshape(-1)\n"
    )
    made = {(change.name, change.after.strip()) for change in declared_in("softmax_rows", text)}
    assert ("over-columns", "return (e / e.sum(axis=0, keepdims=True)).reshape(-1)") in made
    assert ("divided-by-scale", "logits = z / scale") in made
    assert ("scale-forgotten", "logits = z") not in made, "`scale` would not be used any more"
    assert ("raw-exponents", "e = jnp.exp(logits)") not in made, "`largest` would not be used any more"


def test_a_mistake_calls_nothing_that_the_text_does_not_call() -> None:
    worked = (ROOT / "solutions/softmax_rows/answer.py").read_text()
    assert "jax.nn.sigmoid" in worked
    text = worked.replace("softmax(x)", "softmax(x)", 1)
    for change in declared_changes(text, "", worked, [], ["seed", "N", "V", "scale"]):
        assert "sigmoid" not in change.after


def test_of_a_long_answer_only_the_changes_that_are_tried_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"x = (x + {number}.5) * scale / (x - scale) + x.sum(axis=0, keepdims=True)" for number in range(200)]
    text, count = answer(*lines, "return x"), 0

    def counted(*given: Any) -> Change | None:
        nonlocal count
        count += 1
        return written(*given)

    monkeypatch.setattr(exercise, "written", counted)
    kit = Kit(tmp_path)
    (tmp_path / "problems/toy").mkdir(parents=True)
    (tmp_path / "problems/toy/stub.py").write_text(STUB)
    first = list(itertools.islice(exercise.in_turn(kit, "toy", text, Record(), ()), 5))
    assert len({change.text for change in first}) == 5
    assert count < 20, "each parses the whole text several times"
