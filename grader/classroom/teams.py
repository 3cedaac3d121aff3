"""Work that several handed in together, where the system names the team or one member: the roster knows the others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from grader.classroom.roster import Person, Roster
from grader.classroom.submission import Submission

MOST_PARTS = 5
"""The most parts of a name that are tried in every order."""


def with_members(submissions: Sequence[Submission], people: Roster | None) -> tuple[list[Submission], list[str]]:
    """Let the work of a team count for each of its members that the roster names.

    Returns:
        the answers, and a line for each team or person of whom it is not known whose the work is.
    """
    found: list[Submission] = []
    notes: dict[str, None] = {}
    for one in submissions:
        members, note = _members(one, people)
        found += [replace(one, student=member.id, team=one.team or one.student) for member in members] or [one]
        if note:
            notes[note] = None
    return found, list(notes)


def _members(one: Submission, people: Roster | None) -> tuple[Sequence[Person], str]:
    """Those whom the roster names as the members of a team, and what is to be said."""
    if one.team and one.team == one.student:
        members = people.members(one.team) if people else ()
        note = (
            f"{one.team}: the system names a team and not its members, so the work counts for the team alone. A roster with "
            "a column `group` names them."
        )
        return members, "" if members else note
    if people is None:
        return (), ""
    person = people.of(one.student)
    if person is None:
        moodle = re.fullmatch(r"(.+)_\d+", one.student)
        return (people.members(moodle[1]) if moodle else ()), ""
    if not one.called or not person.name or _squeezed(one.called) in _orders(person.name):
        return (), ""
    if person.team and _squeezed(person.team) == _squeezed(one.called):
        return people.members(person.team), ""
    return (), (
        f"{one.student} is called {one.called!r} by the system and {person.name!r} in the roster. If that is a group, the "
        "system names one member alone, and the work counts for that one: a roster with a column `group` names the others."
    )


def _squeezed(name: str) -> str:
    """A name as Canvas writes it: letters and digits alone, in small letters."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFC", name)).lower()


def _orders(name: str) -> set[str]:
    parts = [part for part in map(_squeezed, re.split(r"[\s,]+", name)) if part]
    orders = permutations(parts) if len(parts) <= MOST_PARTS else [tuple(parts)]
    return {"".join(one) for one in orders}
