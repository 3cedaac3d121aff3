"""An answer whose constant differs in the fifth digit is wrong, however small the difference is in float32."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from grader.marking.conclude import conclude
from grader.marking.verdict import Status
from tests.answers import Written
from tests.test_answers import attempted, inquiry
from tests.test_problems import KIT, NAMES, computed, others_are_slow

OFF = 1e-5
"""The relative change of a constant."""

TOO_LITTLE_TO_SEE = {
    ("match_brackets", 0.5): "a border between whole numbers",
    ("rms_norm", 1.0): "a factor of the inputs, which the norm takes away",
    ("layer_norm", 1.0): "a factor of the inputs, which the norm takes away",
    ("mini_gpt", 10000.0): "no case has a position at which its angles differ by more than rounded constants explain",
    (
        "positional_dropout",
        10000.0,
    ): "no case has a position at which its angles differ by more than rounded constants explain",
}
"""Constants of worked answers that change next to nothing if they change in the fifth digit."""


def near_misses(problem: str) -> list[Written]:
    """The worked answer with one of its float constants changed, for each of them."""
    text = KIT.answer(problem).read_text(encoding="utf-8")
    found: list[Written] = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Constant) or type(node.value) is not float:
            continue
        if node.value and (problem, node.value) not in TOO_LITTLE_TO_SEE:
            line = text.splitlines()[node.lineno - 1]
            changed = f"{line[: node.col_offset]}{node.value * (1 + OFF)!r}{line[node.end_col_offset :]}"
            lines = text.splitlines()
            lines[node.lineno - 1] = changed
            found.append(Written(f"line {node.lineno}, column {node.col_offset}: {node.value}", "\n".join(lines)))
    return found


def listed() -> list[Any]:
    return [
        pytest.param(problem, one, id=f"{problem}: {one.title}", marks=others_are_slow(problem))
        for problem in NAMES
        for one in near_misses(problem)
    ]


@pytest.mark.parametrize(("problem", "near"), listed())
def test_a_constant_that_is_wrong_in_the_fifth_digit_is_wrong(problem: str, near: Written) -> None:
    oracle = computed(problem)
    verdict = conclude(attempted(problem, near), oracle.facts, oracle, inquiry=inquiry(problem, near))
    assert verdict.status is Status.WRONG
