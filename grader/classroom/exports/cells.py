"""The cells of a table that another system wrote, each with its place in the text: what is not changed stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.kit.kit import KitError

BOM = "\ufeff"


@dataclass(frozen=True)
class Cell:
    """One cell. `start` and `end` are its place in the whole text, with its quotes."""

    text: str
    start: int
    end: int


def read_cells(text: str, delimiter: str) -> list[list[Cell]]:
    """The lines of a CSV file that hold something, its header first. Every line has as many cells as the header.

    Python's own reader gives no places, and refuses a cell of more than 131,072 characters.

    Raises:
        KitError: it is no such file. The message is one line, and names the line of the file.
    """
    one = re.compile(rf'"([^"]*+(?:""[^"]*+)*+)"|([^"\r\n{re.escape(delimiter)}][^\r\n{re.escape(delimiter)}]*)|')
    lines: list[list[Cell]] = []
    line: list[Cell] = []
    at = len(BOM) if text.startswith(BOM) else 0
    while at < len(text) or line:
        found = one.match(text, at)
        assert found is not None  # the last alternative is empty
        quoted, plain = found.groups()
        line.append(Cell(plain or (quoted or "").replace('""', '"'), at, found.end()))
        at = found.end()
        if text.startswith(delimiter, at):
            at += len(delimiter)
            continue
        if at < len(text) and text[at] not in "\r\n":
            raise _broken(text, at, "a quote is not closed, or not where a cell begins")
        if len(line) > 1 or line[0].text.strip():
            if lines and len(line) != len(lines[0]):
                raise _broken(text, line[0].start, f"it has {len(line)} cells, and the header has {len(lines[0])}")
            lines.append(line)
        line = []
        at += 2 if text.startswith("\r\n", at) else 1
    return lines


def changed(text: str, cells: Mapping[Cell, str]) -> str:
    """The text with others in the place of some cells. Everything else stays, byte for byte."""
    parts: list[str] = []
    at = 0
    for cell in sorted(cells, key=lambda cell: cell.start):
        parts += [text[at : cell.start], cells[cell]]
        at = cell.end
    return "".join([*parts, text[at:]])


def quoted(text: str) -> str:
    """A text as a cell that may hold any of it."""
    return '"' + text.replace('"', '""') + '"'


def read_number(text: str, decimals: int) -> Fraction | None:
    """A number above 0 with a point or a comma as its decimal sign; None if it is none, or has more decimals than these.

    No system that is read here writes anything between thousands.
    """
    found = re.fullmatch(rf"\s*(\d{{1,9}})(?:[.,](\d{{1,{decimals}}}))?\s*", text)
    return (Fraction(f"{found[1]}.{found[2] or 0}") or None) if found else None


def _broken(text: str, at: int, why: str) -> KitError:
    number = len(re.findall(r"\r\n|\r|\n", text[:at])) + 1
    return KitError(f"The table of --into, line {number}: {why}. Download it again, and do not edit it.")
