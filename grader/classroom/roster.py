"""The list of a class: who is in it, from the CSV that a system exports, and which student of a gradebook is who."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.classroom.columns import EMAILS, FIRST, IDS, LAST, LOGINS, MARKED, NAMES, PARTICIPANT, TEAMS, column
from grader.kit.files import LARGEST_TEXT, Unreadable, read_regular
from grader.kit.kit import KitError

UNKNOWN = "no value of it is this id"
"""Why most students are nobody of a list."""

_NUMBERED = re.compile(r"(?P<word>\D*[^\W\d])(?P<blank>\s*)(?P<number>\d+)")
"""`Participant 4711`, in any language."""
_OF_MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)")
"""`Jane Doe_4711`, the beginning of a name in a download of Moodle. The number may be that of a team."""
_CLEANED = re.compile(r"[\x00-\x1f\x7f&<>\"`|':\\/]")
"""What Moodle takes out of a name before it names a file by it."""
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


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
        columns: the header of each of `ids`.
        participant: how Moodle calls the student where names are hidden, `Participant 4711`; empty elsewhere.
        teams: the name of the student's team, and its ids.
    """

    id: str
    name: str
    email: str
    ids: tuple[str, ...]
    line: int
    logins: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    participant: str = ""
    teams: tuple[str, ...] = ()

    @property
    def team(self) -> str:
        """The name of the team, else its id; empty where the list has none."""
        return self.teams[0] if self.teams else ""


@dataclass(frozen=True)
class Match:
    """Who a student of a gradebook is.

    Attributes:
        person: None where that is nobody on the list, or not certain.
        why: in words, the rule that found the person, else the reason why none was found.
    """

    person: Person | None
    why: str


class Roster:
    """A list of students that no two share a value of.

    Args:
        shared: names that several students of the gradebook have, so that a name alone tells none of them.
    """

    def __init__(self, people: Sequence[Person], shared: Collection[tuple[str, ...]] = ()) -> None:
        self.people, self._shared = tuple(people), shared
        self._by_id: dict[str, Match] = {}
        self._by_login: dict[str, Match] = {}
        self._by_number: dict[str, Person] = {}
        self._by_name: dict[tuple[str, ...], list[Person]] = {}
        for person in people:
            for one, header in zip(person.ids, person.columns or ("id",) * len(person.ids), strict=True):
                self._by_id[_exact(one)] = found = Match(person, f'"{header}"')
                if one in person.logins:
                    self._by_login[_key(one)] = found
            if numbered := _NUMBERED.fullmatch(person.participant):
                self._by_number[numbered["number"]] = person
            if person.name:
                self._by_name.setdefault(_words(person.name), []).append(person)

    def among(self, students: Iterable[str]) -> Roster:
        """The same list for these students of a gradebook: a name that two of them have tells neither."""
        found = [_OF_MOODLE.fullmatch(student) for student in set(students)]
        names = Counter(_words(one["name"]) for one in found if one)
        return Roster(self.people, {name for name, count in names.items() if count > 1})

    def of(self, student: str) -> Person | None:
        """Who a student of a gradebook is; None where that is nobody, or not certain (see `match`)."""
        return self.match(student).person

    def match(self, student: str) -> Match:
        """Who a student of a gradebook is, and by which rule. An identity is never guessed.

        A student is found by any column that names one. Ids that differ in capitals alone are two students, unless they are
        user names or e-mail addresses. A student of Moodle, `First Last_4711`, is participant 4711 only if the list has that
        participant with that name, since the number may also be that of a team. A name alone counts only in a list without
        numbers of participants, and only if one student has it, on the list and in the gradebook.
        """
        if found := self._by_id.get(_exact(student)) or self._by_login.get(_key(student)):
            return found
        moodle = _OF_MOODLE.fullmatch(student)
        if not moodle:
            return Match(None, UNKNOWN)
        name = _words(moodle["name"])
        if not self._by_number:
            return self._by_name_alone(name)
        person = self._by_number.get(moodle["number"])
        if person is None:
            return Match(None, "it has no participant of this number: it may be the list of another assignment")
        if name == _words(person.participant.removesuffix(moodle["number"])):
            return Match(person, "participant number")
        if not person.name:
            return Match(None, "it has no name for the participant of this number, which may be that of a team")
        if name == _words(person.name):
            return Match(person, "participant number and name")
        return Match(None, "this number is there that of a participant with another name")

    def _by_name_alone(self, name: tuple[str, ...]) -> Match:
        same = self._by_name.get(name, [])
        if not same:
            return Match(None, UNKNOWN)
        if len(same) > 1:
            return Match(None, "two on it have this name")
        if name in self._shared:
            return Match(None, "two who handed in have this name")
        return Match(same[0], "name alone")

    def members(self, team: str) -> tuple[Person, ...]:
        """Those in a team, by its name or its id; none if no team is called so, or several are."""
        wanted = _exact(team)
        found = {person.teams for person in self.people if wanted in map(_exact, person.teams)}
        return tuple(person for person in self.people if person.teams in found) if len(found) == 1 else ()

    def without_work(self, students: Iterable[str]) -> list[Person]:
        """Those on the list who are none of some students, in the order of the list."""
        known = {person.line for student in students if (person := self.of(student)) is not None}
        return [person for person in self.people if person.line not in known]


