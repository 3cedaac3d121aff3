"""The list of a class: who is in it, from the CSV that a system exports, and which student of a gradebook is who."""

from __future__ import annotations

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from grader.classroom.columns import EMAILS, FIRST, IDS, LAST, LOGINS, MARKED, NAMES, PARTICIPANT, TEAMS, column
from grader.classroom.layouts import CANVAS, LAYOUTS, Layout
from grader.classroom.row import KnownAnswer
from grader.classroom.student_names import ways_of_quiz
from grader.classroom.submission import Submission
from grader.kit.files import LARGEST_TEXT, Unreadable, read_regular
from grader.kit.kit import KitError

MOST_PARTS_OF_A_NAME = 5
"""The most parts of a name that are tried in every order."""

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
        name, email: empty where the list has none.
        pairs: the headers and the values that name the student, among them the first and the e-mail address.
        participant: how Moodle calls the student where names are hidden, `Participant 4711`; empty elsewhere.
        teams: the name of the student's team, and its ids.
    """

    id: str
    name: str
    email: str
    pairs: tuple[tuple[str, str], ...]
    line: int
    participant: str = ""
    teams: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """All values that name the student."""
        return tuple(dict.fromkeys(value for _, value in self.pairs))

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


KnownStudent = KnownAnswer | Submission
"""What says what the id of a student is, and how a system calls the student."""


class Roster:
    """A list of students that no two share a value of."""

    def __init__(self, people: Sequence[Person], known: Iterable[KnownStudent] = ()) -> None:
        self.people = tuple(people)
        self._known = {known_student.student: known_student for known_student in known}
        self._columns = {column(header) for person in people for header, _ in person.pairs}
        self._by_number: dict[str, Person] = {}
        self._by_value: dict[str, list[tuple[str, Person]]] = {}
        for person in people:
            for header, value in person.pairs:
                login = column(header) in LOGINS
                self._by_value.setdefault(_key(value) if login else f"={_exact(value)}", []).append((header, person))
            if numbered := _NUMBERED.fullmatch(person.participant):
                self._by_number[numbered["number"]] = person
        claims: dict[int, list[str]] = {}
        for student in self._known:
            if person := self._alone(student).person:
                claims.setdefault(person.line, []).append(student)
        self._shared = {line: students for line, students in claims.items() if len(students) > 1}

    def among(self, known: Iterable[KnownStudent]) -> Roster:
        """A list for the students of a gradebook: it says what their ids are, and how their system calls them."""
        return Roster(self.people, known)

    def of(self, student: str) -> Person | None:
        """Who a student of a gradebook is; None where that is nobody, or not certain (see `match`)."""
        return self.match(student).person

    def match(self, student: str) -> Match:
        """Who a student of a gradebook is, and by which rule. An identity is never guessed.

        A student is found by the columns that may hold the ids of the system that the answers come from (`Layout.lists`).
        Ids that differ in capitals alone are two students, unless they are user names or e-mail addresses. Where ids are
        numbers of a system's own, the name that it writes beside one must be that of the list. A student of Moodle, `First
        Last_4711`, is participant 4711 only if the list has that participant with that name, since the number may also be
        that of a team. Two students of a gradebook are not one of the list.
        """
        found = self._alone(student)
        if found.person is not None and found.person.line in self._shared:
            both = " and ".join(self._shared[found.person.line])
            return Match(None, f"{both} are the same person on the list: keep one of them")
        return found

    def shares(self, student: str) -> bool:
        """Whether another student of the gradebook would be the same one of the list."""
        return any(student in students for students in self._shared.values())

    def other_ids(self, students: Collection[str]) -> dict[str, str]:
        """What else names some students of a gradebook on the list, each with the student; no id that one of them has."""
        found = {student: person for student in students if (person := self.of(student)) is not None}
        return {id_: student for student, person in found.items() for id_ in person.ids if id_ not in students}

    def lists(self, number: str, called: str) -> bool | None:
        """Whether a number of Canvas is that of somebody who is called so, or whose team is; None where it is nobody's."""
        found = [person for _, person in self._values(number, CANVAS)]
        return (not found[0].name or is_called(found[0], called)) if found else None

    def _values(self, student: str, lists: Sequence[Collection[str]] | None) -> list[tuple[str, Person]]:
        """The columns that hold an id, each with the person; of `lists`, the first group counts that the list has."""
        values = [*self._by_value.get(f"={_exact(student)}", ()), *self._by_value.get(_key(student), ())]
        if lists is None:
            return values
        columns = next((list_ for list_ in lists if self._columns & {*list_}), ())
        return [(header, person) for header, person in values if column(header) in columns]

    def _alone(self, student: str) -> Match:
        known, layout = self._known.get(student), self._layout(student)
        values = self._values(student, layout.lists if layout else None)
        if not values:
            found = self._participant(student)
            return self._without_zeros(student) if found.why == UNKNOWN else found
        header, person = values[0]
        called = known.called if known and layout and layout.numbered else ""
        if layout is not None and layout.name == "canvas-quiz":
            ways = [way for way, name in ways_of_quiz(f"{called}{student}") if self.lists(way, name)]
            if len(ways) > 1:
                return Match(None, f"a quiz writes name and number in one, and {' and '.join(ways)} of the list fit")
        if called and person.name and not is_called(person, called):
            return Match(None, f"the system calls it {called!r}, and the list {person.name!r}")
        return Match(person, f'"{header}"')

    def _participant(self, student: str) -> Match:
        moodle = _OF_MOODLE.fullmatch(student)
        if not moodle:
            return Match(None, UNKNOWN)
        if not self._by_number:
            return Match(
                None, f"{UNKNOWN}, and it has no numbers of participants, as the grading worksheet of Moodle has"
            )
        person = self._by_number.get(moodle["number"])
        if person is None:
            return Match(None, "it has no participant of this number: it may be the list of another assignment")
        # Where students are seen by groups, Moodle puts the name of the group before that of the student.
        parts = moodle["name"].split("-")
        names = {_words("-".join(parts[at:])) for at in range(len(parts))}
        if _words(person.participant.removesuffix(moodle["number"])) in names:
            return Match(person, "participant number")
        if not person.name:
            return Match(None, "it has no name for the participant of this number, which may be that of a team")
        if _words(person.name) in names:
            return Match(person, "participant number and name")
        return Match(None, "this number is there that of a participant with another name")

    def _without_zeros(self, student: str) -> Match:
        """Why an id is nobody's; a spreadsheet writes 0042 as 42, and nobody can tell whether that is the same id."""
        bare = student.lstrip("0")
        values = [value for person in self.people for value in person.ids if value.lstrip("0") == bare]
        if not bare.isdecimal() or not values:
            return Match(None, UNKNOWN)
        return Match(
            None, f"it has {values[0]}: did a spreadsheet take the zeros? Give the list as its system exports it"
        )

    def members(self, team: str) -> tuple[Person, ...]:
        """The people in a team, by its name or its id; none if no team is called so, or several are."""
        wanted = _exact(team)
        found = {person.teams for person in self.people if wanted in map(_exact, person.teams)}
        return tuple(person for person in self.people if person.teams in found) if len(found) == 1 else ()

    def without_work(self, students: Iterable[str]) -> list[Person]:
        """The people on the list who are none of some students, in the order of the list; nor one that two of them would be,
        nor one whose id a student of another name has.
        """
        known: set[int] = set()
        for student in students:
            layout = self._layout(student)
            found = [person for _, person in self._values(student, layout.lists if layout else None)[:1]]
            person = self._alone(student).person
            known |= {present.line for present in (*found, *([person] if person else []))}
        return [person for person in self.people if person.line not in known]

    def _layout(self, student: str) -> Layout | None:
        known = self._known.get(student)
        return LAYOUTS.get(known.layout) if known else None


def read_roster(path: Path) -> Roster:
    """Read a list of students. `columns.py` says which columns are known.

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
    words = {match["word"].casefold() if match else "" for match in found}
    blank = all(match and match["blank"] for match in found)
    several = len({match["number"] for match in found if match}) == len(found)  # not so for `Section 1`
    return several and len(words) == 1 and "" not in words and (blank or words <= {*PARTICIPANT})


def _person(
    path: Path, line: int, head: Sequence[str], row: Sequence[str], ids: Sequence[int], numbered: int | None
) -> Person:
    cells = {column(name): value for name, value in zip(head, row, strict=False)}
    named = [(head[index], row[index]) for index in ids if index < len(row)]
    found = [(header, value.removeprefix("#") if column(header) in MARKED else value) for header, value in named]
    pairs = tuple((header, value) for header, value in found if value)
    if not pairs:
        raise KitError(f"{path}, line {line}: nothing in this row names a student. Fill in its id, or remove the row.")
    name = _first(cells, NAMES) or " ".join(filter(None, (_first(cells, FIRST), _first(cells, LAST))))
    teams = tuple(dict.fromkeys(cells[team] for team in TEAMS if cells.get(team)))
    participant = row[numbered] if numbered is not None and numbered < len(row) else ""
    known = "" if name in {value for _, value in pairs} else name
    return Person(pairs[0][1], known, _first(cells, EMAILS), pairs, line, participant, teams)


def _first(cells: dict[str, str], names: Collection[str]) -> str:
    return next((cells[name] for name in names if cells.get(name)), "")


def _check(path: Path, people: Sequence[Person]) -> None:
    """Check that no value names two students: they need the same capitals only where neither is a login."""
    ids: dict[str, int] = {}
    logins: dict[str, int] = {}
    folded: dict[str, int] = {}
    for person in people:
        own = {value for header, value in person.pairs if column(header) in LOGINS}
        for id_ in person.ids:
            exact, key = _exact(id_), _key(id_)
            other = folded.get(key) if id_ in own else ids.get(exact, logins.get(key))
            if other not in (None, person.line):
                raise KitError(
                    f"{path}, line {person.line}: {id_!r} names the student of line {other} too: remove one."
                )
            ids[exact] = folded[key] = person.line
            if id_ in own:
                logins[key] = person.line


def _exact(text: str) -> str:
    # One letter with an accent may be written as one character or as two: it is the same id.
    return unicodedata.normalize("NFC", text).strip()


def _key(text: str) -> str:
    """What a login or a name is in any capitals."""
    return _exact(text).casefold()


def is_called(person: Person, called: str) -> bool:
    """Whether a name that a system writes is that of a person, or of the person's team: Canvas names one member for it.

    Canvas leaves out of a name what is no letter and no digit, and writes small letters.
    """
    parts = [part for part in map(_squeezed, re.split(r"[\s,]+", person.name)) if part]
    orders = permutations(parts) if len(parts) <= MOST_PARTS_OF_A_NAME else [tuple(parts)]
    return _squeezed(called) in {"".join(order) for order in orders} or is_team(person, called)


def is_team(person: Person, called: str) -> bool:
    """Whether a name that a system writes is that of a person's team."""
    return bool(person.team) and _squeezed(person.team) == _squeezed(called)


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFC", name)).lower()


def _words(name: str) -> tuple[str, ...]:
    """The words of a name, the same for `Jane Doe`, `Doe, Jane` and `doe jane`: they are turned until the least is first."""
    words = _key(re.sub(r"[\s_,]+", " ", _CLEANED.sub("", name))).split()
    return min((tuple(words[turn:] + words[:turn]) for turn in range(len(words))), default=())
