"""Work that several handed in together, where the system names the team or one member: the roster knows the others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.classroom.layouts import LAYOUTS
from grader.classroom.roster import Person, Roster, is_team
from grader.classroom.row_text import listed
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
        teams: whether the class handed in by teams. An answer of a member is then one of the team, unless the system writes
            names beside its ids: there it is so if the name is that of the team. Without it, such a name is a person's, who
            may be called as a team is.
    """
    people = people and people.among(submissions)
    found: dict[tuple[str, str], list[Submission]] = {}
    notes: dict[str, None] = {}
    for submission in submissions:
        members, note = _members(submission, people, teams)
        of_team = replace(submission, team=submission.team or submission.student, layout=OF_ROSTER, called="")
        named = [replace(of_team, student=member.id) for member in members]
        for each in named or [submission]:
            found.setdefault(each.of, []).append(each)
        if note:
            notes[note] = None
    if teams and people and submissions:
        notes |= dict.fromkeys(_alone(submissions, people, found))
    doubts: list[Unread] = []
    for (student, problem), several in found.items():
        if len({submission.digest for submission in several}) > 1:
            paths = list(dict.fromkeys(submission.path for submission in several))
            why = (
                f"{' and '.join(paths)} count for one student, alone or in a team, and answer {problem} in several ways. "
                "Nobody can tell which counts: keep one of them."
            )
            doubts += [Unread(path, why, doubt=True, student=student, problem=problem) for path in paths]
    counted = [several[0] for several in found.values() if len({submission.digest for submission in several}) == 1]
    return Shared(counted, doubts, list(notes))


def unread_by_members(unread: Sequence[Unread], people: Roster | None, *, teams: bool) -> list[Unread]:
    """Let what cannot be graded of a team be told of each of its members: all of them lack an answer by it."""
    if people is None:
        return list(unread)
    found: list[Unread] = []
    for unread_file in unread:
        person = people.of(unread_file.student)
        members = people.members(person.team if person and teams else unread_file.student)
        found += [replace(unread_file, student=member.id) for member in members] or [unread_file]
    return found


def _members(submission: Submission, people: Roster | None, teams: bool) -> tuple[Sequence[Person], str]:
    """The people whom the roster names as the members of a team, and what is to be said."""
    named = bool(submission.team) and submission.team == submission.student  # by the system
    team = submission.team if named else _team(submission, people, teams) if people else ""
    members = people.members(team) if people and team else ()
    if members and (named or teams):
        return members, f"{team}: the work of a team, which counts for {', '.join(member.id for member in members)}."
    if members:
        return (), (
            f"{submission.student} is called as a team of the roster is, {team!r}, and counts alone. If the class handed in "
            "by teams, give --teams."
        )
    if not named:
        return (), ""
    return (), (
        f"{submission.team}: the system names a team and not its members, so the work counts for the team alone. Give "
        "`class grade` a --roster with a column `group`, which names them."
    )


def _alone(
    submissions: Sequence[Submission], people: Roster, found: Mapping[tuple[str, str], Sequence[Submission]]
) -> list[str]:
    """Who is in a team and handed in alone, and why nobody handed in by a team if nobody did."""
    own = {
        submission.student
        for submission in submissions
        if not _team(submission, people, True) and (who := people.of(submission.student)) and who.team
    }
    lines: list[str] = []
    if own:
        lines.append(
            "In a team of the roster, and called by another name than the team's, so that their work counts for them alone: "
            f"{listed(sorted(own))}."
        )
    elif not any(submission.team for several in found.values() for submission in several):
        lines.append(
            "--teams changes nothing: nobody who handed something in is in a team of the roster. It needs a column `group`, "
            f"and ids such as {listed([submissions[0].student])}."
        )
    return lines


def _team(submission: Submission, people: Roster, teams: bool) -> str:
    """The team of the roster that an answer may be of; empty where it is of none."""
    person = people.of(submission.student)
    if person is not None and (
        submission.called or (submission.layout in LAYOUTS and LAYOUTS[submission.layout].numbered)
    ):
        return person.team if is_team(person, submission.called) else ""
    if person is not None:
        return person.team if teams else ""
    moodle = re.fullmatch(r"(.+)_\d+", submission.student)
    return moodle[1] if moodle and submission.layout == "moodle" else ""
