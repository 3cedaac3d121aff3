"""Finds the text of an answer where `grader.check` is called: in a notebook, a script, at a prompt. Runs nothing of it."""

from __future__ import annotations

import ast
import linecache
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from grader.kit.cells import Cell, cell_of
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import KitError
from grader.kit.notebook import FILE, HISTORY, Notebook
from grader.kit.notebook_verdict import CellOrigin
from grader.locale.language import N_, gettext
from grader.values.places import parsed

_CELL = re.compile(r"__marimo__cell_\w+\.py$")
"""The end of the name under which marimo compiles a cell; `linecache` holds the text of it."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def is_marimo_cell(file: str) -> bool:
    """Whether code that was compiled under this name is that of a cell."""
    return _CELL.search(file) is not None


def marimo_cells(names: Mapping[str, Any]) -> list[Cell]:
    """The cells of a notebook, in the order of its file.

    Args:
        names: the variables of the notebook. The text of a cell is known to Python if one of them is a function or a class
            of it. `__file__` is the notebook's file, where marimo saves each change.
    """
    try:
        texts = saved_cells(read_text(Path(names["__file__"]))) if names.get("__file__") else []
    except Unreadable:
        texts = list[str]()
    for file in dict.fromkeys(_files(names)):
        ran = "".join(linecache.getlines(file)).rstrip("\n")
        # In marimo, no two cells define the same name.
        at = next((at for at, text in enumerate(texts) if _defined(text) & _defined(ran)), len(texts))
        texts[at : at + 1] = [ran]
    return [cell_of(number, text) for number, text in enumerate(texts, start=1)]


def saved_cells(text: str) -> list[str]:
    """The texts of the cells in the file of a notebook; none if it is no such file."""
    try:
        body = parsed(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = text.split("\n")
    found: list[str] = []
    for node in body:
        if isinstance(node, ast.With) and _is_app(node.items[0].context_expr):
            found.append(_inside(lines, node.lineno, node.body))
        elif (
            isinstance(node, Definition)
            and (kinds := [_is_app(decorator) for decorator in node.decorator_list])
            and any(kinds)
        ):
            if "cell" in kinds and not isinstance(node, ast.ClassDef):
                found.append(_inside(lines, node.lineno, node.body))
            else:  # `@app.function`, `@app.class_definition`
                found.append("\n".join(lines[node.lineno - 1 : node.end_lineno]))
    return found


def _is_app(node: ast.expr) -> str:
    """The part of the app that an expression names: "cell" for `app.cell` and for `app.cell(hide_code=True)`."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "app" else ""


def _inside(lines: Sequence[str], header: int, body: Sequence[ast.stmt]) -> str:
    """The text of a block as it was typed: without its indentation, and without the `return` that marimo adds."""
    kept = body[:-1] if isinstance(body[-1], ast.Return) else body
    if not kept:
        return ""
    first = min([kept[0].lineno, *(decorator.lineno for decorator in getattr(kept[0], "decorator_list", ()))])
    while first - 1 > header and re.match(r"\s*(#|$)", lines[first - 2]):
        first -= 1
    strings = [
        node for statement in kept for node in ast.walk(statement) if isinstance(node, ast.Constant | ast.JoinedStr)
    ]
    within = {
        number for string in strings for number in range(string.lineno + 1, (string.end_lineno or string.lineno) + 1)
    }
    numbers = range(first, (kept[-1].end_lineno or first) + 1)
    texts = (lines[number - 1] if number in within else lines[number - 1].removeprefix("    ") for number in numbers)
    return "\n".join(texts).strip("\n")


def _files(names: Mapping[str, Any]) -> Iterator[str]:
    for value in list(names.values()):
        for member in vars(value).values() if isinstance(value, type) else (value,):
            if (function := plain_function(member)) is not None and is_marimo_cell(function.__code__.co_filename):
                yield function.__code__.co_filename


def plain_function(value: Any) -> FunctionType | None:
    """The function in Python that a value is, or that `jax.jit` and the like wrap; None if there is none."""
    for _ in range(10):
        if isinstance(value, FunctionType):
            if not hasattr(value, "__wrapped__"):
                return value
        elif not callable(value) or isinstance(value, type):
            return None
        value = getattr(value, "__wrapped__", None)
    return None


def _defined(text: str) -> set[str]:
    return {statement.name for statement in cell_of(0, text).body or () if isinstance(statement, Definition)}


# Translators: where a line of code stands: in a notebook, or among what was typed at Python's prompt.
IN_CELLS, TYPED = N_("notebook"), N_("prompt")
"""What a report calls the place of a line that stands in a cell, and of one that was typed at Python's prompt."""

_TYPED = re.compile(r"(<python-input-|<stdin>-)\d+(>?)")
"""The name of the text of one input at a prompt of Python, since version 3.13. `linecache` holds each."""

_MOST_INPUTS_WITHOUT_TEXT = 50
"""After so many inputs in a row without a text, there are no later ones."""


@dataclass(frozen=True)
class CalledAnswer:
    """An answer as it is graded: its text, where each line of it stands, and what a report calls that place."""

    text: str
    origin: CellOrigin
    shown: str


def find(name: str, names: Mapping[str, Any]) -> CalledAnswer:
    """The newest definition of a function, with what it needs.

    Args:
        names: the variables where `grader.check` is called.

    Raises:
        KitError: where there is none, or where its text is not known.
    """
    function = plain_function(names.get(name))
    for book, shown in _books(function, names):
        if book.answered([name]):
            try:
                extract = book.answer(name)
            except Unreadable as error:
                raise KitError(f"{str(error)[0].upper()}{str(error)[1:]}") from None
            return CalledAnswer(extract.text, extract.origin, shown)
    if function is not None:
        said = gettext(
            "The text of {function} is not known: Python keeps none of what was typed at a prompt, or made by `exec`. "
            "Write the function in a file or a notebook."
        )
        raise KitError(said.format(function=name))
    said = gettext("Nothing that was run here defines {function}: define the function, run that, then check it.")
    raise KitError(said.format(function=name))


def _books(function: FunctionType | None, names: Mapping[str, Any]) -> Iterator[tuple[Notebook, str]]:
    """Where the function may stand, the best source first, each with what a report calls it."""
    if history := _history():
        yield Notebook(history, HISTORY), gettext(IN_CELLS)
    file = function.__code__.co_filename if function is not None else str(names.get("__file__") or "")
    text = _text(file)
    if is_marimo_cell(file) or saved_cells(text):
        yield Notebook(marimo_cells(names)), gettext(IN_CELLS)
    elif typed := _TYPED.fullmatch(file):
        yield Notebook(list(_typed(*typed.groups())), HISTORY), gettext(TYPED)
    elif text:
        yield Notebook([cell_of(0, text)], FILE), file if Path(file).is_file() else gettext(IN_CELLS)


def _typed(before: str, after: str) -> Iterator[Cell]:
    """What was typed at Python's prompt. Its lines have no number that anybody sees, so it is no cell."""
    number = missing = 0
    while missing < _MOST_INPUTS_WITHOUT_TEXT:
        text = _text(f"{before}{number}{after}")
        missing = 0 if text else missing + 1
        if text:
            yield cell_of(0, text)
        number += 1


def _text(file: str) -> str:
    return "".join(linecache.getlines(file)) if file else ""


def _history() -> list[Cell]:
    """The cells that this session of IPython has run, as they were typed; none outside IPython."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None:
        return []
    ran = shell.history_manager.get_range(session=0, start=1, raw=True)
    return [cell_of(number, source) for _, number, source in ran if source.strip()]
