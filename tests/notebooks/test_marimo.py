"""The cells of a marimo notebook, from its file and from what ran."""

from __future__ import annotations

import functools
import linecache
from pathlib import Path
from typing import Any

import pytest

from grader.notebooks import answer

SAVED = '''\
import marimo

app = marimo.App(width="medium")

with app.setup:
    import math


@app.cell
def _(half):
    # How fast.
    BASE = 10.0

    def rope(x):
        """One line,
    and another."""
        return half(x) * BASE
    return BASE, rope


@app.cell(hide_code=True)
def _():
    return


@app.function
def half(x):
    return x / 2


if __name__ == "__main__":
    app.run()
'''


def test_the_cells_of_a_file_are_as_they_were_typed() -> None:
    setup, first, empty, half = answer.saved_cells(SAVED)
    assert setup == "import math"
    assert (
        first
        == '# How fast.\nBASE = 10.0\n\ndef rope(x):\n    """One line,\n    and another."""\n    return half(x) * BASE'
    )
    assert empty == ""
    assert half == "def half(x):\n    return x / 2"


@pytest.mark.parametrize("text", ["x = 1\ndef f():\n    return 1\n", "def broken(:", ""])
def test_another_file_has_no_cells(text: str) -> None:
    assert answer.saved_cells(text) == []


def test_a_cell_that_ran_stands_in_the_place_of_the_saved_one(tmp_path: Path) -> None:
    (tmp_path / "book.py").write_text(SAVED)
    names: dict[str, Any] = {"__file__": str(tmp_path / "book.py")}
    for number, text in enumerate(
        ("def half(x):\n    return x / 3\n", "class New:\n    def __call__(self):\n        pass")
    ):
        file = f"/tmp/marimo_1/__marimo__cell_{number}_.py"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec"), names)
    found = answer.marimo_cells(names)
    assert [cell.number for cell in found] == [1, 2, 3, 4, 5]
    assert "\n".join(found[3].lines) == "def half(x):\n    return x / 3"
    assert found[4].lines[0] == "class New:"


def test_a_function_is_found_below_what_wraps_it() -> None:
    def inner() -> None: ...

    assert answer.plain_function(functools.cache(inner)) is inner
    assert answer.plain_function(3) is None
    assert answer.plain_function(int) is None
