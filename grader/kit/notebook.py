"""An answer in a notebook: the function and what it needs, as text. Nothing of the notebook is executed."""

from __future__ import annotations

import ast
import builtins
import json
import re
import symtable
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

NEWEST, OLDEST = 4, 4
"""The formats of notebooks that are read (`nbformat`)."""
TAG = "answer:"
"""A cell with the tag `answer:rope` is the answer to `rope`, whatever else the notebook defines."""

_PYTHON_MAGICS = frozenset(("capture", "prun", "time", "timeit"))
"""Magics of a whole cell whose other lines are Python."""
_MAGIC = re.compile(r"^(\s*)(?:[%!?]|[\w., \[\]]+=\s*[%!]).*$|^(\s*)[\w.]+\?{1,2}\s*$")
"""A line for IPython alone: a magic, a shell command, their result in a variable, a question for help."""


class NotebookError(ValueError):
    """A notebook holds no answer that can be taken out. The message says why, as a sentence without a capital."""


@dataclass(frozen=True)
class Extract:
    """An answer that was taken out of a notebook.

    Attributes:
        text: Python.
        missing: names that it needs and the notebook defines nowhere.
        places: for each line of the text, its cell among all cells, from 1, and the line there; (0, 0) for a line between.
    """

    text: str
    missing: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Cell:
    number: int
    text: str
    tags: tuple[str, ...]

    @property
    def nodes(self) -> list[ast.stmt] | None:
        """Its statements; None if it is no Python."""
        try:
            return ast.parse(self.text).body
        except (SyntaxError, ValueError):
            return None


@dataclass(frozen=True)
class _Statement:
    """A statement at the top level of a cell, with the names that it defines and those that it reads from outside."""

    cell: int
    first: int
    last: int
    text: str
    defines: frozenset[str]
    reads: frozenset[str]
    is_function: bool


def answer_in(notebook: str, name: str) -> Extract:
    """The function `name` of a notebook, with the definitions that it needs. Of several definitions, the last one counts.

    A cell with the tag `answer:NAME` counts before all others.

    Raises:
        NotebookError: if this is no notebook that can be read, or no cell defines the function.
    """
    cells = _cells(notebook)
    tagged = [cell for cell in cells if f"{TAG}{name}" in cell.tags]
    statements = [one for cell in cells for one in _statements(cell)]
    if tagged:
        own = [one for one in statements if one.cell == tagged[-1].number]
        return _extract(own, statements, [tagged[-1]]) if own else _as_it_stands(tagged[-1])
    broken = [
        cell for cell in cells if cell.nodes is None and re.search(rf"^\s*def\s+{name}\b", cell.text, re.MULTILINE)
    ]
    own = [one for one in statements if name in one.defines][-1:]
    if broken and (not own or broken[-1].number > own[0].cell):
        return _as_it_stands(broken[-1])
    if not own:
        raise NotebookError(f"no cell defines the function {name}.")
    return _extract(own, statements, [])


def answers(notebook: str, names: Sequence[str]) -> list[str]:
    """Those of some functions that a notebook defines, or has a cell with a tag for.

    Raises:
        NotebookError: if this is no notebook that can be read.
    """
    cells = _cells(notebook)
    tags = {tag for cell in cells for tag in cell.tags}
    defined = {one for cell in cells for one in re.findall(r"^(?:async\s+)?def\s+(\w+)", cell.text, re.MULTILINE)}
    defined |= {one for cell in cells for statement in _statements(cell) for one in statement.defines}
    return [name for name in names if name in defined or f"{TAG}{name}" in tags]


def _cells(notebook: str) -> list[_Cell]:
    """The cells of Python, without what is for IPython alone."""
    try:
        read = json.loads(notebook)
    except (ValueError, RecursionError):
        raise NotebookError("it is no notebook: its text is not JSON. Save it again in Jupyter.") from None
    if not isinstance(read, dict) or not isinstance(read.get("nbformat"), int):
        raise NotebookError("it is no notebook: `nbformat` is missing. Save it again in Jupyter.")
    if not OLDEST <= read["nbformat"] <= NEWEST or not isinstance(read.get("cells"), list):
        raise NotebookError(
            f"its format is {read['nbformat']}, and only notebooks of format 4 are read: save it again in Jupyter."
        )
    found = (_cell(number, one) for number, one in enumerate(read["cells"], start=1))
    return [cell for cell in found if cell is not None]


