"""Lines of an answer with their numbers, and carets under one expression: right with tabs, wide and invisible characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from grader.kit.text import plain
from grader.locale.language import ngettext

INDENT = 3
"""Blanks before a number of a line."""

MOST_LINES = 6
"""Of an expression on more lines, the first ones are shown."""

TAB = 4


@dataclass(frozen=True)
class SourceLine:
    """One line that fits, and the carets below it; empty if nothing of it is marked."""

    line: str
    carets: str


def margin(number: int | str, pad: int, *, unicode: bool) -> str:
    """What stands before a line: its number in a column of `pad` characters, and a bar."""
    return f"{'':{INDENT}}{number:>{pad}} {'│' if unicode else '|'} "


def source(
    lines: Sequence[str], first: int, column: int, end_column: int, width: int, *, unicode: bool
) -> list[SourceLine]:
    """The lines that an expression spans. One that is longer than the width is cut around the expression.

    Args:
        first: the number of the first line.
        column, end_column: the first character of the expression in the first line, and the one after it in the last line.
    """
    pad = len(str(first + len(lines) - 1))
    room = width - len(margin("", pad, unicode=unicode))
    if any(cell_len("".join(_cells(line, unicode=unicode))) > room for line in lines):
        # Without the indentation that all of them have, more of them fits.
        common = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        lines, column, end_column = [line[common:] for line in lines], column - common, end_column - common
    shown: list[SourceLine] = []
    for index, line in enumerate(lines[:MOST_LINES]):
        start = column if index == 0 else len(line) - len(line.lstrip())
        end = end_column if index == len(lines) - 1 else len(line.rstrip())
        text, carets = fitted(line, start, end, room, unicode=unicode)
        before, below = margin(first + index, pad, unicode=unicode), margin("", pad, unicode=unicode)
        shown.append(SourceLine(f"{before}{text}".rstrip(), f"{below}{carets}" if carets else ""))
    if (left := len(lines) - MOST_LINES) > 0:
        more = ngettext("({count} more line)", "({count} more lines)", left).format(count=left)
        shown.append(SourceLine(margin("", pad, unicode=unicode) + (more if unicode else plain(more)), ""))
    return shown


def fitted(line: str, start: int, end: int, room: int, *, unicode: bool) -> tuple[str, str]:
    """A line in at most `room` columns, and carets under its characters from `start` to `end`."""
    cells = _cells(line.rstrip(), unicode=unicode)
    widths = [cell_len(cell) for cell in cells]
    start, end = min(start, len(cells)), min(end, len(cells))
    ellipsis = "…" if unicode else "..."
    low, high = 0, len(cells)
    if sum(widths) > room:
        left = room - len(ellipsis)
        if sum(widths[low:end]) > left:
            # From the expression on as much as fits, then what fits before it.
            left -= len(ellipsis)
            low = start
        high = low
        while high < len(cells) and sum(widths[low : high + 1]) <= left:
            high += 1
        while low > 0 and sum(widths[low - 1 : high]) <= left:
            low -= 1
    before, after = ellipsis if low else "", ellipsis if high < len(cells) else ""
    blank = len(before) + sum(widths[low:start])
    marked = sum(widths[max(low, start) : min(high, end)])
    return f"{before}{''.join(cells[low:high])}{after}", " " * blank + "^" * marked if marked else ""


def _cells(line: str, *, unicode: bool) -> list[str]:
    """What is printed for each character: nothing for one that is invisible, several blanks for a tab."""
    cells: list[str] = []
    at = 0
    for character in line:
        if character == "\t":
            cell = " " * (TAB - at % TAB)
        elif unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            cell = ""
        else:
            cell = character if unicode else plain(character)
        cells.append(cell)
        at += cell_len(cell)
    return cells
