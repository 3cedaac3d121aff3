"""The cells of a table that another system wrote: each with its place, and what an export makes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from grader.classroom.row_text import clean
from grader.kit.kit import KitError

BOM = "\ufeff"


@dataclass(frozen=True)
class TableCell:
    """One cell. `start` and `end` are its place in the whole text, with its quotes."""

    text: str
    start: int
    end: int


def read_cells(text: str, delimiter: str) -> list[list[TableCell]]:
    """The lines of a CSV file that hold something, its header first. Every line has as many cells as the header.

    Python's own reader gives no places, and refuses a cell of more than 131,072 characters.

    Raises:
        KitError: it is no such file. The message is one line, and names the line of the file.
    """
    pattern = re.compile(rf'"([^"]*+(?:""[^"]*+)*+)"|([^"\r\n{re.escape(delimiter)}][^\r\n{re.escape(delimiter)}]*)|')
    lines: list[list[TableCell]] = []
    line: list[TableCell] = []
    at = len(BOM) if text.startswith(BOM) else 0
    while at < len(text) or line:
        found = pattern.match(text, at)
        assert found is not None  # the last alternative is empty
        quoted, plain = found.groups()
        line.append(TableCell(plain or (quoted or "").replace('""', '"'), at, found.end()))
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


def changed_table(text: str, cells: Mapping[TableCell, str]) -> str:
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


@dataclass
class Standing:
    """The cells of one column, as an export fills them in.

    Attributes:
        only_blank: whether what stands there stays.
        what: what the column holds, in the singular.
    """

    only_blank: bool
    what: str = "grade"
    _blank: list[str] = field(default_factory=list[str])
    _changed: list[str] = field(default_factory=list[str])
    _kept: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def put(self, student: str, stands: str, text: str, *, number: bool = True) -> str:
        """What is to stand in the cell of a student.

        Args:
            stands: what is there now.
            text: what the export would write; empty for nothing.
            number: whether a number belongs there, so that no other text in it is overwritten.
        """
        before = "" if stands.strip() == "-" else stands.strip()  # some systems write a dash for nothing
        if not text or before == text or (number and _number(before) is not None and _number(before) == _number(text)):
            return stands
        if not before:
            self._blank.append(student)
            return text
        if self.only_blank:
            return self.keep(student, stands, "--only-blank")
        if number and _number(before) is None:
            return self.keep(student, stands, "no number")
        self._changed.append(f"{student} from {before} to {text}" if number else student)
        return text

    def keep(self, student: str, stands: str, why: str) -> str:
        """Let a cell be as it is."""
        self._kept.setdefault(why, []).append(f"{student} ({stands.strip()})" if stands.strip() else student)
        return stands

    def notes(self) -> list[str]:
        """Each cell that changes, and each that stays in the place of another text, by the student: a line for each kind."""
        lines: list[str] = []
        if self._changed:
            single = len(self._changed) == 1
            stands = "that stands there changes" if single else "that stand there change"
            lines.append(f"{self._counted(self._changed)} {stands}: {_listed(self._changed)}.")
        for why, students in self._kept.items():
            stays = "as it stands" if len(students) == 1 else "as they stand"
            lines.append(f"{self._counted(students)} left {stays} ({why}): {_listed(students)}.")
        if self._blank:
            lines.append(f"{self._counted(self._blank)} filled in where nothing stood: {_listed(self._blank)}.")
        return lines

    def _counted(self, of: list[str]) -> str:
        return f"{len(of)} {self.what}" if len(of) == 1 else f"{len(of)} {self.what}s"


def _number(text: str) -> Fraction | None:
    """A number in a cell, with a point or a comma as its decimal sign."""
    found = re.fullmatch(r"(-?\d{1,9})(?:[.,](\d{1,9}))?", text)
    return Fraction(f"{found[1]}.{found[2] or 0}") if found else None


def _listed(ids: list[str]) -> str:
    """All of them: nothing is written that no line tells."""
    return clean(" ".join(", ".join(ids).split()))
