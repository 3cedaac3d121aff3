"""What stands in the cells of a table that another system wrote, and what an export makes of it: it says each change."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from grader.classroom.row_text import clean


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
            one = len(self._changed) == 1
            stands = "that stands there changes" if one else "that stand there change"
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
