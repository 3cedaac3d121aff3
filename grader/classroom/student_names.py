"""Whose a name is that a system wrote: names that can be read in two ways, and names inside the folders of students."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from grader.classroom.file_names import SUFFIXES, number_of, storable_name, student_and_problem
from grader.classroom.late import of_aplus
from grader.classroom.submission import UploadNumber
from grader.classroom.tree import Listing, TreeEntry, Whom, Whose, held_in

LONGEST_NUMBER = 19

NUMBER = rf"[1-9][0-9]{{0,{LONGEST_NUMBER - 1}}}"
"""A number of a user or of an upload: no system writes a zero before it."""

MOST_PARTS_OF_A_NAME = 40
"""How many parts of the name of a file, between `_`, may hold the name of a student of Canvas."""

Listed = Callable[[str, str], bool | None]
"""Whether the student of this number on the list of a class is called so, or has a team that is. None where the list has no
such number."""


@dataclass(frozen=True)
class UnclearName:
    """A name that nothing decides.

    Attributes:
        ways: in which it may be read.
        students: those of them whom the class or its list has.
    """

    why: str
    ways: Sequence[Whose]
    students: Sequence[str]


def ways_of_canvas(name: str) -> list[Whose]:
    """Whose a file of an assignment is, in each way in which its name can be read."""
    if text := re.fullmatch(rf"(?P<called>[^\W_][^\s@.]*?)_(?P<late>LATE_)?(?P<id>{NUMBER})_(?:text|link)\.html", name):
        return [Whose(text["id"], text["called"], late=bool(text["late"]))]  # what was typed in, or an address
    parts = name.split("_")
    ways: list[Whose] = []
    for at in range(1, min(len(parts) - 2, MOST_PARTS_OF_A_NAME)):
        late = at > 1 and parts[at - 1] == "LATE"
        called, file = "_".join(parts[: at - late]), "_".join(parts[at + 2 :])
        numbers = re.fullmatch(NUMBER, parts[at]) and re.fullmatch(NUMBER, parts[at + 1])
        plausible = re.fullmatch(r"(?!anon$)(?!.*_question(?:_|$))[^\W_][^\s@.]*", called) and called == called.lower()
        if numbers and plausible and file:
            attempt = UploadNumber(number_of(file), int(parts[at + 1]))
            ways.append(Whose(parts[at], called, file, attempt=attempt, late=late))
        if late and ways:  # a name has small letters: what stands after LATE is no part of it
            return ways
    return ways


def ways_of_quiz(whole: str) -> list[tuple[str, str]]:
    """The numbers of users, each with the name before it, that a quiz may have written in one: first the longest number."""
    return [
        (whole[at:], whole[:at])
        for at in range(1, len(whole))
        if len(whole) - at <= LONGEST_NUMBER and re.fullmatch(NUMBER, whole[at:])
    ]


def decided(whom: Whom, listed: Listed | None, *, doubtful: bool) -> tuple[Whom, dict[str, UnclearName]]:
    """Take the one way to read each name: that which the list of the class has, else the only one that the sure names of the
    class leave, unless the list contradicts it: a number has one name, and an upload is one. What nothing decides is
    nobody's.
    """
    known = {name: several for name, several in whom.items() if not (several and several[0].others)}
    unclear: dict[str, UnclearName] = {}
    sure = [person for several in known.values() for person in several]
    called = {person.student: person.called for person in sure}
    uploads = {person.attempt.upload for person in sure if person.attempt}
    for name, (first_way, *_) in ((name, several) for name, several in whom.items() if name not in known):
        ways = (replace(first_way, others=()), *first_way.others)
        fitting = [way for way in ways if listed and listed(way.student, way.called)]
        if doubtful and len(fitting) != 1:
            fitting = [
                way
                for way in fitting or ways
                if called.get(way.student, way.called) == way.called
                and not (way.attempt and way.attempt.upload in uploads)
            ]
            if len(fitting) == 1 and listed and listed(fitting[0].student, fitting[0].called) is False:
                fitting = []
        elif not fitting:
            fitting = [ways[0]]
        known[name] = fitting if len(fitting) == 1 else ()
        if len(fitting) != 1:
            open_ = fitting or ways
            students = [
                way.student
                for way in open_
                if way.student in called or (listed and listed(way.student, way.called) is not None)
            ]
            unclear[name] = UnclearName(_two_ways(open_, listed, doubtful=doubtful), open_, students)
    return known, unclear


def _two_ways(ways: Sequence[Whose], listed: Listed | None, *, doubtful: bool) -> str:
    first, second, *_ = ways
    said = f"its name is that of {first.student}, called {first.called!r}, or of {second.student}, called {second.called!r}"
    if not doubtful:
        return (
            f"{said}, and both are on the list of the class: look in the system whose it is, and leave one on the list."
        )
    roster = "" if listed else "give --roster, with the names and the groups of the class, or "
    return f"{said}: {roster}rename it {_plainly(first)} or {_plainly(second)}."


def _plainly(way: Whose) -> str:
    """A name of Canvas that can be read in this way alone."""
    late = "LATE_" if way.late else ""
    file = re.sub(r"(?:^|(?<=_))[0-9]+_", "", way.file)
    return f"{way.called.replace('_', '')}_{late}{way.student}_{way.attempt.upload if way.attempt else 1}_{file}"


@dataclass(frozen=True)
class Inside:
    """What a system writes in the folder of a student. What is not of the system is the student's.

    Attributes:
        folders: how many folders may lie between the class and an answer: of the student, and of the assignment or of a
            clone.
        extras: names of files that the system adds.
        late: the name of a file that was handed in late, and that the student called `file`.
        timed: whether a folder may be called after the time at which what is in it was handed in.
    """

    folders: int = 2
    extras: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    late: re.Pattern[str] = field(default=re.compile(r"(?!)"))
    timed: bool = False

    def submitted(self, folder: str) -> str:
        """The time that the name of a folder tells; empty where it tells none."""
        return of_aplus(folder) if self.timed else ""


_OF_ILIAS = re.compile(rf"(?P<called>(?:[^\d_]*_){{2}}[ -~]+)_(?P<id>{NUMBER})", re.ASCII)
_TEAM = re.compile(rf"(?P<word>[^\d_]+) {NUMBER}")


def ilias(listing: Listing) -> Whom:
    """Folders that ILIAS can have written, if there are several: any folder may be called so.

    A login and a number are of one person alone; the least numbers are those of ILIAS's own objects; nobody uploads folders;
    and a folder of a team is called `Team`, as in English and in German: else it may be a section of the class.
    """
    found = {name: people for name, people in ilias_named(listing).items() if people[0].called}
    people = [person for several in found.values() for person in several]
    logins = Counter(person.called.rpartition("_")[2] for person in people if person.called.count("_") == 2)
    several = len(people) > 1 and max(logins.values(), default=0) < 2
    alone = len({person.student for person in people}) == len({person.called for person in people}) == len(people)
    large = all(len(person.student) > 2 for person in people)
    teams = all(person.team.startswith("Team ") for person in people if person.team)
    flat = not any(entry.is_folder for answer in listing.answers if answer.name in found for entry in _held(answer))
    others = [answer for answer in listing.answers if answer.name not in found]
    plain = any(
        other.suffix not in SUFFIXES or student_and_problem(other.name, listing.problems)[0] for other in others
    )
    return found if several and alone and large and teams and flat and not plain else {}


def ilias_named(listing: Listing) -> Whom:
    """Folders of people, and of teams, which hold those of members who uploaded something, or what the team did."""
    folders = [answer for answer in listing.answers if answer.is_folder]
    found: dict[str, Sequence[Whose]] = {}
    for entry in folders:
        name = storable_name(entry.name)
        team = _TEAM.fullmatch(name)
        if person := _of_ilias(entry):
            found[entry.name] = (person,)
        elif team and (len(folders) > 1 or team["word"] == "Team"):  # else it may lie around the class
            members = [member for inner in held_in(entry) if inner.is_folder and (member := _of_ilias(inner, name))]
            found[entry.name] = members or (Whose(name, team=name),)
    return found


def _of_ilias(entry: TreeEntry, team: str = "") -> Whose | None:
    match = _OF_ILIAS.fullmatch(storable_name(entry.name))
    return Whose(match["id"], match["called"], team=team) if match else None


def _held(folder: TreeEntry) -> list[TreeEntry]:
    """What lies in the folder of a person, or in those of the members of a team and beside them."""
    inside = held_in(folder)
    if _of_ilias(folder):
        return inside
    return [
        entry for outer in inside for entry in (held_in(outer) if outer.is_folder and _of_ilias(outer) else [outer])
    ]


_OF_APLUS = re.compile(rf"(?P<called>.+, .*) \((?:id=(?P<number>{NUMBER})|(?P<id>[^()=]+))\)")
APLUS_EXTRAS = re.compile(r"(?:user|module|exercise|_meta|.+ \(id=[0-9]+\)|[0-9]{4}-[0-9]{2}-[0-9]{2}T.+)\.yaml")


def aplus(listing: Listing) -> Whom:
    """Folders called after people, one of which holds a folder of a module, of an exercise, and of a time."""
    found = aplus_named(listing)
    inner = [answer for answer in listing.answers if answer.name in found]
    for _ in range(2):
        inner = [
            folder
            for outer in inner
            for folder in held_in(outer)
            if folder.is_folder and re.search(r" \(id=[0-9]+\)$", folder.name)
        ]
    return (
        found if any(folder.is_folder and of_aplus(folder.name) for outer in inner for folder in held_in(outer)) else {}
    )


def aplus_named(listing: Listing) -> Whom:
    """Folders called after people: a person without an id of a student has the number of a user of A+."""
    names = {
        answer.name: _OF_APLUS.fullmatch(storable_name(answer.name)) for answer in listing.answers if answer.is_folder
    }
    return {name: (Whose(match["id"] or match["number"], match["called"]),) for name, match in names.items() if match}
