"""Work of several people counts for each whom the system or the roster names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from grader.classroom.roster import Roster, read_roster
from grader.classroom.submission import Submission, Unread
from grader.classroom.teams import by_members, unread_by_members

WORK = Submission("101", "rope", "x/rope.py", "x = 1\n")
TEAM = replace(WORK, student="Team A", team="Team A", called="4711")


@pytest.fixture
def people(tmp_path: Path) -> Roster:
    (tmp_path / "people.csv").write_text(
        'id,name,group\n101,Ana One,Team A\n102,Bo Two,Team A\n103,"Three, Cy",\n104,Di Four,Group One\n105,,Group One\n'
    )
    return read_roster(tmp_path / "people.csv")


def both(
    submissions: Sequence[Submission], people: Roster | None, *, teams: bool = True
) -> tuple[list[Submission], list[str]]:
    found = by_members(submissions, people, teams=teams)
    assert found.doubts == []
    return found.submissions, found.notes


def who(found: Sequence[Submission]) -> list[tuple[str, str]]:
    return [(one.student, one.team) for one in found]


def test_a_team_that_the_system_names_counts_for_its_members(people: Roster) -> None:
    found, notes = both([TEAM], people)
    assert (who(found), notes) == (
        [("101", "Team A"), ("102", "Team A")],
        ["Team A: the work of a team, which counts for 101, 102."],
    )


def test_members_are_found_in_the_roster_that_named_them(people: Roster) -> None:
    found, _ = both([replace(TEAM, layout="moodle-teams")], people)
    among = people.among(found)
    assert [person and person.name for person in map(among.of, ("101", "102"))] == ["Ana One", "Bo Two"]
    assert [person.id for person in among.without_work(one.student for one in found)] == ["103", "104", "105"]


def test_a_team_whose_members_nobody_names_counts_for_the_team_and_says_so(people: Roster) -> None:
    for team, known in ((TEAM, None), (replace(TEAM, student="Team X", team="Team X"), people)):
        found, notes = both([team, replace(team, problem="mha_rope")], known)
        assert [one.student for one in found] == [team.student] * 2
        (note,) = notes
        assert f"{team.student}: the system names a team and not its members" in note


def test_a_name_of_moodle_that_is_a_group_counts_for_the_group(people: Roster) -> None:
    named = [replace(WORK, student="Team A_4711", layout="moodle")]
    assert who(both(named, people)[0]) == [("101", "Team A_4711"), ("102", "Team A_4711")]
    found, (note,) = both(named, people, teams=False)
    assert who(found) == [("Team A_4711", "")]
    assert "If the class handed in by teams, give --teams." in note


@pytest.mark.parametrize(
    ("student", "called", "in_a_team"),
    [("101", "oneana", True), ("103", "threecy", False), ("105", "x", True), ("999", "x", False), ("101", "", True)],
)
def test_one_who_is_called_as_in_the_roster_handed_it_in_alone_and_a_line_says_so(
    student: str, called: str, in_a_team: bool, people: Roster
) -> None:
    found, (note,) = both([replace(WORK, student=student, called=called, layout="canvas")], people)
    assert who(found) == [(student, "")]
    alone = f"another name than the team's, so that their work counts for them alone: {student}."
    assert note.endswith(alone if in_a_team else f"a column `group`, and ids such as {student}.")


def test_where_no_names_stand_beside_ids_the_answer_of_any_member_counts_for_all(people: Roster) -> None:
    """The shape `team_plain`: folders of some members, and a roster with groups."""
    handed = [replace(WORK, student="102", layout="plain"), replace(WORK, student="105", layout="plain")]
    found, notes = both(handed, people)
    assert who(found) == [("101", "102"), ("102", "102"), ("104", "105"), ("105", "105")]
    assert notes[0] == "Team A: the work of a team, which counts for 101, 102."
    found, notes = both(handed, people, teams=False)
    assert (who(found), notes) == ([("102", ""), ("105", "")], [])


def test_two_answers_of_one_team_count_for_nobody_and_each_member_is_told(people: Roster) -> None:
    handed = [
        replace(WORK, student="101", layout="plain"),
        replace(WORK, student="102", path="y/rope.py", text="x = 2\n", layout="plain"),
    ]
    found = by_members(handed, people, teams=True)
    assert found.submissions == []
    assert [(one.student, one.problem, one.doubt) for one in found.doubts] == [
        ("101", "rope", True),
        ("101", "rope", True),
        ("102", "rope", True),
        ("102", "rope", True),
    ]
    # Each file has one line, which is the same for all of the team.
    assert {one.path for one in found.doubts} == {"x/rope.py", "y/rope.py"}
    assert len({one.why for one in found.doubts}) == 1


def test_what_cannot_be_read_of_a_team_is_told_of_each_member(people: Roster) -> None:
    broken, other = Unread("x/rope.py", "no text", student="102", problem="rope"), Unread("z", "no")
    found = unread_by_members([broken, other], people, teams=True)
    assert [one.student for one in found] == ["101", "102", ""]
    assert unread_by_members([broken], people, teams=False) == [broken]
    named = replace(broken, student="Group One")
    assert [one.student for one in unread_by_members([named], people, teams=False)] == ["104", "105"]


def test_the_one_whom_canvas_names_for_a_group_stands_for_its_members(people: Roster) -> None:
    named = [replace(WORK, student="104", called="groupone", layout="canvas")]
    assert who(both(named, people)[0]) == [("104", "104"), ("105", "104")]
    found, (note,) = both(named, people, teams=False)
    assert who(found) == [("104", "")]
    assert "104 is called as a team of the roster is" in note


def test_who_is_called_as_a_team_takes_nobody_s_answer(people: Roster) -> None:
    """Anybody may call themselves so: two answers of one student to one problem are in doubt, and none counts."""
    own = replace(WORK, student="105", path="own/rope.py", text="x = 2\n", layout="canvas")
    named = replace(WORK, student="104", called="groupone", layout="canvas")
    found = by_members([own, named], people, teams=True)
    assert [one.student for one in found.submissions] == ["104"]
    assert [(one.path, one.student, one.doubt) for one in found.doubts] == [
        ("own/rope.py", "105", True),
        ("x/rope.py", "105", True),  # each of the files has an entry
    ]
    why = "own/rope.py and x/rope.py count for one student, alone or in a team, and answer rope in several ways."
    assert all(one.why.startswith(why) for one in found.doubts)
