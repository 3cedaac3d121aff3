"""Near misses: one constant of the worked answer is wrong in the fifth digit, and some case should tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader.author.mutation_score import examine_near_misses, near_misses
from grader.oracle.server import load

ANSWER = """import jax.numpy as jnp


def late(seed, T):
    started = jnp.maximum(seed + jnp.arange(T) - 5, 0)
    return 1.5 + 0.3 * started
"""


def examined(folder: Path, cases: str = "[(0, 2), (1, 3)]", answer: str = ANSWER) -> list[dict[str, Any]]:
    file = folder / "late" / "answer.py"
    file.parent.mkdir()
    file.write_text(f"{answer}\n\nfrom grader import Problem\n\nproblem = Problem(cases={cases})\n")
    return examine_near_misses(load(file), str(file))["near_misses"]


def test_each_float_but_zero_is_changed_once() -> None:
    text = 'é, scale = "é", 2.0; half = 0.5 * 3 + 0.0\nbase = 1e4\n'
    assert {(near.line, near.value): near.text.splitlines() for near in near_misses(text)} == {
        (1, 2.0): ['é, scale = "é", 2.00002; half = 0.5 * 3 + 0.0', "base = 1e4"],
        (1, 0.5): ['é, scale = "é", 2.0; half = 0.500005 * 3 + 0.0', "base = 1e4"],
        (2, 1e4): ['é, scale = "é", 2.0; half = 0.5 * 3 + 0.0', "base = 10000.1"],
    }


def test_a_constant_that_only_another_seed_shows_is_found_with_that_seed(tmp_path: Path) -> None:
    assert examined(tmp_path) == [{"line": 6, "text": "0.300003` for `0.3", "probe": [5, 2]}]


def test_a_constant_that_some_case_shows_is_not_found(tmp_path: Path) -> None:
    assert examined(tmp_path, "[(0, 2), (5, 2)]") == []


def test_a_constant_that_is_explained_is_not_found(tmp_path: Path) -> None:
    assert examined(tmp_path, answer=ANSWER.replace("started\n", "started  # survives near-miss: rare\n")) == []


def test_the_lines_of_the_stub_and_the_declaration_have_no_near_misses(tmp_path: Path) -> None:
    file = tmp_path / "late" / "answer.py"
    assert examined(tmp_path)
    stub = "def late(seed, T):\n    return 1.5 + 0.3 * started\n"
    assert examine_near_misses(load(file), str(file), stub)["near_misses"] == []
