"""What every export reads: the rows of a class, the points, who is who, and what may be shown."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from urllib.parse import quote

from grader.classroom.points import DEFAULT, Points, in_text, parsed, rounded
from grader.classroom.roster import Person, Roster
from grader.classroom.row import DUE, FAULT, VERDICT, Row
from grader.classroom.row_text import listed, row_words
from grader.classroom.submission import Unread
from grader.classroom.teams import OF_ROSTER
from grader.kit.kit import KitError
from grader.locale.language import gettext, ngettext
from grader.marking.verdict import Status
from grader.options import FULL
from grader.options import VERDICT as VERDICT_ALONE

MISSING = "missing"
"""In place of an outcome: somebody of the roster handed in nothing."""
UNREAD = "unread"
"""In place of an outcome: something was handed in, and is not graded."""

MOST_TOLD = 12
"""Of so many students, a line each says why their sum is not known; more are listed in one."""


@dataclass(frozen=True)
class Sheet:
    """One class to export.

    A student is here who handed in something, though it may be nothing that was read, or who was given points by hand.

    Attributes:
        roster: empty if the class has none.
        level: the level of feedback: what is told beyond the status and the points.
        title: the name of the assignment.
        template: a table that another system wrote, to be filled in, byte for byte; empty if there is none.
        unread: what was handed in and is not graded.
        only_blank: whether what stands in the table stays.
        tells: whether the table gets feedback too.
        notes: what an export changes and leaves out, in one line each; it adds to them.
        written: the score of each student that stands in the table of another system; an export adds to them.
    """

    rows: Sequence[Row]
    points: Points = field(default_factory=lambda: Points(parsed(DEFAULT)))
    roster: Roster = field(default_factory=lambda: Roster(()))
    level: str = FULL
    title: str = "exercises"
    template: str = ""
    unread: Sequence[Unread] = ()
    only_blank: bool = False
    tells: bool = False
    notes: list[str] = field(default_factory=list[str])
    written: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def absent(self) -> Sequence[Person]:
        """Who is in the roster, and not here."""
        return self.roster.without_work(self.students)

    @cached_property
    def problems(self) -> list[str]:
        """What somebody answered, or was given points for by hand."""
        lacking = {unread_file.problem for unread_file in self.unread if unread_file.student and unread_file.problem}
        by_hand = {name for given in self.points.by_hand.values() for name in given}
        return sorted({row.problem for row in self.rows} | lacking | by_hand)

    @cached_property
    def students(self) -> dict[str, list[Row]]:
        """The rows of each student, by the order of problems; none if nothing was read."""
        names = {row.student for row in self.rows} | {
            unread_file.student for unread_file in self.unread if unread_file.student
        }
        grouped: dict[str, list[Row]] = {name: [] for name in sorted(names | {*self.points.by_hand})}
        for row in sorted(self.rows, key=lambda row: row.problem):
            grouped[row.student].append(row)
        return grouped

    def _settled(self, student: str, problem: str) -> bool:
        """Whether the points of a student do not depend on what was handed in."""
        return self.points.is_excused(student, problem) or self.points.given(student, problem) is not None

    def unread_of(self, student: str) -> list[Unread]:
        """What a student handed in that is not graded, where an answer is lacking by it."""
        read = {row.problem for row in self.students.get(student, ())}
        lacking = {name for name in self.problems if name not in read and not self._settled(student, name)}
        own = [unread_file for unread_file in self.unread if unread_file.student == student]
        doubts = [
            unread_file for unread_file in own if unread_file.doubt and not self._settled(student, unread_file.problem)
        ]
        return [
            unread_file
            for unread_file in own
            if unread_file in doubts or (unread_file.problem in lacking if unread_file.problem else lacking)
        ]

    def beside_stubs(self, student: str) -> list[Unread]:
        """What a student handed in that is not graded, since a stub that nobody filled in counts in its place."""
        stubs = {
            row.problem
            for row in self.students[student]
            if row.verdict is not None and row.verdict.status is Status.UNATTEMPTED
        }
        lacking = self.unread_of(student)
        return [
            unread_file
            for unread_file in self.unread
            if unread_file.student == student and unread_file.problem in stubs and unread_file not in lacking
        ]

    def doubts(self, student: str) -> list[str]:
        """Why the sum of a student is not known, in a sentence or more for each reason; none if it is."""
        found: list[str] = []
        for row in self.students[student]:
            if self.points.of(row) is None and not self.points.is_excused(student, row.problem):
                late = "It is late, and nobody knows by how much."
                found.append(f"{row.problem}: {late if row.state == VERDICT else row_words(row, VERDICT_ALONE).text}")
        return [*found, *(f"{unread_file.path}: {unread_file.why}" for unread_file in self.unread_of(student))]

    def is_excused(self, student: str) -> bool:
        """Whether a student is excused from all that a sum is out of."""
        return student in self.points.excused and not self.most_of(student)

    def total(self, student: str) -> Fraction | None:
        """The sum of a student's points. None if a part of it is not known, or if the student is excused from all.

        A problem that the student handed nothing in for is worth nothing.
        """
        if self.is_excused(student) or self.doubts(student):
            return None
        rows = {row.problem: self.points.of(row) or Fraction(0) for row in self.students[student]}
        by_hand = {name: hand_grade.points for name, hand_grade in self.points.by_hand.get(student, {}).items()}
        return sum({**rows, **by_hand}.values(), Fraction(0))

    @property
    def most(self) -> Fraction:
        """What a sum is out of, for who is not excused from anything."""
        return self.most_of("")

    def most_of(self, student: str) -> Fraction:
        """What the sum of a student is out of: no bonus, and nothing that the student is excused from."""
        asked = [problem for problem in self.problems if problem not in self.points.bonus]
        return sum(
            (self.points.most(problem) for problem in asked if not self.points.is_excused(student, problem)),
            Fraction(0),
        )

    def score(self, student: str, possible: Fraction, where: str) -> Fraction | None:
        """A student's sum where another system counts to `possible`, with at most two decimals. None if it is not known.

        Raises:
            KitError: nothing here has points.
        """
        total, most, own = self.total(student), self.most, self.most_of(student)
        if total is None:
            return None
        if not most:
            bonus = any(map(self.points.most, self.problems))
            nothing = "No problem here but a bonus gives points" if bonus else "The rule gives no points for anything"
            raise KitError(f"{nothing}: there is nothing to count.")
        if possible != most:
            counts = Counter(row.problem for row in self.rows)
            answered = ", ".join(f"{name} (answered by {counts[name]})" for name in self.problems)
            note = (
                f"Scaled: the problems here, {answered}, give {in_text(most)} at most, and {where} counts to "
                f"{in_text(possible)}."
            )
            if len(counts) > 1:
                note += " To count only some of them, grade those alone, into another --gradebook."
            if note not in self.notes:
                self.notes.append(note)
        return rounded(total * possible / own)

    def lateness(self, row: Row) -> str:
        """What is told behind the outcome or the points of a late answer, such as ` (2 days late)`; empty if it is not."""
        late = self.points.late(row)
        if late is None:
            return ""
        told = gettext("late")
        if late.days is not None:
            told = ngettext("{count} day late", "{count} days late", late.days).format(count=late.days)
        before = self.points.before(row)
        if before != self.points.of(row) and not self._settled(row.student, row.problem):
            told = gettext("{late}, {points} before that").format(late=told, points=in_text(before))
        return f" ({told})"

    @property
    def advice(self) -> str:
        """What to do if members of teams are not found in a table; empty if that is no question."""
        needed = not self.roster.people and any(row.layout == OF_ROSTER for row in self.rows)
        return " The members of teams have the ids of the roster: give it here too, with --roster." if needed else ""

    def left_out(self, why: str, students: Sequence[str], advice: str = "") -> None:
        """Note whom an export leaves out, if anybody."""
        if students:
            self.notes.append(f"Left out, because {why}: {listed(students)}.{advice}")

    def feedback(self, student: str) -> str:
        """One line on all answers of a student."""
        parts: list[str] = []
        for row in self.students[student]:
            remark = self.points.remark(student, row.problem)
            told = f"{row_words(row, self.level).title}{self.lateness(row)}"
            parts.append(f"{row.problem}: {told}{f' ({remark})' if remark else ''}")
        return "; ".join(parts)

    @property
    def open(self) -> list[Row]:
        """The rows without a verdict."""
        return [row for row in self.rows if row.state in (DUE, FAULT)]

    @cached_property
    def strange(self) -> list[str]:
        """The ids of the points file that nobody has."""
        known = {row.student for row in self.rows} | {unread_file.student for unread_file in self.unread}
        return sorted(self.points.students - known - {id_ for person in self.roster.people for id_ in person.ids})

    @property
    def in_doubt(self) -> bool:
        """Whether something was handed in and is not graded, so that somebody's points are not known."""
        return any(unread_file.doubt for unread_file in self.unread) or any(map(self.unread_of, self.students))

    def unknown(self) -> list[str]:
        """Whose sum is not known, and why, and what is nobody's, in one line each."""
        found = {student: doubts for student in self.students if (doubts := self.doubts(student))}
        lines = [f"The sum of {student} is not known. {' '.join(why)}" for student, why in found.items()]
        if len(lines) > MOST_TOLD:
            rest = ", ".join(list(found)[MOST_TOLD:])
            lines[MOST_TOLD:] = [f"The sum is not known of {len(found) - MOST_TOLD} more: {rest}."]
        for student in self.students:
            lines += [
                f"{student} has a stub in place of an answer. {stub.path}: {stub.why}"
                for stub in self.beside_stubs(student)
            ]
        nobody = {unread_file.path: unread_file.why for unread_file in self.unread if unread_file.nobodys}
        if why := nobody.pop(".", ""):
            lines.append(f"Nothing of the class as it is now is graded, and what was read of it before counts: {why}")
        if nobody:
            lines.append(
                "These files are graded for nobody, because it is not known who handed them in. Their students have no "
                "points for them here: "
                f"{listed(list(nobody))}."
            )
        whole = [student for student in self.points.excused if self.is_excused(student)]
        if part := [student for student in self.points.excused if student not in whole and student in self.students]:
            lines.append(f"Excused from some problems, and so with a sum out of the others: {', '.join(sorted(part))}.")
        if whole:
            lines.append(f"Excused, and so without a sum: {', '.join(sorted(whole))}.")
        if self.strange:
            lines.append(f"The points file names ids that nobody here or in a roster has: {', '.join(self.strange)}.")
        return lines


LONGEST_NAME = 200
"""The most bytes of the name of a file that is made of a student's id: file systems take 255, and names get endings."""


def folder_of(student: str) -> str:
    """A student's id as the name of a folder: what no such name may hold is written as in addresses of the web, `%2F`.

    Two students have two names. A name that would be too long is cut, and ends with a digest of the id.
    """
    name = "".join(
        quote(character, safe="", errors="surrogatepass")
        if character in r"%/\:" or not character.isprintable()
        else character
        for character in student
    )
    if len(name.encode()) > LONGEST_NAME:
        digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return f"{name.encode()[:LONGEST_NAME].decode(errors='ignore')}%~{digest}"
    return name if name.strip(".") else name.replace(".", "%2E") or "%"
