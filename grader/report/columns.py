"""Tables that fit any terminal. Words are never broken: text folds at spaces, and paths after a `/`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from grader.kit.text import plain
from grader.report.terminal import Terminal

GAP = 2
"""Blanks that a column takes beside its text."""

ELLIPSIS = " …"

NOTHING = "-"
"""A cell with this is left out where there are no columns."""

Cell = str | Text


def print_table(
    terminal: Terminal,
    headers: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    optional: Sequence[str] = (),
    one_line: str | None = None,
) -> None:
    """Print a table of text. A terminal that is too narrow for its words gets each row in several lines.

    Args:
        optional: headers of the columns that are left out if the words of all do not fit, the least needed first.
        one_line: the header of a column whose text is cut after a word that still fits, and not folded.
    """
    cells = [[_text(terminal, cell) for cell in row] for row in (headers, *rows)]
    columns = list(zip(*cells, strict=True))
    end = ELLIPSIS if terminal.unicode else plain(ELLIPSIS)
    ends = [end if name == one_line else "" for name in headers]
    least = [max(_least(cell.plain, end) for cell in column) for end, column in zip(ends, columns, strict=True)]
    kept, left_out = list(range(len(headers))), iter(optional)
    while (spare := terminal.console.width - sum(least[at] + GAP for at in kept)) < 0:
        if (dropped := next(left_out, None)) is None:
            _print_blocks(terminal, *([row[at] for at in kept] for row in cells))
            return
        kept.remove(headers.index(dropped))
    widths = _widths([least[at] for at in kept], [max(map(_length, columns[at])) for at in kept], spare)
    table = Table(box=None, pad_edge=True, header_style="bold")
    for width, at in zip(widths, kept, strict=True):
        table.add_column(cells[0][at].plain, width=width, overflow="fold")
    for row in cells[1:]:
        table.add_row(*(_fitted(row[at], width, ends[at]) for width, at in zip(widths, kept, strict=True)))
    terminal.console.print(table)


def fits(terminal: Terminal, headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a table needs no folding."""
    columns = zip(*([_length(_text(terminal, cell)) for cell in row] for row in (headers, *rows)), strict=True)
    return sum(max(column) + GAP for column in columns) <= terminal.console.width


def _text(terminal: Terminal, cell: Cell) -> Text:
    text = cell if isinstance(cell, Text) else Text(cell)
    return text if terminal.unicode else Text(plain(text.plain), text.style)


def _length(cell: Text) -> int:
    return cell.cell_len


def _print_blocks(terminal: Terminal, headers: Sequence[Text], *rows: Sequence[Text]) -> None:
    """Print each row as a line with its first cell, and the others below it. A number stands behind its header."""
    for first, *others in rows:
        terminal.text(first)
        named = [
            Text.assemble(header, " ", cell) if re.fullmatch(r"[\d.,]+ ?%?", cell.plain) else cell
            for header, cell in zip(headers[1:], others, strict=True)
        ]
        below = Text("  ").join(cell for cell in named if cell.plain not in ("", NOTHING))
        if below.plain:
            terminal.text(below, indent=3)


def _widths(least: Sequence[int], most: Sequence[int], spare: int) -> list[int]:
    """The widths of columns: what is spare beyond the least widths goes first to those that need little more."""
    widths = list(least)
    for at in sorted(range(len(widths)), key=lambda at: most[at] - least[at]):
        more = min(most[at] - least[at], spare)
        widths[at], spare = widths[at] + more, spare - more
    return widths


def _pieces(text: str) -> list[str]:
    """The parts of a text between which it may be folded: words, and folders of a path."""
    return re.findall(r"\s+|[^\s/]*/|[^\s/]+", text)


def _least(text: str, end: str) -> int:
    """The columns that the longest word takes, and with it the `end` that may stand for the words after it."""
    pieces = _pieces(text)
    return max(map(cell_len, pieces), default=0) + (len(end) if len(pieces) > 1 else 0)


def _fitted(cell: Text, width: int, end: str) -> Text:
    """The cell folded to a width. If there is an `end`, it is cut to one line instead, and the `end` shows that."""
    lines = [""]
    for piece in _pieces(cell.plain):
        if cell_len(lines[-1]) + cell_len(piece.rstrip()) > width:
            lines.append("")
        if lines[-1] or not piece.isspace():
            lines[-1] += piece
    if not end or len(lines) == 1:
        return Text("\n".join(line.rstrip() for line in lines if line), cell.style)
    whole = _pieces(lines[0])
    while whole and cell_len("".join(whole).rstrip() + end) > width:
        whole.pop()
    return Text("".join(whole).rstrip() + end, cell.style)
