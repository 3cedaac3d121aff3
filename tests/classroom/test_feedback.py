"""Feedback goes back under the names that a download had, each page once, and to nobody who is not known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.classroom.roster import read_roster
from grader.classroom.row import Row
from grader.classroom.student_page import FEEDBACK_SYSTEMS, GoesBack, going_back
from grader.classroom.submission import Unread
from grader.classroom.teams import OF_ROSTER
from grader.kit.kit import KitError
from tests.classroom.exports.rows import row, verdict_of
from tests.classroom.system_names import EXAMPLES

CANVAS, MOODLE = FEEDBACK_SYSTEMS["canvas"], FEEDBACK_SYSTEMS["moodle"]


def of(student: str, *paths: str, layout: str = "canvas", team: str = "") -> tuple[str, tuple[list[Row], list[Unread]]]:
    rows = [row(student, verdict_of(), f"p{at}", path=path, layout=layout, team=team) for at, path in enumerate(paths)]
    return student, (rows, [])


def names(back: GoesBack) -> list[str]:
    return sorted(back.files)


def canvas(*students: tuple[str, tuple[Sequence[Row], Sequence[Unread]]]) -> GoesBack:
    return going_back(CANVAS, dict(students), ".txt", str.encode)


def moodle(*students: tuple[str, tuple[Sequence[Row], Sequence[Unread]]]) -> GoesBack:
    return going_back(MOODLE, dict(students), ".html", str.encode)


def test_a_page_has_the_name_that_canvas_gave_and_the_text_of_its_student() -> None:
    back = canvas(
        of("101", "oneana_101_9001_stub.py"),
        of("102", "submissions/twobo_LATE_102_9003_rope-1.py"),
        of("anon_aB3xZ", "anon_aB3xZ_5001_rope.py", layout="canvas-anonymous"),
    )
    assert back.files == {
        "oneana_101_9001_stub.py": b"101",
        "twobo_LATE_102_9003_rope-1.py": b"102",
        "anon_aB3xZ_5001_rope.py": b"anon_aB3xZ",
    }
    assert back.notes == []


def test_of_several_files_one_is_named_and_a_notebook_or_a_zip_gets_an_ending() -> None:
    back = canvas(
        of("101", "oneana_101_9001_week1.ipynb", "oneana_101_9002_rope.py"),
        of("102", "twobo_102_9003_week1.ipynb"),
        of("103", "threecy_103_9004_all.zip/week1/rope.py"),
    )
    assert names(back) == [
        "oneana_101_9002_rope.py",
        "threecy_103_9004_all.zip.txt",
        "twobo_102_9003_week1.ipynb.txt",
    ]


def test_every_name_that_a_download_of_canvas_can_have_is_one_of_canvas() -> None:
    for layout in ("canvas", "canvas-anonymous"):
        for path, people in EXAMPLES[layout].items():
            assert names(canvas(of(people[0].student, path, layout=layout))) == [path]


def test_a_page_lies_in_the_folder_that_moodle_gave() -> None:
    back = moodle(
        of("Ana García_4711", "Ana García_4711_assignsubmission_file_/week1/rope.py", layout="moodle"),
        of("Bo_4712", "download/Bo_4712_assignsubmission_file_rope.py", layout="moodle"),
        of("Cy_4713", "Cy_4713_assignsubmission_onlinetext_/onlinetext.html", layout="moodle"),
        of("Di_4714", "Di_4714_assignsubmission_file/rope.py", layout="moodle"),
    )
    assert names(back) == [
        "Ana García_4711_assignsubmission_file_/feedback.html",
        "Bo_4712_assignsubmission_file_/feedback.html",
        "Cy_4713_assignsubmission_onlinetext_/feedback.html",
        "Di_4714_assignsubmission_file_/feedback.html",
    ]


def test_a_team_of_moodle_is_left_out_because_its_number_may_be_that_of_a_student() -> None:
    back = moodle(
        of("Ana_4711", "Ana_4711_assignsubmission_file_/rope.py", layout="moodle"),
        of("Team A", "Team A_4711_assignsubmission_file_/rope.py", layout="moodle-teams", team="Team A"),
        of("m7", "Team B_4712_assignsubmission_file_/rope.py", layout=OF_ROSTER, team="Team B"),
    )
    assert names(back) == ["Ana_4711_assignsubmission_file_/feedback.html"]
    (note,) = back.notes
    assert note.endswith("that of a student: Team A, m7.")


def test_members_of_a_group_of_canvas_share_a_file_if_their_pages_are_equal() -> None:
    group = [of(name, "lab_101_9001_rope.py", layout=OF_ROSTER, team="lab") for name in ("ana", "bo")]
    back = going_back(CANVAS, dict(group), ".txt", lambda _: b"the same")
    assert back.files == {"lab_101_9001_rope.py": b"the same"}
    back = canvas(*group, of("103", "threecy_103_9004_rope.py"))
    assert names(back) == ["threecy_103_9004_rope.py"]
    assert "whose pages differ: ana, bo" in back.notes[0]


def test_who_handed_in_nothing_that_could_be_read_gets_a_page_too() -> None:
    unread = [Unread("fourdi_104_9007_final.py", "why", student="104")]
    back = canvas(("104", ([], unread)))
    assert back.files == {"fourdi_104_9007_final.py": b"104"}


def test_where_no_name_is_the_systems_nothing_is_written() -> None:
    with pytest.raises(KitError, match=r"There is nothing for Canvas. Left out, because no file of theirs .*: ana."):
        canvas(of("ana", "ana/x_1_2_rope.py", layout="plain"))
    with pytest.raises(KitError, match="The gradebook holds no answer"):
        canvas()
    back = canvas(
        of("101", "oneana_101_9001_rope.py"), of("Bo_4712", "Bo_4712_assignsubmission_file_/rope.py", layout="moodle")
    )
    assert "no file of theirs is named as in Canvas's download of an assignment: Bo_4712" in back.notes[0]
    assert back.students == ["101"]


def test_a_list_with_numbers_of_moodle_must_have_the_number_and_the_name(tmp_path: Path) -> None:
    (tmp_path / "worksheet.csv").write_text(
        "Identifier,Full name,Grade\nParticipant 4711,Ana One,\nParticipant 4712,Bo,\n"
    )
    folders = ("Ana One_4711", "Team B_4712")
    people = read_roster(tmp_path / "worksheet.csv")
    students = dict(of(one, f"{one}_assignsubmission_file_/rope.py", layout="moodle") for one in folders)
    known = people.among([row for rows, _ in students.values() for row in rows])
    back = going_back(MOODLE, students, ".html", str.encode, known)
    assert names(back) == ["Ana One_4711_assignsubmission_file_/feedback.html"]
    assert back.notes == ["Left out, because the roster has nobody with their number and name: Team B_4712."]
    (tmp_path / "people.csv").write_text("email\nana@x.example\n")
    back = going_back(MOODLE, students, ".html", str.encode, read_roster(tmp_path / "people.csv"))
    assert len(back.files) == 2, "such a list says nothing of numbers"
