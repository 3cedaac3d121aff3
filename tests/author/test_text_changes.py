"""Changes of the text that some case should tell: a constant wrong in the fifth digit, an argument one more or less."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from grader.author.text_changes import argument_changes, examine_text_changes, near_misses
from grader.oracle.server import load
from tests.repositories import git

ANSWER = """import jax.numpy as jnp


def late(seed, T):
    started = jnp.maximum(seed + jnp.arange(T) - 5, 0)
    return 1.5 + 0.3 * started
"""


def examined(folder: Path, cases: str = "[(0, 2), (1, 3)]", answer: str = ANSWER) -> list[dict[str, Any]]:
    file = folder / "late" / "answer.py"
    file.parent.mkdir()
    file.write_text(f"{answer}\n\nfrom grader import Problem\n\nproblem = Problem(cases={cases})\n")
    return examine_text_changes(load(file), str(file))["untold"]


def test_each_float_but_zero_is_changed_once() -> None:
    text = 'é, scale = "é", 2.0; half = 0.5 * 3 + 0.0\nbase = 1e4\n'
    assert {(near.line, near.old): near.text.splitlines() for near in near_misses(text)} == {
        (1, "2.0"): ['é, scale = "é", 2.00002; half = 0.5 * 3 + 0.0', "base = 1e4"],
        (1, "0.5"): ['é, scale = "é", 2.0; half = 0.500005 * 3 + 0.0', "base = 1e4"],
        (2, "10000.0"): ['é, scale = "é", 2.0; half = 0.5 * 3 + 0.0', "base = 10000.1"],
    }


def test_a_constant_that_only_another_seed_shows_is_found_with_that_seed(tmp_path: Path) -> None:
    assert examined(tmp_path) == [{"name": "near-miss", "line": 6, "text": "0.300003` for `0.3", "probe": [5, 2]}]


def test_a_constant_that_an_earlier_case_shows_is_found_with_that_case(tmp_path: Path) -> None:
    file = tmp_path / "late" / "answer.py"
    file.parent.mkdir()
    git(tmp_path, "init", "-q")
    for cases in ("[(0, 2), (9, 3)]", "[(0, 2), (1, 3)]"):
        file.write_text(f"{ANSWER}\n\nfrom grader import Problem\n\nproblem = Problem(cases={cases})\n")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", "cases")
    (found,) = examine_text_changes(load(file), str(file))["untold"]
    assert (found["text"], found["probe"]) == ("0.300003` for `0.3", [9, 3])


def test_a_constant_that_some_case_shows_is_not_found(tmp_path: Path) -> None:
    assert examined(tmp_path, "[(0, 2), (5, 2)]") == []


def test_a_constant_that_is_explained_is_not_found(tmp_path: Path) -> None:
    assert examined(tmp_path, answer=ANSWER.replace("started\n", "started  # survives near-miss: rare\n")) == []


def test_the_lines_of_the_stub_and_the_declaration_have_no_near_misses(tmp_path: Path) -> None:
    file = tmp_path / "late" / "answer.py"
    assert examined(tmp_path)
    stub = "def late(seed, T):\n    return 1.5 + 0.3 * started\n"
    assert examine_text_changes(load(file), str(file), stub)["untold"] == []


NEAREST = """import jax.numpy as jnp


def late(seed, T, start):
    values = jnp.cos(1.0 * jnp.arange(start, T))
    return values.min()[None]


from grader import Problem, Whole

problem = Problem(
    arguments={"T": Whole(), "start": Whole(0)},
    legal=[lambda T, start: start < T],
    cases=CASES,
)
"""


def changes_of_arguments(folder: Path, cases: str, text: str = NEAREST) -> dict[str, Any]:
    file = folder / "late" / "answer.py"
    file.parent.mkdir()
    file.write_text(text.replace("CASES", cases))
    return examine_text_changes(load(file), str(file))


def test_each_use_of_an_argument_is_changed_in_two_ways() -> None:
    text = "def f(T, d):\n    return T * [d], T\n"
    assert sorted(change.text.splitlines()[1].strip() for change in argument_changes(text, {"T"})) == [
        *("return (T + 1) * [d], T", "return (T - 1) * [d], T", "return T * [d], (T + 1)", "return T * [d], (T - 1)"),
    ]


def test_a_last_row_that_never_counts_is_found_though_some_case_raises_without_it(tmp_path: Path) -> None:
    """The cosine falls up to 3, so in a case of 6 numbers the last one is not the smallest; one number alone is."""
    document = changes_of_arguments(tmp_path, "[(0, 6, 0), (0, 7, 1), (0, 6, 5)]")
    (found,) = [
        change for change in document["untold"] if change["name"] == "argument-minus-one" and "T" in change["text"]
    ]
    _, T, start = found["probe"]
    assert T - start > 1
    assert min(range(start, T), key=math.cos) == T - 1


def test_a_last_row_that_counts_in_some_case_is_not_found(tmp_path: Path) -> None:
    document = changes_of_arguments(tmp_path, "[(0, 4, 0), (0, 3, 0), (0, 7, 4), (0, 7, 3), (0, 1, 0)]")
    assert document == {"untold": [], "stale": []}


def test_a_change_of_an_argument_is_explained_by_name_and_a_stale_explanation_is_found(tmp_path: Path) -> None:
    explained = NEAREST.replace("start, T))", "start, T))  # survives argument-plus-one: why").replace(
        "[None]", "[None]  # survives near-miss: why"
    )
    document = changes_of_arguments(tmp_path, "[(0, 6, 0), (0, 7, 1), (0, 6, 5)]", explained)
    assert {change["name"] for change in document["untold"]} == {"argument-minus-one"}
    assert document["stale"] == [{"line": 6, "name": "near-miss"}]
