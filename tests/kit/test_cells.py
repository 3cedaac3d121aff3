"""The cells of notebook files: sound ones, broken ones, and ones with magics."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.kit.cells import LARGEST_CODE, MOST_CELLS, MOST_STATEMENTS, Cell, cells_of
from grader.kit.files import LARGEST_ANSWER, Unreadable


def notebook(*cells: Any, **changes: Any) -> str:
    raw = [one if isinstance(one, dict) else {"cell_type": "code", "metadata": {}, "source": one} for one in cells]
    return json.dumps({"nbformat": 4, "metadata": {}, "cells": raw, **changes})


def cell(source: str) -> Cell:
    (one,) = cells_of(notebook(source))
    return one


def test_cells_count_as_jupyter_counts_them_when_all_are_run() -> None:
    text = notebook({"cell_type": "markdown", "source": "# Title"}, ["x = 1\n", "y = 2"], " \n", "%%bash\nls", "z = 3")
    assert [(one.number, one.lines[0]) for one in cells_of(text)] == [(1, "x = 1"), (0, " "), (2, "pass"), (3, "z = 3")]


def test_tags() -> None:
    raw = {"cell_type": "code", "metadata": {"tags": ["answer:rope", 3]}, "source": ""}
    assert cells_of(notebook(raw))[0].tags == ("answer:rope",)


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install jax\nx = 1", "pass\nx = 1"),
        ("x = 1\nx?\n?x\nx??", "x = 1\npass\npass\npass"),
        ("files = !ls\nx = %env HOME", "pass\npass"),
        ("%time x = f(1)", "x = f(1)"),
        ("if a:\n    %time f()\n    !ls", "if a:\n    f()\n    pass"),
        ("!ls \\\n  -l\nx = 1", "pass\npass\nx = 1"),
        ("%%time\nx = 1", "pass\nx = 1"),
        ("\n%%capture out\nx = 1", "\npass\nx = 1"),
        ("%%bash\nls", "pass\npass"),
        ("%%timeit\nx = 1", "pass\npass"),
        ("x = '''\n% kept\n! kept\n'''", "x = '''\n% kept\n! kept\n'''"),
        ("x = '''\n% kept\n'''\n%time", "x = '''\n% kept\n'''\npass"),
        ("x = (a\n  % b)", "x = (a\n  % b)"),
    ],
)
def test_magics_and_shell_lines_are_dropped(source: str, kept: str) -> None:
    assert "\n".join(cell(source).lines) == kept
    assert cell(source).body is not None


def test_very_many_magics() -> None:
    body = cell("%time\n" * 500 + "x = 1").body
    assert body is not None
    assert len(body) == 501


def test_what_is_no_python_stays_as_it_is() -> None:
    assert cell("def rope(x:\n    return").body is None
    assert cell("def rope(x:\n    return").lines == ("def rope(x:", "    return")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (" \n", "an empty file, and no notebook"),
        ("{", "its JSON breaks off or is damaged at line 1."),
        ('{"nbformat": 4,\n "cells": [', "line 2."),
        ("[" * 100_000, "its JSON cannot be read."),
        ("1" * 5000, "its JSON cannot be read."),
        ("[]", "without the number of its format"),
        ("{}", "without the number of its format"),
        ('{"nbformat": 3, "worksheets": []}', "a notebook of format 3, and only format 4 is read"),
        ('{"nbformat": 4}', "no list of cells"),
        (notebook("x", metadata={"kernelspec": {"language": "R"}}), "a notebook in 'r', not in Python"),
        (notebook("x\0"), "cell 1 holds a character that is no text"),
        (notebook("x\ud800"), "cell 1 holds a character that is no text"),
        (notebook({"cell_type": "code", "source": 3}), "cell 1 has no text"),
    ],
)
def test_what_is_no_notebook_has_one_line(text: str, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        cells_of(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_cell_is_no_larger_than_an_answer_and_cells_are_counted_before_they_are_read() -> None:
    with pytest.raises(Unreadable, match="cell 1 is larger than a cell may be: 64 KB"):
        cells_of(notebook("# " + "x" * LARGEST_ANSWER))
    with pytest.raises(Unreadable, match=f"{MOST_CELLS + 1} cells: {MOST_CELLS} at most"):
        cells_of(notebook(*["("] * (MOST_CELLS + 1)))


@pytest.mark.parametrize(
    "sources",
    [
        ["0;" * MOST_STATEMENTS + "0"],
        ["x = x\n" * 7_000] * 3,
        ["#" * (LARGEST_CODE // 8)] * 9,
    ],
)
def test_more_code_than_can_be_read_in_a_moment_has_one_line(sources: list[str]) -> None:
    with pytest.raises(Unreadable, match="256 KB"):
        cells_of(notebook(*sources))
