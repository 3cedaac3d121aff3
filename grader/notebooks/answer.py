"""Finds the text of an answer where `grader.check` is called: in a notebook, a script, at a prompt. Runs nothing of it."""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from grader.kit.cells import Cell, cell_of
from grader.kit.files import Unreadable
from grader.kit.kit import KitError
from grader.kit.notebook import FILE, HISTORY, Notebook
from grader.kit.notebook_verdict import Origin
from grader.locale.language import N_, gettext
from grader.notebooks import marimo

# Translators: where a line of code stands: in a notebook, or among what was typed at Python's prompt.
IN_CELLS, TYPED = N_("notebook"), N_("prompt")
"""What a report calls the place of a line that stands in a cell, and of one that was typed at Python's prompt."""

_TYPED = re.compile(r"(<python-input-|<stdin>-)\d+(>?)")
"""The name of the text of one input at a prompt of Python, since version 3.13. `linecache` holds each."""
_MOST_INPUTS_WITHOUT_TEXT = 50
"""After so many inputs in a row without a text, there are no later ones."""


@dataclass(frozen=True)
class Answer:
    """An answer as it is graded: its text, where each line of it stands, and what a report calls that place."""

    text: str
    origin: Origin
    shown: str


def find(name: str, names: Mapping[str, Any]) -> Answer:
    """The newest definition of a function, with what it needs.

    Args:
        names: the variables where `grader.check` is called.

    Raises:
        KitError: where there is none, or where its text is not known.
    """
    function = marimo.plain(names.get(name))
    for book, shown in _books(function, names):
        if book.answered([name]):
            try:
                extract = book.answer(name)
            except Unreadable as error:
                raise KitError(f"{str(error)[0].upper()}{str(error)[1:]}") from None
            return Answer(extract.text, extract.origin, shown)
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
    if marimo.is_cell(file) or marimo.saved(text):
        yield Notebook(marimo.cells(names)), gettext(IN_CELLS)
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
