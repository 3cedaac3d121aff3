"""The answer in a notebook is found by its definition, with all that it needs; nothing is executed."""

from __future__ import annotations

import json

import pytest

from grader.kit.notebook import NotebookError, answer_in, answers


def notebook(*cells: str, tags: dict[int, str] | None = None) -> str:
    """A notebook whose cells are code, but for those that begin with `#md`."""
    listed = [
        {
            "cell_type": "markdown" if text.startswith("#md") else "code",
            "source": text.splitlines(keepends=True),
            "metadata": {"tags": [tags[at]]} if tags and at in tags else {},
            "outputs": [],
        }
        for at, text in enumerate(cells, start=1)
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": listed})


CLUTTER = "raise SystemExit\nplot = show(1)"


def test_the_function_comes_with_the_imports_helpers_and_constants_that_it_needs_and_nothing_else() -> None:
    book = notebook(
        "#md Rotary",
        "import jax.numpy as jnp\nimport os",
        "BASE = 10000.0\nscale = 2 * BASE",
        CLUTTER,
        "def angles(d):\n    return scale ** jnp.arange(d)",
        "def rope(seed, d):\n    local = os_free = angles(d)\n    return local",
        "rope(0, 4)",
    )
    found = answer_in(book, "rope")
    assert found.missing == ()
    assert found.text == (
        "import jax.numpy as jnp\n\nBASE = 10000.0\nscale = 2 * BASE\n\ndef angles(d):\n"
        "    return scale ** jnp.arange(d)\n\ndef rope(seed, d):\n    local = os_free = angles(d)\n    return local\n"
    )
    lines = found.text.splitlines()
    assert found.places[lines.index("scale = 2 * BASE")] == (3, 2)
    assert found.places[lines.index("    return local")] == (6, 3)
    assert len(found.places) == len(lines)


def test_the_last_definition_counts_of_the_function_and_of_what_it_needs() -> None:
    book = notebook("k = 1", "def f():\n    return k", "def f():\n    return k + 1", "k = 2", "k = k + 5")
    assert answer_in(book, "f").text == "def f():\n    return k + 1\n\nk = 2\n\nk = k + 5\n"


def test_a_tag_counts_before_the_last_definition() -> None:
    book = notebook("c = 3", "def f():\n    return c", "def f():\n    return 2", tags={2: "answer:f"})
    assert answer_in(book, "f").text == "c = 3\n\ndef f():\n    return c\n"


def test_magics_and_shell_lines_are_left_out_and_lines_keep_their_numbers() -> None:
    book = notebook(
        "%%time\n%matplotlib inline\n!pip install jax\nfiles = !ls\nimport math",
        "%%bash\ndef f(): echo",
        'TEXT = """\n%done\n"""',
        "%%timeit -n 1\ndef f(x):\n    %time y = x\n    return math.pi, TEXT\nf?",
    )
    found = answer_in(book, "f")
    assert found.text == ('import math\n\nTEXT = """\n%done\n"""\n\ndef f(x):\n    pass\n    return math.pi, TEXT\n')
    assert found.places[0] == (1, 5)


def test_names_that_are_defined_nowhere_are_told() -> None:
    book = notebook("for i in range(3):\n    table = i", "def f(n):\n    return table[n] + lost + len([n])")
    found = answer_in(book, "f")
    assert found.missing == ("lost",)
    assert "table = i" in found.text
    starred = answer_in(notebook("from math import *", "def f():\n    return pi"), "f")
    assert (starred.missing, starred.text) == (("pi",), "from math import *\n\ndef f():\n    return pi\n")


def test_what_stands_in_one_line_is_taken_once_and_the_future_comes_first() -> None:
    book = notebook("a = 1; b = 2", "def f():\n    return a + b", "from __future__ import annotations")
    text = "from __future__ import annotations\n\na = 1; b = 2\n\ndef f():\n    return a + b\n"
    assert answer_in(book, "f").text == text


def test_decorators_classes_and_recursion_are_followed() -> None:
    book = notebook(
        "import functools",
        "class Net:\n    width = WIDTH\n    def call(self):\n        return helper(self)",
        "WIDTH = 3\ndef helper(x):\n    return helper(x) if x else unused",
        "unused = 0",
        "@functools.cache\ndef f():\n    return Net()",
    )
    found = answer_in(book, "f")
    assert found.missing == ()
    assert found.text.endswith("@functools.cache\ndef f():\n    return Net()\n")
    for line in ("import functools", "WIDTH = 3", "unused = 0", "class Net:"):
        assert line in found.text


def test_a_cell_that_is_no_python_is_graded_as_it_stands() -> None:
    book = notebook("def f():\n    return 1", "def f(:\n    return 2")
    found = answer_in(book, "f")
    assert found.text == "def f(:\n    return 2\n"
    assert found.places == ((2, 1), (2, 2))


def test_the_answers_of_a_notebook_are_listed() -> None:
    book = notebook("def f():\n    return 1", "def g(:", "h = 1", tags={3: "answer:k"})
    assert answers(book, ["k", "g", "f", "other"]) == ["k", "g", "f"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "its text is not JSON"),
        ("[]", "`nbformat` is missing"),
        (json.dumps({"nbformat": 3, "worksheets": []}), "its format is 3"),
        (json.dumps({"nbformat": 4}), "only notebooks of format 4"),
        (notebook("x = 1"), "no cell defines the function f."),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(text: str, why: str) -> None:
    with pytest.raises(NotebookError, match=why) as raised:
        answer_in(text, "f")
    assert "\n" not in str(raised.value)
