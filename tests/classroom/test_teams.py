"""Work of several people counts for each whom the system or the roster names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.roster import Roster, read_roster
from grader.classroom.submission import Submission
from grader.classroom.teams import with_members

WORK = Submission("101", "rope", "x/rope.py", "x = 1\n")
TEAM = replace(WORK, student="Team A", team="Team A", called="4711")


@pytest.fixture
def people(tmp_path: Path) -> Roster:
    (tmp_path / "people.csv").write_text(
        'id,name,group\n101,Ana One,Team A\n102,Bo Two,Team A\n103,"Three, Cy",\n104,Di Four,Group One\n105,,Group One\n'
    )
    return read_roster(tmp_path / "people.csv")


def who(found: Sequence[Submission]) -> list[tuple[str, str]]:
    return [(one.student, one.team) for one in found]


def test_a_team_that_the_system_names_counts_for_its_members(people: Roster) -> None:
    found, notes = with_members([TEAM], people)
    assert (who(found), notes) == ([("101", "Team A"), ("102", "Team A")], [])


def test_a_team_whose_members_nobody_names_counts_for_the_team_and_says_so(people: Roster) -> None:
    for team, known in ((TEAM, None), (replace(TEAM, student="Team X", team="Team X"), people)):
        found, notes = with_members([team, replace(team, problem="mha_rope")], known)
        assert [one.student for one in found] == [team.student] * 2
        (note,) = notes
        assert f"{team.student}: the system names a team and not its members" in note


def test_a_name_of_moodle_that_is_a_group_counts_for_the_group(people: Roster) -> None:
    found, _ = with_members([replace(WORK, student="Team A_4711")], people)
    assert who(found) == [("101", "Team A_4711"), ("102", "Team A_4711")]


@pytest.mark.parametrize(
    ("student", "called"), [("101", "oneana"), ("103", "threecy"), ("105", "x"), ("999", "x"), ("101", "")]
)
def test_one_who_is_called_as_in_the_roster_handed_it_in_alone(student: str, called: str, people: Roster) -> None:
    found, notes = with_members([replace(WORK, student=student, called=called, layout="canvas")], people)
    assert (who(found), notes) == ([(student, "")], [])


def test_the_one_whom_canvas_names_for_a_group_stands_for_its_members(people: Roster) -> None:
    found, notes = with_members([replace(WORK, student="104", called="groupone", layout="canvas")], people)
    assert (who(found), notes) == ([("104", "104"), ("105", "104")], [])
