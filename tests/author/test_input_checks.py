"""What a problem declares of its arguments must stand in the section "Inputs" of its statement."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.author.statement_checks import check_inputs
from grader.kit.arguments import Argument, Real, Whole
from grader.kit.kit import Kit
from tests.author import toys

NAME = "distance_decay"


def said(folder: Path, entry: str, argument: Argument, *related: str) -> list[str]:
    kit = Kit(toys.make(folder))
    kit.statement(NAME).write_text(toys.STATEMENT.replace("- `T`: how many there are, at least 2.", entry))
    found = list(check_inputs(kit, NAME, {"T": argument.facts}, [related] if related else []))
    assert all(one.check == "inputs" and one.line > 0 for one in found)
    return [one.message for one in found]


@pytest.mark.parametrize(
    ("entry", "argument"),
    [
        ("- `T`: how many, at least 2.", Whole(2)),
        ("- `T`: how many, at\n  least 2.", Whole(2)),
        ("- `H`, `T`: how many, from 2 to 5.", Whole(2, 5)),
        ("- `T`: how many, even, at least 4.", Whole(4, step=2)),
        ("- `T`: how many, a multiple of 4.", Whole(4, step=4)),
        ("- `T`: how far. A negative one shifts back.", Whole(None)),
        ("- `T`: a share, a float from 0 to 1.", Real(0.0, 1.0)),
        ("- `T`: a share, a float from 0 up to, and without, 1.", Real(0.0, below=1.0)),
        ("- `T`: a share, a float greater than 0 and less than 1.", Real(above=0.0, below=1.0)),
        ("- `T`: a positive float.", Real(above=0.0)),
    ],
)
def test_a_statement_that_says_what_is_declared(entry: str, argument: Argument, tmp_path: Path) -> None:
    assert said(tmp_path, entry, argument) == []


@pytest.mark.parametrize(
    ("entry", "argument", "missing"),
    [
        ("- `T`: how many.", Whole(2), "it is at least 2"),
        ("- `T`: how many, at least 20.", Whole(2), "it is at least 2"),
        ("- `T`: how many, at least 2.5.", Whole(2), "it is at least 2"),
        ("- `T`: how many, at least 2.", Whole(2, 5), "it is at most 5"),
        ("- `T`: how many, at least 4.", Whole(4, step=2), "it is even"),
        ("- `T`: a float, at least 0.", Real(0.0, below=1.0), "it is below 1"),
        ("- `H`: how many, at least 2.", Whole(2), "no entry that begins with `T`"),
    ],
)
def test_a_fact_that_the_statement_lacks(entry: str, argument: Argument, missing: str, tmp_path: Path) -> None:
    (found,) = said(tmp_path, entry, argument)
    assert missing in found


def test_arguments_that_go_together_are_named_in_one_entry(tmp_path: Path) -> None:
    assert said(tmp_path, "- `T`: at least 2, and at most `H`.", Whole(2), "T", "H") == []
    assert said(tmp_path, "- `T`: at least 2.\n- `H`: more.\n\n`T` divides `H`.", Whole(2), "T", "H") == []
    (found,) = said(tmp_path, "- `T`: at least 2.\n- `H`: more.", Whole(2), "T", "H")
    assert "does not say how `T` and `H` go together" in found