def read_roster(path: Path) -> Roster:
    """Read a list of students. `columns.SYSTEMS` says which columns are known.

    Raises:
        KitError: where it cannot be read, has no column that names students, or names one twice. The message is one line.
    """
    rows = _rows(path, _text(path))
    line, head = next(rows, (1, []))
    columns, body = [column(cell) for cell in head], _without_platform(list(rows))
    ids = [index for index, name in enumerate(columns) if name in IDS]
    first = [0] if columns and columns[0] not in (*NAMES, *FIRST, *LAST, *TEAMS) else []  # of a language not known here
    numbered = next((index for index in (*first, *ids) if _are_participants(body, index)), None)
    if numbered == 0 and 0 not in ids:
        ids.insert(0, 0)
    if not ids and "student" in columns:
        ids = [columns.index("student")]
    if not ids:
        raise KitError(
            f"{path}, line {line}: no column names the students. Give one of them the header id, email, username or "
            "github_username."
        )
    if twice := next((name for name in columns if name and columns.count(name) > 1 and name in (*IDS, *NAMES)), ""):
        raise KitError(f"{path}, line {line}: two columns are called {twice!r}. Rename or remove one.")
    people = [_person(path, number, head, row, ids, numbered) for number, row in body]
    _check(path, people)
    return Roster(people)


def _text(path: Path) -> str:
    """The text of a list: UTF-8, or UTF-16 that says so, as Blackboard and spreadsheets write it."""
    try:
        data = read_regular(path, LARGEST_TEXT)
    except Unreadable as error:
        raise KitError(f"{path}: {error}") from None
    save = 'save it as "CSV UTF-8" in a spreadsheet.'
    if data.startswith(_WORKBOOKS):
        raise KitError(f"{path}: a workbook, and no CSV: {save}")
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise KitError(f"{path}, line {line}: a byte (0x{data[error.start]:02x}) that is no text: {save}") from None
    if "\0" in text:
        raise KitError(f"{path}: not a text file, since it holds a NUL character: {save}")
    return text


def _rows(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold something, each with the line where it begins."""
    first = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    number = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield number, [cell.strip() for cell in row]
            number = reader.line_num + 1
    except csv.Error as error:
        raise KitError(f"{path}, line {number}: no CSV ({error}). Export it again as CSV.") from None


def _without_platform(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """The rows without those that Canvas writes below the header: how grades are posted, and the points possible."""
    last = next((index for index, (_, row) in enumerate(rows[:3]) if row[0].casefold() == "points possible"), -1)
    return rows[last + 1 :]


def _are_participants(rows: Sequence[tuple[int, Sequence[str]]], index: int) -> bool:
    """Whether a column holds Moodle's numbers of participants: one word, in any language, and a number."""
    found = [_NUMBERED.fullmatch(row[index]) for _, row in rows if row[index:] and row[index]]
    words = {one["word"].casefold() if one else "" for one in found}
    blank = all(one and one["blank"] for one in found)
    several = len({one["number"] for one in found if one}) == len(found)  # not so for `Section 1`
    return several and len(words) == 1 and "" not in words and (blank or words <= {*PARTICIPANT})


def _person(
    path: Path, line: int, head: Sequence[str], row: Sequence[str], ids: Sequence[int], numbered: int | None
) -> Person:
    cells = {column(name): value for name, value in zip(head, row, strict=False)}
    named = [(head[index], row[index]) for index in ids if index < len(row)]
    found = [(one, value.removeprefix("#") if column(one) in MARKED else value) for one, value in named]
    columns: dict[str, str] = {}
    for header, value in found:
        if value:
            columns.setdefault(value, header)
    if not columns:
        raise KitError(f"{path}, line {line}: nothing in this row names a student. Fill in its id, or remove the row.")
    given = tuple(columns)
    logins = tuple(dict.fromkeys(value for header, value in found if value and column(header) in LOGINS))
    name = _first(cells, NAMES) or " ".join(filter(None, (_first(cells, FIRST), _first(cells, LAST))))
    teams = tuple(dict.fromkeys(cells[one] for one in TEAMS if cells.get(one)))
    participant = row[numbered] if numbered is not None and numbered < len(row) else ""
    more = tuple(columns.values()), participant, teams
    return Person(given[0], "" if name in given else name, _first(cells, EMAILS), given, line, logins, *more)


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


def _exact(text: str) -> str:
    # One letter with an accent may be written as one character or as two: it is the same id.
    return unicodedata.normalize("NFC", text).strip()


def _key(text: str) -> str:
    """What a login or a name is in any capitals."""
    return _exact(text).casefold()


def _words(name: str) -> tuple[str, ...]:
    """The words of a name, the same for `Jane Doe`, `Doe, Jane` and `doe jane`: they are turned until the least is first."""
    words = _key(re.sub(r"[\s_,]+", " ", _CLEANED.sub("", name))).split()
    return min((tuple(words[turn:] + words[:turn]) for turn in range(len(words))), default=())
