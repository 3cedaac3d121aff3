"""The code cells of a notebook as plain Python, without magics and shell lines. Nothing is executed."""

from __future__ import annotations

import ast
import json
import re
import shlex
import warnings
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from grader.kit.files import LARGEST_ANSWER, Unreadable, size_text
from grader.values.message import message, plural_message
from grader.values.places import parsed

PYTHON = ("time", "capture", "prun")
"""Cell magics whose cell still runs as Python in the notebook, so that its definitions hold."""

_MAGIC = re.compile(r"\s*(?:%|!|\?)|.*\?\s*$|\s*[\w.,][\w., ]*=\s*[%!]")
_TIME = re.compile(r"(\s*)%time\s+(?=\S)")
_FILE = re.compile(r"%%(?:writefile|file)\s+(.+)")
_AT_ONCE = 10
"""After so many magics of a cell were found one by one, the rest is dropped by its looks."""

LARGEST_CODE, MOST_STATEMENTS, MOST_CELLS = 1 << 18, 20_000, 2_000
"""The most code of a notebook, in characters, in statements at the top of its cells, and in cells."""


@dataclass(frozen=True)
class Cell:
    """A code cell.

    Attributes:
        number: of a file, its place among the code cells that are not empty, from 1: the number that Jupyter shows after
            all were run in order. That of an empty cell is 0, and that of a text which is no notebook.
        lines: its lines; a dropped line is `pass`, so that the others keep their numbers.
        body: its statements; None where it is no Python.
        writes: of a cell that writes a file of Python (`%%writefile rope.py`), the name of that file without `.py`. The cell
            holds the file then, after empty lines, and defines nothing in the notebook.
        adds: whether it writes to the end of the file.
    """

    number: int
    lines: tuple[str, ...]
    body: tuple[ast.stmt, ...] | None
    tags: tuple[str, ...]
    writes: str = ""
    adds: bool = False


def cells_of(text: str) -> list[Cell]:
    """The code cells of a notebook file of format 4. Raises Unreadable where it is none; the message is one line."""
    notebook = _notebook(text)
    cells: list[Cell] = []
    number, code, statements = 1, 0, 0
    if len(notebook["cells"]) > MOST_CELLS:
        count = len(notebook["cells"])
        said = plural_message(
            "a notebook of {count} cell: {most} at most are read.",
            "a notebook of {count} cells: {most} at most are read.",
            count,
            most=MOST_CELLS,
        )
        raise Unreadable(said)
    for raw in notebook["cells"]:
        cell = _cell(number, raw)
        if cell is not None:
            cells.append(cell)
            number += cell.number > 0
            code += sum(len(line) + 1 for line in cell.lines)
            statements += len(cell.body or ())
        if code > LARGEST_CODE or statements > MOST_STATEMENTS:
            said = message("more code than a notebook may hold: {size} and {count} statements at most.")
            raise Unreadable(said.with_fields(size=size_text(LARGEST_CODE), count=f"{MOST_STATEMENTS:,}"))
    return cells


def _notebook(text: str) -> dict[str, Any]:
    if not text.strip():
        raise Unreadable(message("an empty file, and no notebook: save it again in Jupyter."))
    try:
        notebook = json.loads(text)
    except json.JSONDecodeError as error:
        said = message("no notebook: its JSON breaks off or is damaged at line {line}. Save it again in Jupyter.")
        raise Unreadable(said.with_fields(line=error.lineno)) from None
    except (ValueError, RecursionError, MemoryError):
        raise Unreadable(message("no notebook: its JSON cannot be read. Save it again in Jupyter.")) from None
    if not isinstance(notebook, dict) or not isinstance(version := notebook.get("nbformat"), int):
        raise Unreadable(message("no notebook: JSON, and without the number of its format. Save it in Jupyter."))
    if version != 4:
        said = message("a notebook of format {format}, and only format 4 is read: open it in Jupyter and save it.")
        raise Unreadable(said.with_fields(format=version))
    if not isinstance(notebook.get("cells"), list):
        raise Unreadable(message("no notebook: it has no list of cells. Save it again in Jupyter."))
    if (language := _language(notebook)) != "python":
        said = message("a notebook in {language}, not in Python: only Python is graded.")
        raise Unreadable(said.with_fields(language=repr(language[:40])))
    return notebook


