"""What every export reads: the rows of a class, the points, who is who, and what may be shown."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from urllib.parse import quote

from grader.classroom.points import DEFAULT, Points, in_text, parsed, rounded
from grader.classroom.roster import Person, Roster
from grader.classroom.row import DUE, FAULT, Row
from grader.kit.kit import KitError
from grader.report.feedback import FULL

MISSING = "missing"
"""In place of an outcome: somebody of the roster handed in nothing."""


@dataclass(frozen=True)
class Sheet:
    """One class to export.

    Attributes:
        roster: empty if the class has none.
        level: the level of feedback: what is told beyond the status and the points.
        title: the name of the assignment.
        template: a table that another system wrote, to be filled in, byte for byte; empty if there is none.
        notes: what an export leaves out, in one line each; it adds to them.
    """

    rows: Sequence[Row]
    points: Points = field(default_factory=lambda: Points(parsed(DEFAULT)))
    roster: Roster = field(default_factory=lambda: Roster(()))
    level: str = FULL
    title: str = "exercises"
    template: str = ""
    notes: list[str] = field(default_factory=list[str])

    @property
    def absent(self) -> Sequence[Person]:
        """Who is in the roster and handed in nothing."""
        return self.roster.without_work({row.student for row in self.rows})

    @property
    def problems(self) -> list[str]:
        return sorted({row.problem for row in self.rows})

    def students(self) -> dict[str, list[Row]]:
        """The rows of each student, by the order of problems."""
        grouped: dict[str, list[Row]] = {name: [] for name in sorted({row.student for row in self.rows})}
        for row in sorted(self.rows, key=lambda row: row.problem):
            grouped[row.student].append(row)
        return grouped

    def total(self, rows: Sequence[Row]) -> Fraction | None:
        """The sum of a student's points. None if an answer is due or ended in a fault: the sum is not known then.

        A problem that the student handed nothing in for is worth nothing.
        """
        each = [self.points.of(row) for row in rows]
        return sum((one for one in each if one is not None), Fraction(0)) if None not in each else None

    @property
    def most(self) -> Fraction:
        return sum((self.points.most(name) for name in self.problems), Fraction(0))

    def score(self, rows: Sequence[Row], possible: Fraction, where: str) -> Fraction | None:
        """A student's sum where another system counts to `possible`, with at most two decimals. None if it is not known.

        Raises:
            KitError: nothing here has points.
        """
        total, most = self.total(rows), self.most
        if total is None or possible == most:
            return None if total is None else rounded(total)
        if not most:
            raise KitError("The rule gives no points for anything: there is nothing to count.")
        counts = Counter(row.problem for row in self.rows)
        told = ", ".join(f"{name} (answered by {count})" for name, count in sorted(counts.items()))
        note = f"Scaled: the problems here, {told}, give {in_text(most)} at most, and {where} counts to {in_text(possible)}."
        if len(counts) > 1:
            note += " To count only some of them, grade those alone, into another --gradebook."
        if note not in self.notes:
            self.notes.append(note)
        return rounded(total * possible / most)

    def lateness(self, row: Row) -> str:
        """What is told behind the outcome or the points of a late answer, such as ` (2 days late)`; empty if it is not."""
        late = self.points.late(row)
        if late is None:
            return ""
        before, points = self.points.before(row), self.points.of(row)
        lost = f", {in_text(before)} before that" if before != points else ""
        return f" ({'late' if late.days is None else f'{late} late'}{lost})"

    def missing(self, rows: Sequence[Row]) -> list[str]:
        """The problems that a student handed nothing in for, and somebody did."""
        return sorted(set(self.problems) - {row.problem for row in rows})

    def open(self, rows: Sequence[Row]) -> list[Row]:
        """The rows without a verdict."""
        return [row for row in rows if row.state in (DUE, FAULT)]


LONGEST_NAME = 200
"""The most bytes of the name of a file that is made of a student's id: file systems take 255, and names get endings."""


def folder_of(student: str) -> str:
    """A student's id as the name of a folder: what no such name may hold is written as in addresses of the web, `%2F`.

    Two students have two names. A name that would be too long is cut, and ends with a digest of the id.
    """
    name = "".join(
        quote(one, safe="", errors="surrogatepass") if one in r"%/\:" or not one.isprintable() else one
        for one in student
    )
    if len(name.encode()) > LONGEST_NAME:
        digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return f"{name.encode()[:LONGEST_NAME].decode(errors='ignore')}%~{digest}"
    return name if name.strip(".") else name.replace(".", "%2E") or "%"
