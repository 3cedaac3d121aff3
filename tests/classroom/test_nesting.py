"""ILIAS and A+: whose their folders are, which attempts count and which are late, and that no other is taken for theirs."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from grader.classroom.late import of_aplus
from grader.classroom.layouts import LAYOUTS
from grader.classroom.recognition import ReadAs, Recognised, recognised
from grader.classroom.roster import Roster
from grader.classroom.submission import Submission
from grader.classroom.teams import by_members
from grader.classroom.tree import OnDisk
from grader.kit.kit import Kit
from tests.classroom.test_folder import TEXT, read, who
from tests.classroom.test_folder import folder as folder
from tests.classroom.test_folder import kit as kit
from tests.classroom.test_layouts import put
from tests.classroom.test_roster import roster

PROBLEMS = ("mha_rope", "rope")
ANA, BO = "One_Ana_aone_271", "Two_Bo_b_two_272"
APLUS = "One, Ana (S001)/Week 1 (id=7)/Rope (id=71)"


def found(folder: Path, paths: list[str], name: str = "") -> Recognised:
    return recognised(OnDisk.of(put(folder, paths)), PROBLEMS, ReadAs(LAYOUTS[name] if name else None, UTC))


def students(of: Recognised) -> list[str]:
    named = {one.name for one in of.entries}
    return sorted(one.student for name, people in of.whose.items() if name in named for one in people)


@pytest.mark.parametrize("around", ["", "Week 3/", "My_first_exercise_3/"])
@pytest.mark.parametrize("stray", [[], ["notes.py"]])
def test_a_class_of_ilias_is_found_with_a_folder_around_it(tmp_path: Path, around: str, stray: list[str]) -> None:
    paths = [f"{around}{one}/rope.py" for one in (ANA, BO, "________Li_li_1_273")]
    read = found(tmp_path / "class", [*paths, *(f"{around}{one}" for one in stray)])
    assert (read.layout.name, students(read)) == ("ilias", ["271", "272", "273"])
    assert [one.path.removeprefix(around) for one in read.doubts] == stray


@pytest.mark.parametrize(
    "paths",
    [
        [f"{ANA}/rope.py"],  # alone: any folder may be called so
        [f"{ANA}/rope.py", "ana/rope.py"],
        [f"{ANA}/rope.py", f"{BO}/rope.py", "cy_mha_rope.py"],
        ["cs_lab_team_201/rope.py", "cs_lab_team_202/rope.py"],
        ["lab_one_red_1/rope.py", "lab_two_blue_2/rope.py"],
        ["One_Ana_sec_101/rope.py", "Two_Bo_sec_102/rope.py"],  # two people with one login
        ["One_Ana_aone_101/rope.py", "Two_Bo_btwo_101/rope.py"],  # two people with one number
        ["my_own_code_101/week1/rope.py", "our_great_try_102/week1/rope.py"],  # folders in folders
        ["Team 1/rope.py", "Team 2/rope.py"],
        [f"Week 1/{ANA}/rope.py", f"Week 2/{BO}/rope.py"],  # sections, or weeks
        ["student_2026_w_111/rope.py", "student_2026_v_112/rope.py"],
    ],
)
def test_folders_that_ilias_cannot_have_written_are_not_of_it(tmp_path: Path, paths: list[str]) -> None:
    read = found(tmp_path / "class", paths)
    assert (read.layout.name, read.doubts) == ("plain", [])
    assert set(students(read)) == {one.partition("/")[0].removesuffix("_mha_rope.py") for one in paths}


def test_a_file_of_ilias_that_is_late_is_marked_in_any_language(folder: Path, kit: Kit) -> None:
    put(
        folder,
        [f"{ANA}/Late Submission - rope - Copy.py", f"{ANA}/mha_rope.py", f"{BO}/Verspatete Abgabe - rope (2).py"],
    )
    put(folder, [f"{BO}/my notes - work.py"], {"my notes - work.py": "def mha_rope(x):\n    return x\n"})
    put(folder, ["Three_Cy_cthree_273/Consegna in ritardo - stub.py"])
    answers, unread = read(folder, kit)
    assert [(one.student, one.problem, one.late) for one in answers] == [
        ("271", "rope", True),
        ("272", "mha_rope", False),
        ("272", "rope", True),
        ("273", "rope", True),
    ]
    assert ({one.layout for one in answers}, [one.path for one in unread]) == ({"ilias"}, [f"{ANA}/mha_rope.py"])


def test_two_files_of_ilias_with_one_name_are_in_doubt(folder: Path, kit: Kit) -> None:
    put(folder, [f"{ANA}/rope.py", f"{BO}/rope.py"])
    (folder / ANA / "rope (2).py").write_text(f"{TEXT}# again\n")
    answers, unread = read(folder, kit)
    assert [one.student for one in answers] == ["272"]
    assert [(one.doubt, one.student) for one in unread] == [(True, "271")] * 2


TEAMS = [f"Team 12/{ANA}/rope.py", f"Team 12/{BO}/mha_rope.py", "Team 13/Three_Cy_cthree_273/rope.py"]


def test_the_work_of_a_team_of_ilias_is_of_each_member_with_a_folder(folder: Path, kit: Kit) -> None:
    put(folder, TEAMS)
    put(folder, TEAMS[1:2], {"mha_rope.py": "def mha_rope(x):\n    return x\n"})
    answers, unread = read(folder, kit)
    assert not unread
    assert [(one.student, one.problem, one.team) for one in answers] == [
        ("271", "mha_rope", "Team 12"),
        ("271", "rope", "Team 12"),
        ("272", "mha_rope", "Team 12"),
        ("272", "rope", "Team 12"),
        ("273", "rope", "Team 13"),
    ]


def test_the_user_says_that_a_class_is_of_ilias(tmp_path: Path) -> None:
    """In another language, of one student alone, or with the files of a team in its folder."""
    teams = [one.replace("Team", "Equipe") for one in TEAMS]
    assert students(found(tmp_path / "a", teams, "ilias")) == ["271", "272", "273"]
    assert students(found(tmp_path / "b", [f"{ANA}/rope.py"], "ilias")) == ["271"]
    read = found(tmp_path / "c", ["Team 12/rope.py", "Team 13/rope.py"], "ilias")
    assert [(one.student, one.team) for people in read.whose.values() for one in people] == [
        ("Team 12", "Team 12"),
        ("Team 13", "Team 13"),
    ]
    read = found(tmp_path / "d", [f"Week 3/{one}/rope.py" for one in (ANA, BO)], "ilias")  # no team
    assert [one.team for people in read.whose.values() for one in people] == ["", ""]


def test_of_the_attempts_of_aplus_the_latest_counts(folder: Path, kit: Kit) -> None:
    first, best, last = "2026-03-01T12:00:00.123456+02:00", "2026-03-01T10:30:00Z (best)", "2026-03-01T13_00_00+02_00"
    for one in (first, best, last):
        put(folder, [f"CS-1, basics - Python (2026) (id=3)/{APLUS}/{one}/rope.py"], {"rope.py": f"{TEXT}# {one}\n"})
    for one in ("_meta.yaml", "../exercise.yaml", "../../module.yaml", "../../../user.yaml", "../../Two (id=72).yaml"):
        (folder / f"CS-1, basics - Python (2026) (id=3)/{APLUS}/{first}" / one).write_text("a: 1\n")
    answers, unread = read(folder, kit)
    path = f"CS-1, basics - Python (2026) (id=3)/{APLUS}/{last}/rope.py"
    assert who(answers) == [("S001", "rope", path)]
    assert (answers[0].submitted, answers[0].called, answers[0].layout) == (
        "2026-03-01T11:00:00+00:00",
        "One, Ana",
        "aplus",
    )
    assert [one.why for one in unread] == [f"an earlier attempt at rope: {path} counts."] * 2


def test_an_assignment_of_aplus_is_a_module(folder: Path, kit: Kit) -> None:
    for week, name in ((1, "rope"), (2, "mha_rope")):
        path = f"One, Ana (S001)/Week {week} (id={week})/Rope (id=71)/2026-03-01T12:00:00Z/{name}.py"
        put(folder, [path], {f"{name}.py": f"def {name}(x):\n    return x\n"})
    answers, unread = read(folder, kit, ReadAs(assignment="Week 2 (id=2)"))
    assert ([one.problem for one in answers], unread) == (["mha_rope"], [])


@pytest.mark.parametrize(
    "paths",
    [
        ["One, Ana (S001)/rope.py", "Two, Bo (S002)/rope.py"],
        ["One, Ana (S001)/Week 1 (id=7)/rope.py", "Two, Bo (S002)/Week 1 (id=7)/rope.py"],
    ],
)
def test_folders_without_those_of_attempts_are_not_of_aplus(tmp_path: Path, paths: list[str]) -> None:
    read = found(tmp_path / "class", paths)
    assert (read.layout.name, students(read), read.doubts) == ("plain", ["One, Ana (S001)", "Two, Bo (S002)"], [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01T12:00:00.123456+02:00", "2026-03-01T10:00:00.123456+00:00"),
        ("2026-03-01T12-00-00.5-0230 (best)", "2026-03-01T14:30:00.500000+00:00"),
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00+00:00"),
        ("2026-03-01T12:00:00", ""),
        ("2026-13-01T12:00:00Z", ""),
        ("0001-01-01T00:00:00+02:00", ""),
        ("rope", ""),
    ],
)
def test_the_time_of_an_attempt_of_aplus(text: str, expected: str) -> None:
    assert of_aplus(text) == expected


def test_the_list_of_the_class_has_the_ids(tmp_path: Path) -> None:
    def named(lines: str, layout: str, student: str, called: str) -> str:
        known = Submission(student, "rope", "x", TEXT, layout=layout, called=called)
        people: Roster = roster(tmp_path, lines)
        person = people.among([known]).of(student)
        assert [one.student for one in by_members([known], people, teams=False).submissions] == [student]
        return person.id if person else ""

    assert named("login,usr_id\naone,271", "ilias", "271", "One_Ana_aone") == "aone"
    assert not named("id,name\n271,Ana One", "ilias", "271", "One_Ana_aone")  # of another system
    assert named("UserID,StudentID,Email,Name\n5,S001,ana@x.example,Ana One", "aplus", "S001", "One, Ana") == "S001"
    assert not named("StudentID,Name\n271,Zoe Zed", "aplus", "271", "Two, Bo")
