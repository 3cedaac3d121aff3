"""The cells of a marimo notebook: those that define functions as they ran, the others as they are saved."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

from grader.kit.cells import Cell, cell_of
from grader.kit.files import Unreadable, read_text

_CELL = re.compile(r"__marimo__cell_\w+\.py$")
"""The end of the name under which marimo compiles a cell; `linecache` holds the text of it."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def is_cell(file: str) -> bool:
    """Whether code that was compiled under this name is that of a cell."""
    return _CELL.search(file) is not None


def cells(names: Mapping[str, Any]) -> list[Cell]:
    """The cells of a notebook, in the order of its file.

    Args:
        names: the variables of the notebook. The text of a cell is known to Python if one of them is a function or a class
            of it. `__file__` is the notebook's file, where marimo saves each change.
    """
    try:
        texts = saved(read_text(Path(names["__file__"]))) if names.get("__file__") else []
    except Unreadable:
        texts = list[str]()
    for file in dict.fromkeys(_files(names)):
        ran = "".join(linecache.getlines(file)).rstrip("\n")
        # In marimo, no two cells define the same name.
        at = next((at for at, text in enumerate(texts) if _defined(text) & _defined(ran)), len(texts))
        texts[at : at + 1] = [ran]
    return [cell_of(number, text) for number, text in enumerate(texts, start=1)]


def saved(text: str) -> list[str]:
    """The texts of the cells in the file of a notebook; none if it is no such file."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = text.split("\n")
    found: list[str] = []
    for node in body:
        if isinstance(node, ast.With) and _is_app(node.items[0].context_expr):
            found.append(_inside(lines, node.lineno, node.body))
        elif isinstance(node, Definition) and (kinds := [_is_app(one) for one in node.decorator_list]) and any(kinds):
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
    first = min([kept[0].lineno, *(one.lineno for one in getattr(kept[0], "decorator_list", ()))])
    while first - 1 > header and re.match(r"\s*(#|$)", lines[first - 2]):
        first -= 1
    strings = [
        one for statement in kept for one in ast.walk(statement) if isinstance(one, ast.Constant | ast.JoinedStr)
    ]
    within = {number for one in strings for number in range(one.lineno + 1, (one.end_lineno or one.lineno) + 1)}
    numbers = range(first, (kept[-1].end_lineno or first) + 1)
    texts = (lines[one - 1] if one in within else lines[one - 1].removeprefix("    ") for one in numbers)
    return "\n".join(texts).strip("\n")


def _files(names: Mapping[str, Any]) -> Iterator[str]:
    for value in list(names.values()):
        for one in vars(value).values() if isinstance(value, type) else (value,):
            if (function := plain(one)) is not None and is_cell(function.__code__.co_filename):
                yield function.__code__.co_filename


def plain(value: Any) -> FunctionType | None:
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
    return {one.name for one in cell_of(0, text).body or () if isinstance(one, Definition)}
