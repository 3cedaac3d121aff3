"""The list of a class: who is in it, from the CSV that a learning platform exports."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.kit.files import Unreadable, read_text
from grader.kit.kit import KitError

EMAILS = ("email", "email_address", "e_mail")
LOGINS = (*("sis_login_id", "username", "user_name", "github_username", "github", "login", "user"), *EMAILS)
"""Columns of names that a platform takes in any capitals, as their headers read without capitals and blanks."""

IDS = (
    *("id", "student_id", "sis_user_id", "integration_id", "lms_user_id"),  # Canvas, nbgrader
    *("id_number", "identifier", "github_id"),  # Moodle, Classroom 50
    *LOGINS,
)
"""Columns whose value names one student."""

NAMES = ("name", "full_name", "student_name", "student")
FIRST, LAST = ("first_name", "firstname", "given_name"), ("last_name", "lastname", "surname", "family_name")


@dataclass(frozen=True)
class Person:
    """A student on the list.

    Attributes:
        id: the value of the first column that names a student.
        name: empty where the list has none.
        email: empty where the list has none.
        ids: all values that name the student, among them the first and the e-mail address.
        line: of the file.
        logins: those of `ids` in which capitals do not count.
    """

    id: str
    name: str
    email: str
    ids: tuple[str, ...]
    line: int
    logins: tuple[str, ...] = ()


class Roster:
    """A list of students that no two share a value of."""

    def __init__(self, people: Sequence[Person]) -> None:
        self.people = tuple(people)
        self._by_id = {_exact(one): person for person in people for one in person.ids}
        self._by_login = {_key(one): person for person in people for one in person.logins}
        self._by_name: dict[str, list[Person]] = {}
        for person in people:
            self._by_name.setdefault(_key(person.name), []).append(person)

    def of(self, student: str) -> Person | None:
        """Who a folder or a file is of, by any column that names a student; None where that is nobody, or not certain.

        Ids that differ in capitals alone are two students, unless they are user names or e-mail addresses. A folder of
        Moodle (`First Last_12345`) is found as "Participant 12345", else by a name that one student alone has.
        """
        if found := self._by_id.get(_exact(student)) or self._by_login.get(_key(student)):
            return found
        moodle = re.fullmatch(r"(.+)_(\d+)", student)
        if not moodle:
            return None
        if found := self._by_id.get(f"Participant {moodle[2]}"):
            return found
        same = self._by_name.get(_key(moodle[1]), [])
        return same[0] if len(same) == 1 else None

    def unknown(self, students: Iterable[str]) -> list[str]:
        """Those students who are not on the list."""
        return sorted({student for student in students if self.of(student) is None})

    def without_work(self, students: Iterable[str]) -> list[Person]:
        """Those on the list who are none of some students, in the order of the list."""
        known = {person.line for student in students if (person := self.of(student)) is not None}
        return [person for person in self.people if person.line not in known]


def read_roster(path: Path) -> Roster:
    """Read a list of students.

    Raises:
        KitError: where it cannot be read, has no column that names students, or names one twice. The message is one line.
    """
    try:
        text = read_text(path)
    except Unreadable as error:
        raise KitError(f"{path}: {error}") from None
    rows = _rows(path, text)
    line, head = next(rows, (1, []))
    columns = [_column(cell) for cell in head]
    ids = [index for index, name in enumerate(columns) if name in IDS]
    if not ids and "student" in columns:
        ids = [columns.index("student")]
    if not ids:
        raise KitError(
            f"{path}, line {line}: no column names the students. Give one of them the header id, email, username or "
            "github_username."
        )
    if twice := next((name for name in columns if name and columns.count(name) > 1 and name in (*IDS, *NAMES)), ""):
        raise KitError(f"{path}, line {line}: two columns are called {twice!r}. Rename or remove one.")
    people = [_person(path, number, columns, row, ids) for number, row in rows if not _of_platform(row)]
    _check(path, people)
    return Roster(people)


def _rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold something, each with the line where it begins."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    number = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield number, [cell.strip() for cell in row]
            number = reader.line_num + 1
    except csv.Error as error:
        raise KitError(f"{path}, line {number}: no CSV ({error}). Export it again as CSV.") from None


def _of_platform(row: Sequence[str]) -> bool:
    """Whether it is the row that Canvas writes below the header."""
    return row[0].casefold().startswith("points possible")


def _person(path: Path, line: int, columns: Sequence[str], row: Sequence[str], ids: Sequence[int]) -> Person:
    found = [(columns[index], row[index]) for index in ids if index < len(row) and row[index]]
    if not found:
        raise KitError(f"{path}, line {line}: nothing in this row names a student. Fill in its id, or remove the row.")
    cells = dict(zip(columns, row, strict=False))
    given = tuple(dict.fromkeys(value for _, value in found))
    logins = tuple(dict.fromkeys(value for column, value in found if column in LOGINS))
    name = _first(cells, NAMES) or " ".join(filter(None, (_first(cells, FIRST), _first(cells, LAST))))
    return Person(given[0], "" if name in given else name, _first(cells, EMAILS), given, line, logins)


def _first(cells: dict[str, str], names: Collection[str]) -> str:
    return next((cells[name] for name in names if cells.get(name)), "")


def _check(path: Path, people: Sequence[Person]) -> None:
    """Check that no value names two students: they need the same capitals only where neither is a login."""
    ids: dict[str, int] = {}
    logins: dict[str, int] = {}
    folded: dict[str, int] = {}
    for person in people:
        for one in person.ids:
            exact, key = _exact(one), _key(one)
            other = folded.get(key) if one in person.logins else ids.get(exact, logins.get(key))
            if other not in (None, person.line):
                raise KitError(
                    f"{path}, line {person.line}: {one!r} names the student of line {other} too: remove one."
                )
            ids[exact] = folded[key] = person.line
            if one in person.logins:
                logins[key] = person.line


def _column(cell: str) -> str:
    return re.sub(r"[\W_]+", "_", cell.casefold()).strip("_")


def _exact(text: str) -> str:
    # One letter with an accent may be written as one character or as two: it is the same id.
    return unicodedata.normalize("NFC", text).strip()


def _key(text: str) -> str:
    """What a login or a name is in any capitals."""
    return _exact(text).casefold()