def _cell(number: int, cell: Any) -> _Cell | None:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    source = cell.get("source", "")
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    plain = _without_magics(text)
    return None if plain is None else _Cell(number, plain, tuple(map(str, tags)) if isinstance(tags, list) else ())


def _without_magics(text: str) -> str | None:
    """The lines of a cell, with as many lines as before; None if the cell is in another language."""
    lines = text.splitlines()
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines and lines[first].startswith("%%"):
        if lines[first][2:].split(maxsplit=1)[:1] not in [[one] for one in _PYTHON_MAGICS]:
            return None
        lines[first] = ""
    plain = "\n".join(lines)
    try:
        ast.parse(plain)
    except (SyntaxError, ValueError):
        # Only now: inside a string, such a line is text.
        return "\n".join(
            f"{found[1] or found[2] or ''}pass" if (found := _MAGIC.match(line)) else line for line in lines
        )
    return plain


def _statements(cell: _Cell) -> Iterator[_Statement]:
    lines = cell.text.splitlines()
    for node in cell.nodes or ():
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(one.lineno for one in decorators)])
        last = node.end_lineno or node.lineno
        text = "\n".join(lines[first - 1 : last])
        defines, reads = _names(node)
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        yield _Statement(cell.number, first, last, text, defines, reads, is_function)


def _names(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a statement defines, and those that it reads from outside, at once or when it is called."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return frozenset((one.asname or one.name).split(".")[0] for one in node.names), frozenset()
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    symbols = table.get_symbols()
    defines = {one.get_name() for one in symbols if one.is_assigned() or one.is_imported() or one.is_namespace()}
    reads = {one.get_name() for one in symbols if one.is_referenced()}
    waiting = list(table.get_children())
    while waiting:
        inner = waiting.pop()
        reads |= {one.get_name() for one in inner.get_symbols() if one.is_global() and one.is_referenced()}
        waiting += inner.get_children()
    if isinstance(node, ast.For | ast.If | ast.Match | ast.Try | ast.While | ast.With):
        reads -= defines  # such a statement mostly reads them after it has defined them
    return frozenset(defines), frozenset(reads)


def _extract(own: Sequence[_Statement], statements: Sequence[_Statement], whole: Sequence[_Cell]) -> Extract:
    """Some statements and what they need, in the order of the notebook."""
    taken = dict.fromkeys([*own, *(one for one in statements if _is_of_the_future(one))])
    inside = {name for one in own for name in one.defines} if whole else set[str]()
    waiting, missing = list(taken), dict[str, None]()
    while waiting:
        one = waiting.pop()
        for name in sorted(one.reads - inside):
            found = _definition(name, one, statements)
            if found is None and not hasattr(builtins, name):
                missing[name] = None
            elif found is not None and found not in taken:
                taken[found] = None
                waiting.append(found)
    if missing:
        # A name may come from `from module import *`.
        taken.update(dict.fromkeys(one for one in statements if "*" in one.defines))
    return _joined(sorted(taken, key=lambda one: (not _is_of_the_future(one), one.cell, one.first)), tuple(missing))


def _definition(name: str, of: _Statement, statements: Sequence[_Statement]) -> _Statement | None:
    """The last statement that defines a name. `x = f(x)` needs the one before itself."""
    found = [one for one in statements if name in one.defines]
    if of in found and not of.is_function:
        found = found[: found.index(of)]
    return found[-1] if found else None


def _is_of_the_future(one: _Statement) -> bool:
    return one.text.startswith("from __future__ ")


def _joined(taken: Sequence[_Statement], missing: tuple[str, ...]) -> Extract:
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    for one in taken:
        if places and one.cell == places[-1][0] and one.first <= places[-1][1]:
            continue  # `a = 1; b = 2` is one line
        if places and (one.cell, one.first) != (places[-1][0], places[-1][1] + 1):
            lines.append("")
            places.append((0, 0))
        lines += one.text.split("\n")
        places += [(one.cell, line) for line in range(one.first, one.last + 1)]
    return Extract("\n".join(lines) + "\n", missing, tuple(places))


def _as_it_stands(cell: _Cell) -> Extract:
    """A cell that is no Python: graded as it is, the report says where its mistake is."""
    lines = cell.text.split("\n")
    return Extract(cell.text + "\n", (), tuple((cell.number, line) for line in range(1, len(lines) + 1)))
