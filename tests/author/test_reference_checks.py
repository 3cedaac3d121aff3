"""The checks of a reference: each fault is found at its line, and the checks that depend on it are skipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from grader.author.reference_checks import examine_reference
from grader.oracle.server import load

TEXT = """import jax.numpy as jnp

from grader import Pitfall, Problem, Whole


def ramp(seed, n, *, factor=1.0, shift=0.0, backwards=False):
    x = jnp.arange(n) * factor + shift + 1.0 * seed
    x = jnp.flip(x) if backwards else x
    return x.reshape(-1)


problem = Problem(
    reference=ramp,
    arguments={"n": Whole(2, reach=3)},
    cases=[(0, 2), (1, 3)],
    pitfalls=[
        Pitfall("doubled", why="It is doubled.", hint="Which factor?", factor=2.0),
        Pitfall("shifted", why="It is shifted.", hint="Where does it begin?", shift=0.5),
        Pitfall("backwards", why="It runs backwards.", hint="Which end comes first?", backwards=True),
    ],
)
"""
PITFALLS = "    pitfalls=[\n"


def examine(folder: Path, *changes: tuple[str, str], infinite: bool = False) -> dict[str, Any]:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = folder / "ramp" / "reference.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    document = examine_reference(load(file), str(file), "cpu", may_be_infinite=infinite)
    lines = ["", *text.splitlines()]
    return {**document, "found": [(one["check"], lines[one["line"]].strip()) for one in document["findings"]]}


def pitfall(name: str, knobs: str) -> tuple[str, str]:
    """One more pitfall, at the head of the list."""
    return PITFALLS, f'{PITFALLS}        Pitfall("{name}", why="So.", hint="So?", {knobs}),\n'


def test_a_sound_reference_has_no_finding_and_every_set_is_compared(tmp_path: Path) -> None:
    document = examine(tmp_path)
    assert document["findings"] == document["equals"] == []
    assert document["sets"] == 6  # three alone, three pairs


REFERENCE = "def ramp(seed, n, *, factor=1.0, shift=0.0, backwards=False):"
FAULTS: dict[str, tuple[list[tuple[str, str]], list[tuple[str, str]]]] = {
    "other numbers in each call": (
        [("import jax.numpy", "import random\n\nimport jax.numpy"), ("1.0 * seed", "random.random()")],
        [("deterministic", REFERENCE)],
    ),
    "an infinity": (
        [("x.reshape", "(x / jnp.arange(n)).reshape"), ("+ 1.0 *", "+ 1.0 + 1.0 *")],
        [("finite", REFERENCE)],
    ),
    "a floor at a border": (
        [("return x", "x = jnp.floor(jnp.exp(jnp.log(x + 3.0)))\n    return x")],
        [("unstable", REFERENCE)],
    ),
    "an error": ([("    return x", "    x = x.no_such_thing\n    return x")], [("reference", "x = x.no_such_thing")]),
    "an error with a knob turned alone": (
        [("jnp.flip(x)", "jnp.flip(x, 3)")],
        [("reference", "x = jnp.flip(x, 3) if backwards else x")],
    ),
    "a default that is a pitfall's": ([("factor=1.0", "factor=2.0")], [("knob-default", '"doubled"')]),
    "a pitfall without effect": ([pitfall("nothing", "shift=1e-9")], [("pitfall-is-right", '"nothing"')]),
    "two equal pitfalls": ([pitfall("twice", "factor=2.0")], [("equal-pitfalls", '"twice"')]),
    "a pitfall that is NaN on every case": ([pitfall("nothing", "shift=float('nan')")], [("not-told", '"nothing"')]),
    "two pitfalls that cancel": (
        [("+ shift", "+ shift + other"), ("shift=0.0,", "shift=0.0, other=0.0,"), pitfall("back", "other=-0.5")],
        [("pair-is-right", '"back"')],
    ),
    "more names than axes": ([(PITFALLS, '    axes=["place", "feature"],\n' + PITFALLS)], [("axes", REFERENCE)]),
    "a picture of an axis with one value": (
        [
            ("import Pitfall", "import Curve, Pitfall"),
            (PITFALLS, '    axes=["one", "place"],\n    picture=Curve("one"),\n' + PITFALLS),
            ("x.reshape(-1)", "x[None].reshape(-1)"),
        ],
        [("picture", REFERENCE)],
    ),
    "a setting tried alone that the reference does not know": (
        [
            ("jnp.flip(x) if backwards", "jnp.flip(x) if backwards not in (False, 'twice') else x * 9 if backwards"),
            ("backwards=True", "backwards=any_of(True, alone=['twice', 'twise'])"),
            ("import Pitfall, Problem", "import Pitfall, Problem, any_of"),
        ],
        [("equal-settings", '"backwards"')],
    ),
    "a float of a case where the reference makes an int": (
        [
            ("(1, 3)", "(1, 3.0)"),
            ("arange(n)", "arange(int(n))"),
            ("Whole(2, reach=3)", "Real(2.0)"),
            ("Problem, Whole", "Problem, Real"),
        ],
        [("reference", "x = jnp.arange(int(n)) * factor + shift + 1.0 * seed")],
    ),
    "a name that is not in kebab-case": ([('"doubled"', '"Doubled"')], [("name", '"Doubled"')]),
}


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
    more, _ = FAULTS["a pitfall without effect"]
    document = examine(tmp_path, *changes, *more)
    assert (document["found"], document["sets"]) == (due, 0)


def test_a_pair_that_equals_a_single_pitfall_is_listed_and_no_fault(tmp_path: Path) -> None:
    document = examine(
        tmp_path,
        ("+ shift", "* (not zero) + shift * (not zero)"),
        ("1.0 * seed", "1.0 * seed * (not zero)"),
        ("backwards=False)", "backwards=False, zero=False)"),
        pitfall("nothing-left", "zero=True"),
    )
    assert document["findings"] == []
    assert [["nothing-left", "doubled"], ["nothing-left"], "zero=True, factor=2.0"] in document["equals"]


def test_a_pitfall_of_another_length_is_no_fault(tmp_path: Path) -> None:
    document = examine(
        tmp_path,
        ("x.reshape(-1)", "x.reshape(-1)[: 1 if one else None]"),
        ("backwards=False)", "backwards=False, one=False)"),
        pitfall("one-value", "one=True"),
    )
    assert document["findings"] == []


def test_the_seed_that_tells_two_equal_pitfalls_apart_is_named(tmp_path: Path) -> None:
    document = examine(
        tmp_path,
        ("    x = jnp.arange(n)", "    factor = (2.0 if seed < 2 else 3.0) if late else factor\n    x = jnp.arange(n)"),
        ("backwards=False)", "backwards=False, late=False)"),
        pitfall("by-seed", "late=True, factor=1.0"),
    )
    (found,) = document["findings"]
    assert found["check"] == "equal-pitfalls"
    assert "take seed " in found["message"]


def test_an_answer_beside_the_reference_must_not_stand_in_a_hint(tmp_path: Path) -> None:
    (tmp_path / "ramp").mkdir()
    (tmp_path / "ramp" / "answer.py").write_text("def ramp(seed, n):\n    return jnp.arange(n) * 1.0 + seed\n")
    found = examine(tmp_path, ("Which factor?", "Is it jnp.arange(n) * 1.0?"))["found"]
    assert {check for check, _ in found} == {"gives-away"}