def _language(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata")
    for key, name in (("kernelspec", "language"), ("language_info", "name")):
        part = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(part, dict) and isinstance(found := part.get(name), str):
            return found.lower()
    return "python"


def _cell(number: int, raw: Any) -> Cell | None:
    if not isinstance(raw, dict) or raw.get("cell_type") != "code":
        return None
    source = raw.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if isinstance(source, str) and len(source) > LARGEST_ANSWER:
        said = message("cell {cell} is larger than a cell may be: {size}.")
        raise Unreadable(said.with_fields(cell=number, size=size_text(LARGEST_ANSWER)))
    if not isinstance(source, str):
        raise Unreadable(message("cell {cell} has no text: save the notebook again in Jupyter.", cell=number))
    if "\0" in source or any("\ud800" <= character <= "\udfff" for character in source):
        raise Unreadable(message("cell {cell} holds a character that is no text: remove it.", cell=number))
    metadata = raw.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    known = tuple(tag for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else ()
    number = number if source.strip() else 0  # Jupyter does not run an empty one, nor count it
    return _file(number, source, known) or cell_of(number, source, known)


def _file(number: int, source: str, tags: tuple[str, ...]) -> Cell | None:
    """A cell that writes a file of Python; None if it is another."""
    lines = _lines(source)
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    magic = _FILE.fullmatch(lines[first].strip())
    try:
        words = shlex.split(magic[1]) if magic else []
    except ValueError:  # a quote that does not end
        return None
    path = PurePosixPath(words[-1]) if words else PurePosixPath()
    if path.suffix != ".py" or not path.stem.isidentifier():
        return None
    lines[: first + 1] = [""] * (first + 1)
    body, _ = _parsed(lines)
    whole = None if body is None else tuple(body)
    return Cell(number, tuple(lines), whole, tags, path.stem, bool({"-a", "--append"} & {*words[:-1]}))


def _lines(source: str) -> list[str]:
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def cell_of(number: int, source: str, tags: tuple[str, ...] = ()) -> Cell:
    """A cell from what was typed in it."""
    lines = _lines(source)
    body = _python(lines)
    return Cell(number, tuple(lines), None if body is None else tuple(body), tags)


def _python(lines: list[str]) -> list[ast.stmt] | None:
    """The statements of a cell, whose magics are replaced in `lines`; None where it is no Python."""
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].startswith("%%"):
        if re.split(r"\s", lines[first][2:])[0] not in PYTHON:
            lines[:] = ["pass"] * len(lines)
            return []
        lines[first] = "pass"
    for _ in range(_AT_ONCE):
        body, wrong = _parsed(lines)
        if body is not None:
            return body
        if wrong is None or not _drop(lines, wrong):
            return None
    for number in range(len(lines)):
        _drop(lines, number)
    return _parsed(lines)[0]


def _parsed(lines: list[str]) -> tuple[list[ast.stmt] | None, int | None]:
    """The statements, or else the number of the line (from 0) that is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning of the answer's text is not for whoever grades it
            return parsed("\n".join(lines)).body, None
    except SyntaxError as error:
        return None, (error.lineno or 1) - 1
    except (ValueError, RecursionError, MemoryError):
        return None, None


def _drop(lines: list[str], number: int) -> bool:
    """Replace a line that looks like a magic or a shell line; a line after it is dropped too where it goes on there."""
    if number >= len(lines) or not _MAGIC.match(lines[number]):
        return False
    if timed := _TIME.match(lines[number]):
        lines[number] = timed[1] + lines[number][timed.end() :]
        return True
    dropped = lines[number][: -len(lines[number].lstrip())] + "pass"
    while lines[number].endswith("\\") and number + 1 < len(lines):
        lines[number] = dropped
        number += 1
    lines[number] = dropped
    return True
