"""Diagrams of a statement as data: shapes that flow through steps, and a table of cells.

Both are written as text in a fenced block, which any viewer of Markdown shows as it stands.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

ARROW = "->"
FLOW, GRID = "flow", "grid"
KINDS = (FLOW, GRID)
"""The languages of fenced blocks that hold a diagram."""
FILLED, EMPTY = "#", "."
"""The cells of a grid that are a mark and no text."""

_ARRAY = re.compile(r"(.*\S)\s+(\([^()]*\))")


class DiagramError(ValueError):
    """The text of a diagram cannot be read. The message says why, and how to write it."""


@dataclass(frozen=True)
class Step:
    """An array with its shape, such as `(T, d)`, or an operation, which has no shape: `shape` is empty then."""

    text: str
    shape: str = ""


@dataclass(frozen=True)
class Flow:
    """Chains of arrays and of the operations between them. An array may be in several chains."""

    chains: tuple[tuple[Step, ...], ...]

    @property
    def names(self) -> frozenset[str]:
        """The names in its shapes."""
        return frozenset[str]().union(*(names_of_shape(step.shape) or () for chain in self.chains for step in chain))


@dataclass(frozen=True)
class Grid:
    """A table of cells: text, `FILLED` or `EMPTY`. `head` is the heading of each column, with that of the rows first."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read(kind: str, text: str) -> Flow | Grid:
    """A diagram from the text of its fenced block.

    Args:
        kind: `FLOW` or `GRID`.

    Raises:
        DiagramError: where the text is no such diagram.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise DiagramError("the diagram is empty")
    return _flow(lines) if kind == FLOW else _grid(lines)


def names_of_shape(text: str) -> frozenset[str] | None:
    """The names in a shape such as `(T, 2 * d)`; None if the text is no tuple."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(tree, ast.Tuple):
        return None
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _flow(lines: list[str]) -> Flow:
    chains: list[tuple[Step, ...]] = []
    for line in lines:
        steps = [_step(piece.strip()) for piece in line.split(ARROW)]
        if len(steps) < 2 or not all(step.text for step in steps):
            raise DiagramError(
                f"{line!r}: put `{ARROW}` between arrays and operations, as in `x (T, d) {ARROW} sum {ARROW} y (T,)`"
            )
        if not steps[0].shape or not steps[-1].shape:
            raise DiagramError(f"{line!r}: begin and end with an array and its shape, as in `x (T, d)`")
        chains.append(tuple(steps))
    return Flow(tuple(chains))


def _step(piece: str) -> Step:
    found = _ARRAY.fullmatch(piece)
    if found and names_of_shape(found[2]) is not None:
        return Step(found[1], found[2])
    return Step(piece)


def _grid(lines: list[str]) -> Grid:
    head, *rows = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
    if len(head) < 2 or not rows:
        raise DiagramError(
            "put `|` between its cells, the headings of the columns first, and a row on each line after them"
        )
    for line, row in zip(lines[1:], rows, strict=True):
        if len(row) != len(head):
            raise DiagramError(
                f"{line!r} has {len(row)} cells, and the first line has {len(head)}: give each row as many"
            )
    return Grid(head, tuple(rows))
