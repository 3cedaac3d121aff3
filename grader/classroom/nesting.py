"""Systems that write more in the folders of students than these hand in: whose those are, and what they tell."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.classroom.file_names import SUFFIXES, shown, student_and_problem
from grader.classroom.listing import Listing, Whom, Whose, held_in
from grader.classroom.times import of_aplus
from grader.classroom.tree import Entry
from grader.classroom.ways import NUMBER


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
    people = [one for several in found.values() for one in several]
    logins = Counter(one.called.rpartition("_")[2] for one in people if one.called.count("_") == 2)
    several = len(people) > 1 and max(logins.values(), default=0) < 2
    alone = len({one.student for one in people}) == len({one.called for one in people}) == len(people)
    large = all(len(one.student) > 2 for one in people)
    teams = all(one.team.startswith("Team ") for one in people if one.team)
    flat = not any(two.is_folder for one in listing.answers if one.name in found for two in _held(one))
    others = [one for one in listing.answers if one.name not in found]
    plain = any(one.suffix not in SUFFIXES or student_and_problem(one.name, listing.problems)[0] for one in others)
    return found if several and alone and large and teams and flat and not plain else {}


def ilias_named(listing: Listing) -> Whom:
    """Folders of people, and of teams, which hold those of members who uploaded something, or what the team did."""
    folders = [one for one in listing.answers if one.is_folder]
    found: dict[str, Sequence[Whose]] = {}
    for entry in folders:
        name = shown(entry.name)
        team = _TEAM.fullmatch(name)
        if person := _of_ilias(entry):
            found[entry.name] = (person,)
        elif team and (len(folders) > 1 or team["word"] == "Team"):  # else it may lie around the class
            members = [one for inner in held_in(entry) if inner.is_folder and (one := _of_ilias(inner, name))]
            found[entry.name] = members or (Whose(name, team=name),)
    return found


def _of_ilias(entry: Entry, team: str = "") -> Whose | None:
    match = _OF_ILIAS.fullmatch(shown(entry.name))
    return Whose(match["id"], match["called"], team=team) if match else None


def _held(folder: Entry) -> list[Entry]:
    """What lies in the folder of a person, or in those of the members of a team and beside them."""
    inside = held_in(folder)
    if _of_ilias(folder):
        return inside
    return [two for one in inside for two in (held_in(one) if one.is_folder and _of_ilias(one) else [one])]


_OF_APLUS = re.compile(rf"(?P<called>.+, .*) \((?:id=(?P<number>{NUMBER})|(?P<id>[^()=]+))\)")
APLUS_EXTRAS = re.compile(r"(?:user|module|exercise|_meta|.+ \(id=[0-9]+\)|[0-9]{4}-[0-9]{2}-[0-9]{2}T.+)\.yaml")


def aplus(listing: Listing) -> Whom:
    """Folders called after people, one of which holds a folder of a module, of an exercise, and of a time."""
    found = aplus_named(listing)
    inner = [one for one in listing.answers if one.name in found]
    for _ in range(2):
        inner = [
            two for one in inner for two in held_in(one) if two.is_folder and re.search(r" \(id=[0-9]+\)$", two.name)
        ]
    return found if any(two.is_folder and of_aplus(two.name) for one in inner for two in held_in(one)) else {}


def aplus_named(listing: Listing) -> Whom:
    """Folders called after people: a person without an id of a student has the number of a user of A+."""
    names = {one.name: _OF_APLUS.fullmatch(shown(one.name)) for one in listing.answers if one.is_folder}
    return {name: (Whose(one["id"] or one["number"], one["called"]),) for name, one in names.items() if one}
