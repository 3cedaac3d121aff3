"""The checks of a worked answer and its mistakes: each fault is found at its line, and what depends on it is skipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.author.reference_checks import examine_declaration, examine_mistakes, examine_reference
from grader.kit.mistakes import read_forms
from grader.oracle.server import load

TEXT = """import jax.numpy as jnp

from grader import Problem, Whole


def ramp(seed, n):
    x = jnp.arange(n) * 1.0 + 0.0 + 1.0 * seed
    #: doubled: (n) * 1.0 -> (n) * 2.0
    #: shifted: + 0.0 -> + 0.5
    x = x[::1]
    #: backwards: 1 -> -1
    return x.reshape(-1)


problem = Problem(
    arguments={"n": Whole(2, reach=3)},
    cases=[(0, 2), (1, 3)],
)
"""
CASES = "    cases="


def examine(folder: Path, *changes: tuple[str, str], infinite: bool = False) -> dict[str, Any]:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = folder / "ramp" / "answer.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    words = "".join(f"## {name}\n\nSo.\n\n> So?\n\n" for name in read_forms(text))
    file.with_name("mistakes.md").write_text(words)
    problem = load(file)
    document = {"sets": 0, "equals": [], **examine_declaration(problem, str(file))}
    document["findings"] += examine_reference(problem, str(file), may_be_infinite=infinite)["findings"]
    if not {one["check"] for one in document["findings"]} & {"reference", "deterministic", "unstable"}:
        of_mistakes = examine_mistakes(problem, str(file))
        document |= {**of_mistakes, "findings": [*document["findings"], *of_mistakes["findings"]]}
    lines = ["", *text.splitlines()]
    return {**document, "found": [(one["check"], lines[one["line"]].strip()) for one in document["findings"]]}


def mistake(name: str, change: str) -> tuple[str, str]:
    """One more mistake of the first statement, before the others."""
    return "    #: doubled", f"    #: {name}: {change}\n    #: doubled"


def test_a_sound_reference_has_no_finding_and_every_set_is_compared(tmp_path: Path) -> None:
    document = examine(tmp_path)
    assert document["findings"] == document["equals"] == []
    assert document["sets"] == 6  # three alone, three pairs


FUNCTION = "def ramp(seed, n):"
FAULTS: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "other numbers in each call": (
        [("import jax.numpy", "import random\n\nimport jax.numpy"), ("1.0 * seed", "random.random()")],
        [("deterministic", FUNCTION)],
    ),
    "an infinity": (
        [("x.reshape", "(x / jnp.arange(n)).reshape"), ("+ 1.0 *", "+ 1.0 + 1.0 *")],
        [("finite", FUNCTION)],
    ),
    "a floor at a border": (
        [("return x", "x = jnp.floor(jnp.exp(jnp.log(x + 3.0)))\n    return x")],
        [("unstable", FUNCTION)],
    ),
    "an error": ([("    return x", "    x = x.no_such_thing\n    return x")], [("reference", "x = x.no_such_thing")]),
    "an error of a mistake alone": ([("1 -> -1", "x[::1] -> jnp.flip(x, 3)")], [("reference", "x = x[::1]")]),
    "a mistake without effect": ([mistake("nothing", "0.0 -> 1e-9")], [("pitfall-is-right", "#: nothing")]),
    "two equal mistakes": ([mistake("twice", "(n) * 1.0 -> (n) * 2")], [("equal-pitfalls", "#: twice")]),
    "a mistake that is NaN on every case": (
        [mistake("nothing", "0.0 -> jnp.nan")],
        [("unguarded", "#: nothing"), ("not-told", "#: nothing")],
    ),
    "a mistake that is NaN on one case, without a form that guards it": (
        [mistake("nothing", "0.0 -> jnp.ones(()) / (n - 2)")],
        [("unguarded", "#: nothing")],
    ),
    "a mistake that is NaN, with a form that guards it": (
        [mistake("nothing", "0.0 -> jnp.ones(()) / (n - 2), or jnp.ones(()) / max(n - 2, 1)")],
        [],
    ),
    "two mistakes that cancel": ([mistake("back", "1.0 * seed -> 1.0 * seed - 0.5")], [("pair-is-right", "#: back")]),
    "more names than axes": ([(CASES, '    axes=["place", "feature"],\n' + CASES)], [("axes", FUNCTION)]),
    "a picture of an axis with one value": (
        [
            ("import Problem", "import Curve, Problem"),
            (CASES, '    axes=["one", "place"],\n    picture=Curve("one"),\n' + CASES),
            ("x.reshape(-1)", "x[None].reshape(-1)"),
        ],
        [("picture", FUNCTION)],
    ),
    "a form tried alone that is another form": (
        [("    #: backwards: 1 -> -1", "    #: backwards: 1 -> -1\n    #: backwards (alone): x[::1] -> jnp.flip(x)")],
        [("equal-forms", "#: backwards")],
    ),
    "a float of a case where the worked answer makes an int": (
        [
            ("(1, 3)", "(1, 3.0)"),
            ("arange(n)", "arange(int(n))"),
            ("#: doubled: (n) * 1.0 -> (n) * 2.0", "#: doubled: + 0.0 -> + 1.0"),
            ("Whole(2, reach=3)", "Real(2.0)"),
            ("Problem, Whole", "Problem, Real"),
        ],
        [("reference", "x = jnp.arange(int(n)) * 1.0 + 0.0 + 1.0 * seed")],
    ),
    "a name that is not in kebab-case": ([("#: doubled", "#: Doubled")], [("name", "#: Doubled")]),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("title", FAULTS)
def test_a_fault_is_found_at_its_line_and_nothing_else(title: str, tmp_path: Path) -> None:
    changes, due = FAULTS[title]
    found = examine(tmp_path, *changes)["found"]
    assert [check for check, _ in found] == [check for check, _ in due], found
    assert all(text in line for (_, line), (_, text) in zip(found, due, strict=True)), found


def test_infinities_that_the_statement_speaks_of_are_no_fault(tmp_path: Path) -> None:
    changes, _ = FAULTS["an infinity"]
    assert examine(tmp_path, *changes, infinite=True)["findings"] == []


def test_a_reference_that_changes_is_not_looked_at_further(tmp_path: Path) -> None:
    changes, due = FAULTS["other numbers in each call"]
    more, _ = FAULTS["a mistake without effect"]
    document = examine(tmp_path, *changes, *more)
    assert (document["found"], document["sets"]) == (due, 0)


def test_a_pair_that_equals_a_single_mistake_is_listed_and_no_fault(tmp_path: Path) -> None:
    left = "    #: nothing-left: x.reshape(-1) -> jnp.zeros(n) + 7.0\n"
    document = examine(tmp_path, ("return x.reshape(-1)\n", f"return x.reshape(-1)\n{left}"))
    assert document["findings"] == []
    shown = "doubled: (n) * 1.0 -> (n) * 2.0; nothing-left: x.reshape(-1) -> jnp.zeros(n) + 7.0"
    assert [["doubled", "nothing-left"], ["nothing-left"], shown] in document["equals"]


def test_a_mistake_of_another_length_is_no_fault(tmp_path: Path) -> None:
    short = "    #: one-value: x.reshape(-1) -> x.reshape(-1)[:1]\n"
    document = examine(tmp_path, ("return x.reshape(-1)\n", f"return x.reshape(-1)\n{short}"))
    assert document["findings"] == []


def test_the_seed_that_tells_two_equal_mistakes_apart_is_named(tmp_path: Path) -> None:
    document = examine(tmp_path, mistake("by-seed", "(n) * 1.0 -> (n) * (2.0 if seed < 2 else 3.0)"))
    (found,) = document["findings"]
    assert found["check"] == "equal-pitfalls"
    assert "take seed " in found["message"]


def test_a_hint_must_not_hold_a_line_of_the_worked_answer(tmp_path: Path) -> None:
    examine(tmp_path)
    file = tmp_path / "ramp" / "answer.py"
    words = file.with_name("mistakes.md")
    words.write_text(words.read_text().replace("> So?", "> Is it x.reshape(-1)?", 1))
    (found,) = examine_declaration(load(file), str(file))["findings"]
    assert (found["check"], found["file"], found["line"]) == ("gives-away", "mistakes.md", 1)
