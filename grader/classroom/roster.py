"""The list of a class: who is behind an id. Names are joined only where something leaves the grader."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.kit.files import Unreadable, read_text
from grader.kit.kit import KitError

IDS = (
    *("id", "student id", "sis user id", "sis login id", "id number", "username", "identifier", "github_username"),
    *("email", "email address"),
)
"""Columns that say who somebody is, in small letters, as Canvas, Moodle, Classroom 50 and people name them."""
NAMES = ("name", "student", "full name", "display name")
FIRST, LAST = ("first name", "firstname"), ("last name", "lastname", "surname")
EMAILS = ("email", "email address")


class RosterError(KitError):
    """A roster cannot be read. The message says what, where, and how to fix it."""


@dataclass(frozen=True)
class Person:
    """One row of a roster.

    Attributes:
        ids: what may stand for this person in a path, the first column first.
        row: all columns as they stand in the file.
    """

    name: str
    email: str
    ids: tuple[str, ...]
    row: Mapping[str, str]


@dataclass(frozen=True)
class Roster:
    """A class. `columns` are those of the file, in order."""

    columns: tuple[str, ...]
    people: tuple[Person, ...]
    _by_id: dict[str, Person] = field(default_factory=dict[str, Person], repr=False)

    def __post_init__(self) -> None:
        self._by_id.update((one, person) for person in self.people for one in person.ids)

    def of(self, student: str) -> Person | None:
        """The person behind an id, as it stands in one of the columns of ids; None if nobody has it."""
        return self._by_id.get(student)

    def unknown(self, students: Iterable[str]) -> list[str]:
        """Those ids that nobody has."""
        return [one for one in dict.fromkeys(students) if one not in self._by_id]

    def without_work(self, students: Iterable[str]) -> list[Person]:
        """The people whom none of these ids stand for."""
        seen = {id(self._by_id[one]) for one in students if one in self._by_id}
        return [person for person in self.people if id(person) not in seen]


def read_roster(path: Path) -> Roster:
    """Read a roster: a CSV file with a header, as a learning platform exports it, or with the columns `id,name,email`.

    Raises:
        RosterError: if it cannot be read, has no column of ids, or two people have one id.
    """
    try:
        lines = read_text(path).splitlines(keepends=True)
    except Unreadable as error:
        raise RosterError(f"{path}: {error}") from error
    try:
        reader = csv.reader(lines, strict=True)
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        raise RosterError(f"{path}: it is no CSV file: {error}.") from error
    rows = [(number, row) for number, row in rows if any(row)]
    if not rows:
        raise RosterError(f"{path}: it is empty. A header is due, such as `id,name,email`.")
    (_, header), *others = rows
    ids = [at for name in IDS for at, column in enumerate(header) if column.lower() == name]
    if not ids:
        raise RosterError(f"{path}, line 1: no column says who somebody is. Call one `id`, `username` or `email`.")
    people: list[Person] = []
    lines_of: dict[str, int] = {}
    for number, row in others:
        if len(row) > len(header):
            raise RosterError(f"{path}, line {number}: {len(row)} cells, and the header has {len(header)}.")
        person = _person(header, [*row, *[""] * (len(header) - len(row))], ids)
        for one in person.ids:
            if one in lines_of:
                raise RosterError(f"{path}, line {number}: {one} is the id of somebody in line {lines_of[one]} too.")
            lines_of[one] = number
        if person.ids:  # Canvas writes a line of points without anybody
            people.append(person)
    return Roster(tuple(header), tuple(people))


def _person(header: Sequence[str], row: Sequence[str], ids: Sequence[int]) -> Person:
    cells = dict(zip(header, row, strict=True))
    small = {column.lower(): cell for column, cell in cells.items()}

    def first(columns: Sequence[str]) -> str:
        return next((small[column] for column in columns if small.get(column)), "")

    name = first(NAMES) or " ".join(part for part in (first(FIRST), first(LAST)) if part)
    return Person(name, first(EMAILS), tuple(dict.fromkeys(row[at] for at in ids if row[at])), cells)
