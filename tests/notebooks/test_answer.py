"""The text of an answer is found where `grader.check` is called: in a history, in a file, and nowhere else."""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import KitError
from grader.notebooks.answer import IN_CELLS, TYPED, CalledAnswer, find
from grader.values.message import NO_MESSAGE

ROPE = "def rope(x):\n    return x"


class History:
    """A session of IPython that has run some cells; the first has the number 1."""

    def __init__(self, *cells: str) -> None:
        self.cells = cells
        self.history_manager = self

    def get_range(self, session: int, start: int, *, raw: bool) -> Iterator[tuple[int, int, str]]:
        assert (session, start, raw) == (0, 1, True)
        yield from ((0, number, source) for number, source in enumerate(self.cells, 1))


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `find` as if a notebook had run some cells."""

    def run(*cells: str, **names: object) -> CalledAnswer:
        ipython = types.SimpleNamespace(get_ipython=lambda: History(*cells))
        monkeypatch.setitem(sys.modules, "IPython", ipython)
        return find("rope", names)

    return run


def test_the_newest_cell_that_defines_it_counts_with_what_it_needs(ran: Any) -> None:
    found = ran(
        "%pip install jax\nimport jax", "BASE = 1", ROPE + " + BASE", "BASE = 2", "%%time\n" + ROPE + " * BASE", "!ls"
    )
    assert found.text == "BASE = 2\n" + ROPE + " * BASE\n"
    assert found.origin.places == ((4, 1), (5, 2), (5, 3))
    assert (found.shown, found.origin.note) == (IN_CELLS, NO_MESSAGE)


def test_a_name_that_only_a_loop_makes_is_told(ran: Any) -> None:
    found = ran("for i in range(3):\n    table = i", ROPE + " + table + other")
    assert str(found.origin.outside["table"]).startswith(
        "`table` is made or changed outside the function, by a `for` loop in cell 1."
    )
    assert str(found.origin.unknown["other"]).startswith(
        "No cell that was run gives `other` a value that can be used here: run"
    )


def test_a_newer_cell_with_a_syntax_error_is_what_is_graded(ran: Any) -> None:
    assert ran(ROPE, "def rope(x):\n    return (x").text == "def rope(x):\n    return (x\n"


def test_nothing_that_a_cell_does_happens_again(ran: Any, tmp_path: Path) -> None:
    made = tmp_path / "made"
    ran(f"open({str(made)!r}, 'w')", f"x = open({str(made)!r}, 'w')", ROPE + " + x")
    assert not made.exists()


def test_without_a_definition_one_line_says_so(ran: Any) -> None:
    with pytest.raises(KitError, match=r"^Nothing that was run here defines rope: define the function"):
        ran("x = 1")
    with pytest.raises(KitError, match=r"^Cell 1 defines rope inside a loop or a block"):
        ran("for i in range(2):\n    def rope(x):\n        return x")


def module(path: Path, text: str) -> dict[str, Any]:
    path.write_text(text)
    names: dict[str, Any] = {"__file__": str(path), "__name__": "work"}
    exec(compile(text, str(path), "exec"), names)
    return names


@pytest.mark.parametrize("imported", [False, True])
def test_in_a_script_the_text_of_its_file_counts(ran: Any, imported: bool, tmp_path: Path) -> None:
    text = f"import math\n\nBASE = 3\n\n\n{ROPE} + BASE + missing\n\n\nprint(BASE)\n"
    names = module(tmp_path / "work.py", text)
    # A notebook may have imported it from there.
    found = ran("from work import rope", rope=names["rope"]) if imported else find("rope", names)
    assert found.text == "BASE = 3\n" + ROPE + " + BASE + missing\n"
    assert found.origin.places == ((0, 3), (0, 6), (0, 7))
    assert found.shown == str(tmp_path / "work.py")
    assert str(found.origin.unknown["missing"]).startswith("Nothing in this file gives `missing` a value")


def test_a_function_that_is_wrapped_is_found(tmp_path: Path) -> None:
    names = module(tmp_path / "work.py", f"import functools\n\n\n@functools.cache\n{ROPE}\n")
    assert find("rope", names).text == f"import functools\n@functools.cache\n{ROPE}\n"


def test_without_its_text_one_line_says_so() -> None:
    names: dict[str, Any] = {}
    exec(ROPE, names)
    with pytest.raises(KitError, match=r"^The text of rope is not known"):
        find("rope", names)


@pytest.mark.parametrize("inputs", ["<python-input-{}>", "<stdin>-{}"])
def test_at_the_prompt_of_python_all_inputs_count(inputs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    for number, text in {0: "BASE = 1\n", 2: f"{ROPE} + BASE\n", 4: "BASE = 2\n"}.items():
        file = inputs.format(number)
        monkeypatch.setitem(linecache.cache, file, (len(text), None, text.splitlines(keepends=True), file))
        exec(compile(text, file, "exec"), names)
    found = find("rope", names)
    assert (found.text, found.shown) == (f"{ROPE} + BASE\nBASE = 2\n", TYPED)
