"""What a report reads of a gradebook: with codes in the place of ids, if they are to be hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.classroom.exports.sheet import Sheet
from grader.classroom.hidden_ids import Codes, codes_of
from grader.classroom.journal import Journal
from grader.classroom.moves import Move
from grader.classroom.points import Points
from grader.classroom.report import Listed
from grader.classroom.roster import Roster
from grader.classroom.row import Row
from grader.classroom.submission import Unread
from grader.report.feedback import FULL


@dataclass(frozen=True)
class Held:
    """What a gradebook holds.

    Attributes:
        listing: how the roster agrees with it; None where there is none.
        codes: None where ids are told.
    """

    rows: Sequence[Row]
    unread: Sequence[Unread]
    moves: Sequence[Move]
    rule: Points
    listing: Listed | None
    codes: Codes | None = None

    def sheet(self, level: str = FULL) -> Sheet:
        return Sheet(self.rows, self.rule, level=level, unread=self.unread)

    def lacking(self) -> list[Unread]:
        """What students handed in and is not graded, where an answer is lacking by it, or a stub counts in its place."""
        sheet = self.sheet()
        return [one for name in sheet.students() for one in (*sheet.unread_of(name), *sheet.beside_stubs(name))]

    def code(self, student: str) -> str:
        """How a student is told here."""
        return self.codes.by_id.get(student, student) if self.codes else student


def held_in(journal: Journal, people: Roster | None, rule: Points, *, hides: bool) -> Held:
    """What a gradebook holds.

    Args:
        hides: whether ids are hidden.
    """
    rows, unread, moves = journal.rows(rule), journal.unread(rule), journal.moves()
    people = people and people.among(rows)
    students = sorted({one.student for one in (*rows, *unread) if one.student})
    listing = None
    if people is not None:
        absent = [one.id for one in people.without_work(students)]
        listing = Listed(tuple(absent), tuple(one for one in students if people.of(one) is None))
    if not hides:
        return Held(rows, unread, moves, rule, listing)
    codes = codes_of(journal, all_ids(journal, people, rule))
    if listing is not None:
        listed = (tuple(sorted(map(codes.of, ids))) for ids in (listing.absent, listing.strange))
        listing = Listed(*listed)
    told = codes.rows(rows), codes.unread(unread), codes.moves(moves), codes.points(rule)
    return Held(*told, listing, codes)


def all_ids(journal: Journal, people: Roster | None, rule: Points | None = None) -> list[str]:
    """All ids that a report may tell, whichever attempts count: those of the rule, or those of what is kept."""
    rows = [*journal.rows(), *(journal.rows(rule) if rule else ())]
    ids = [one for row in rows for one in (row.student, row.team)]
    unread = [*journal.unread(), *(journal.unread(rule) if rule else ())]
    return [
        *ids,
        *(one.student for one in (*unread, *journal.moves())),
        *(one for person in (people.people if people else ()) for one in (person.id, person.team)),
    ]


def as_teams(journal: Journal, people: Roster | None) -> dict[str, str]:
    """The team of each student whom the roster has in one, where the class handed in by teams.

    So members who each handed in their common work are one: elsewhere, a group of the roster may be a section of the class.
    """
    kept = journal.roster()
    if people is None or kept is None or not kept.teams:
        return {}
    known = people.among(journal.rows())
    found = {row.student: known.of(row.student) for row in journal.rows()}
    return {student: person.team for student, person in found.items() if person is not None and person.team}


def in_teams(held: Held, teams: dict[str, str]) -> list[Row]:
    """The rows, each with the team of its student."""
    coded = {held.code(student): held.code(team) for student, team in teams.items()}
    return [replace(row, team=row.team or coded.get(row.student, "")) for row in held.rows]
