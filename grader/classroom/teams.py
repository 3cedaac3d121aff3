"""Work that several handed in together, where the system names the team or one member: the roster knows the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.classroom.roster import Person, Roster, is_team
from grader.classroom.submission import Submission, Unread

OF_ROSTER = "roster"
"""In place of a layout: the id of a member is that of the roster."""


@dataclass(frozen=True)
class Shared:
    """Answers, those of teams among them.

    Attributes:
        submissions: what counts, for each member of a team.
        doubts: answers of one student to one problem, alone and in a team or in two teams: none of them counts.
        notes: for whom the work of a team counts, and whose members nobody names, in one line each.
    """

    submissions: list[Submission]
    doubts: list[Unread]
    notes: list[str]


def by_members(submissions: Sequence[Submission], people: Roster | None, *, teams: bool) -> Shared:
    """Let the work of a team count for each of its members that the roster names.

    Args:
        teams: whether the class handed in by teams. A name that a system writes is then that of a team, if the roster has
            such a team; else it is a person's, who may be called as a team is.
    """
    people = people and people.among(submissions)
    found: dict[tuple[str, str], list[Submission]] = {}
    notes: dict[str, None] = {}
    for one in submissions:
        members, note = _members(one, people, teams)
        of_team = replace(one, team=one.team or one.student, layout=OF_ROSTER, called="")
        named = [replace(of_team, student=member.id) for member in members]
        for each in named or [one]:
            found.setdefault((each.student, each.problem), []).append(each)
        if note:
            notes[note] = None
    doubts: list[Unread] = []
    for (student, problem), several in found.items():
        if len({one.digest for one in several}) > 1:
            paths = " and ".join(one.path for one in several)
            why = f"{student} handed in {problem} twice, in a team: {paths}. Nobody can tell which counts: remove one."
            doubts.append(Unread(several[0].path, why, doubt=True))
    counted = [several[0] for several in found.values() if len({one.digest for one in several}) == 1]
    return Shared(counted, doubts, list(notes))


def _members(one: Submission, people: Roster | None, teams: bool) -> tuple[Sequence[Person], str]:
    """Those whom the roster names as the members of a team, and what is to be said."""
    named = bool(one.team) and one.team == one.student  # by the system
    team = one.team if named else _team(one, people) if people else ""
    members = people.members(team) if people and team else ()
    if members and (named or teams):
        return members, f"{team}: the work of a team, which counts for {', '.join(member.id for member in members)}."
    if members:
        return (), (
            f"{one.student} is called as a team of the roster is, {team!r}, and counts alone. If the class handed in by "
            "teams, give --teams."
        )
    if not named:
        return (), ""
    return (), (
        f"{one.team}: the system names a team and not its members, so the work counts for the team alone. Give `class "
        "grade` a --roster with a column `group`, which names them."
    )


def _team(one: Submission, people: Roster) -> str:
    """The team of the roster that an answer may be of, by the name that its system writes; empty where it is of none."""
    person = people.of(one.student)
    if person is not None:
        return person.team if one.called and is_team(person, one.called) else ""
    moodle = re.fullmatch(r"(.+)_\d+", one.student)
    return moodle[1] if moodle and one.layout == "moodle" else ""
