"""Work that several handed in together, where the system names the team or one member: the roster knows the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from grader.classroom.roster import Person, Roster, is_team
from grader.classroom.submission import Submission


def with_members(submissions: Sequence[Submission], people: Roster | None) -> tuple[list[Submission], list[str]]:
    """Let the work of a team count for each of its members that the roster names.

    Returns:
        the answers, and a line for each team or person of whom it is not known whose the work is.
    """
    people = people and people.among(submissions)
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
            f"{one.team}: the system names a team and not its members, so the work counts for the team alone. Give `class "
            "grade` a --roster with a column `group`, which names them."
        )
        return members, "" if members else note
    if people is None:
        return (), ""
    person = people.of(one.student)
    if person is None:
        moodle = re.fullmatch(r"(.+)_\d+", one.student)
        return (people.members(moodle[1]) if moodle else ()), ""
    if one.called and is_team(person, one.called):
        return people.members(person.team), ""
    return (), ""
