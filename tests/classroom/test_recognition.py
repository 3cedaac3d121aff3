"""A class is read by the one rule that fits all of it. What no rule fits, or two, is nobody's."""

from __future__ import annotations

import shutil
from datetime import UTC
from pathlib import Path

import pytest

from grader.classroom.layouts import LAYOUTS, PLAIN, Layout
from grader.classroom.recognition import ReadAs, Recognised, recognised
from grader.classroom.roster import Roster
from grader.classroom.tree import OnDisk
from tests.classroom.system_names import EXAMPLES
from tests.classroom.test_layouts import put
from tests.classroom.test_roster import roster

PROBLEMS = ("mha_rope", "rope")
CANVAS = ("oneana_101_5001_rope.py", "twobo_102_5002_rope.py")
MOODLE = ("Ana One_11_assignsubmission_file_/rope.py", "Bo Two_12_assignsubmission_file_/rope.py")


def read(folder: Path, given: Layout | None = None, people: Roster | None = None) -> Recognised:
    return recognised(OnDisk.of(folder), PROBLEMS, ReadAs(given, UTC, listed=people and people.lists))


def students(found: Recognised) -> list[str]:
    named = {one.name for one in found.entries}
    return sorted(one.student for name, several in found.whose.items() if name in named for one in several)


@pytest.mark.parametrize(
    ("paths", "layout", "expected"),
    [
        (["x/doejane_12345_67890_rope.py", "x/roe_2_3_rope.py", "__MACOSX/x", ".DS_Store"], "canvas", ["12345", "2"]),
        ([f"submissions/{one}" for one in MOODLE], "moodle", ["Ana One_11", "Bo Two_12"]),
        (["download/index.html", f"download/{MOODLE[0]}", "notes.txt"], "moodle", ["Ana One_11"]),
        (["a/b/week1-submissions/week1-ana/rope.py"], "github", ["ana"]),
        (["a/week1-submissions/week1-ana/rope.py", "a/week1-submissions/week1-bo/rope.py"], "github", ["ana", "bo"]),
        (
            ["course/submitted/ana/week1/rope.py", "course/source/week1/rope.py", "course/release/x"],
            "nbgrader",
            ["ana"],
        ),
        (["submitted/ana/week1/rope.py", "source/week1/rope.py", "gradebook.db"], "nbgrader", ["ana"]),
        (["ana/rope.py", "ben/rope.py", "ana_mha_rope.py"], "plain", ["ana", "ana", "ben"]),
        (["ana/week1/rope.py"], "plain", ["ana"]),
        (["ana/rope/stub.py", "ana/mha_rope/stub.py"], "plain", ["ana"]),
        (["ana/problems/rope/stub.py", "ana/solutions/x"], "plain", ["ana"]),
        (["ana/ps1/timestamp.txt", "ana/ps2/timestamp.txt"], "nbgrader", ["ana"]),
        (["ana/week1/rope.py", "ana/mha_rope.py"], "plain", ["ana"]),
        (["student_2026_01_rope.py", "student_2026_02_rope.py"], "plain", ["student_2026_01", "student_2026_02"]),
        (["Student_2026_11_rope.py"], "plain", ["Student_2026_11"]),
        (["class/ana/rope.py", "class/bo/rope.py"], "plain", ["ana", "bo"]),
    ],
)
def test_a_class_is_found_with_what_lies_around_it(
    tmp_path: Path, paths: list[str], layout: str, expected: list[str]
) -> None:
    found = read(put(tmp_path / "class", paths))
    assert (found.layout.name, students(found)) == (layout, expected)


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (
            [*CANVAS, "ana_rope.py"],
            "2 of these look like the submissions of a Canvas assignment, and ana_rope.py do not.",
        ),
        ([*CANVAS, "Bo/rope.py"], "2 of these look like the submissions of a Canvas assignment, and Bo do not."),
        (
            [*MOODLE, "Cy Three/rope.py"],
            "2 of these look like the submissions of a Moodle assignment, and Cy Three do not.",
        ),
        ([*CANVAS, *MOODLE], "look like the submissions of a Canvas assignment"),
        ([CANVAS[0], "twobo_101_5002_mha_rope.py"], "101 is in the names of 'oneana' and of 'twobo'"),
        ([CANVAS[0], "twobo_102_5001_rope.py"], "2 names have the number 5001 of one upload"),
        ([CANVAS[0], "oneana_101_6001_rope.py"], "101 has 2 files called 'rope.py'"),
        (["student_2026_11_rope.py", "student_2026_12_rope.py"], "2026 has 2 files called 'rope.py'"),
        (
            ["oneana1_question_5_7_rope.py", "twobo1_question_5_8_rope.py"],
            "1 is in the names of 'oneana' and of 'twobo'",
        ),
        (["1-9 - Ana - Sep 24, 2026 926 PM/rope.py", "1-9 - Bo - Sep 24, 2026 926 PM/rope.py"], "of 'Ana' and of 'Bo'"),
    ],
)
def test_what_two_rules_may_fit_or_contradicts_itself_is_graded_for_nobody(
    tmp_path: Path, paths: list[str], said: str
) -> None:
    found = read(put(tmp_path / "class", paths))
    assert (found.entries, found.whose) == ((), {})
    (doubt,) = found.doubts
    assert doubt.doubt
    assert said in doubt.why
    assert "--from plain" in doubt.why
    assert "\n" not in doubt.why


@pytest.mark.parametrize("stray", ["notes.py", "rope.py", "homework.ipynb"])
@pytest.mark.parametrize("paths", [CANVAS, MOODLE, ("ana/rope.py", "bo/rope.py")])
def test_a_stray_file_is_nobody_s_and_the_others_are_read(tmp_path: Path, paths: tuple[str, ...], stray: str) -> None:
    found = read(put(tmp_path / "class", [*paths, stray]))
    assert len(students(found)) == 2
    assert [(one.path, one.doubt) for one in found.doubts] == [(stray, True)]


@pytest.mark.parametrize(
    "inner", [[MOODLE[0]], list(MOODLE), list(CANVAS), ["1-9 - Ana - Sep 24, 2026 926 PM/rope.py"]]
)
def test_a_download_among_other_folders_is_not_one_student_s(tmp_path: Path, inner: list[str]) -> None:
    found = read(put(tmp_path / "class", [*(f"download/{one}" for one in inner), "ana/rope.py"]))
    assert students(found) == ["ana"]
    (doubt,) = found.doubts
    assert (doubt.path, doubt.doubt) == ("download", True)
    assert "grade it by itself" in doubt.why


def test_an_archive_beside_downloads_may_be_another_download(tmp_path: Path) -> None:
    for name, inside in (("submissions", list(CANVAS)), ("quiz", ["ana/rope.py"])):
        shutil.make_archive(str(tmp_path / "class" / name), "zip", put(tmp_path / name, inside))
    put(tmp_path / "class", ["bo/rope.py"])
    found = read(tmp_path / "class")
    assert (students(found), [one.path for one in found.doubts]) == (["bo"], ["quiz.zip", "submissions.zip"])


def test_the_user_says_what_a_class_is(tmp_path: Path) -> None:
    folder = put(tmp_path / "class", [*CANVAS, "ana_rope.py"])
    found = read(folder, LAYOUTS["canvas"])
    assert (students(found), [one.path for one in found.doubts]) == (["101", "102"], ["ana_rope.py"])
    assert students(read(folder, PLAIN)) == ["ana", "oneana_101_5001", "twobo_102_5002"]
    folder = put(tmp_path / "teams", MOODLE)
    assert students(read(folder, LAYOUTS["moodle-teams"])) == ["Ana One", "Bo Two"]
    mixed = put(tmp_path / "mixed", ["oneana_101_5001_rope.py", "twobo_101_5002_mha_rope.py", "cy_103_5003_rope.py"])
    found = read(mixed, LAYOUTS["canvas"])
    assert (students(found), len(found.doubts)) == (["103"], 2)


def test_folders_in_a_lone_folder_may_be_students_or_assignments(tmp_path: Path) -> None:
    folder = put(tmp_path / "week1", [f"submissions/{one}/rope.py" for one in ("ana", "ben", "cem", "dan")])
    (doubt,) = read(folder).doubts
    assert "holds ana and ben and cem and 1 more" in doubt.why
    assert "run `class grade` on submissions itself" in doubt.why
    assert doubt.doubt


def test_folders_around_a_class_end_somewhere(tmp_path: Path) -> None:
    (doubt,) = read(put(tmp_path / "class", [f"class/class/class/class/{one}" for one in CANVAS])).doubts
    assert "more than 3 folders lie around the class" in doubt.why


TIME = "attempt_2026-03-01-10-00-00"
ANOTHER = "attempt_2026-12-01-00-00-00"


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        # What a student uploads to Blackboard may be called as a file of another's.
        (
            [
                *(f"W_ana_{TIME}.txt", f"W_ana_{TIME}_rope.py", f"W_bob_{TIME}.txt", f"W_bob_{TIME}_rope.py"),
                *(f"W_bob_{TIME}_x_ana_{ANOTHER}.txt", f"W_bob_{TIME}_x_ana_{ANOTHER}_rope.py"),
            ],
            ["ana", "bob", "bob", "bob"],  # and the text beside it
        ),
        (
            ["Ana_4711_assignsubmission_file_x-Bo Two_4712_assignsubmission_file_rope.py", MOODLE[1]],
            ["Ana_4711", "Bo Two_12"],
        ),
        ([".Ana_4711_assignsubmission_file_/rope.py", MOODLE[1]], [".Ana_4711", "Bo Two_12"]),
        (["oneana_101_5001_hw_question_1.ipynb", "twobo_102_5002_a7_question_5_6_rope.py"], ["101", "102"]),
        (
            ["oneana_101_5001_rope.py", "i\u0307lker_102_5002_rope.py", "\u0905\u0928\u093f_103_5003_rope.py"],
            ["101", "102", "103"],
        ),
        (["mha_rope.py", "ana_rope.py"], ["ana"]),
    ],
)
def test_names_that_students_choose_make_them_nobody_else(
    tmp_path: Path, paths: list[str], expected: list[str]
) -> None:
    held = {f"W_{one}_{TIME}.txt": f"Name: X ({one})\n" for one in ("ana", "bob")}
    found = read(put(tmp_path / "class", paths, held | {f"W_bob_{TIME}_x_ana_{ANOTHER}.txt": "(ana)\n"}))
    assert students(found) == expected


@pytest.mark.parametrize("name", ["oneana1\u0667101_question_5551_77001_rope.py", "_102_5002_7_rope.py"])
def test_digits_of_other_scripts_and_empty_names_are_no_numbers_of_canvas(tmp_path: Path, name: str) -> None:
    found = read(put(tmp_path / "class", ["oneana_101_5001_rope.py", name]))
    assert students(found) in ([], ["101"])
    assert found.doubts


def test_weeks_and_sections_are_no_students(tmp_path: Path) -> None:
    found = read(put(tmp_path / "class", ["week1/ana/rope.py", "week1/bo/rope.py", "week2/ana/rope.py", "cy/rope.py"]))
    assert students(found) == ["cy"]
    assert [one.path for one in found.doubts] == ["week1", "week2"]
    assert "ana and bo in it hold answers to one problem." in found.doubts[0].why
    assert found.doubts[1].why == "it may hold several students, as week1 may: see there."


def test_sections_whose_students_hand_in_stubs_are_no_students(tmp_path: Path) -> None:
    found = read(put(tmp_path / "class", ["sec1/ana/stub.py", "sec1/bo/stub.py", "cy/stub.py"]))
    assert (students(found), [one.path for one in found.doubts]) == (["cy"], ["sec1"])


def test_an_assignment_of_several_is_named(tmp_path: Path) -> None:
    paths = [
        f"{week}_{one}_{TIME}{rest}" for week in ("W1", "W2") for one in ("ana", "bo") for rest in (".txt", "_rope.py")
    ]
    held = {f"{week}_{one}_{TIME}.txt": f"Name: X ({one})\n" for week in ("W1", "W2") for one in ("ana", "bo")}
    folder = put(tmp_path / "class", paths, held)
    for given in (None, LAYOUTS["blackboard"]):  # attempts at two assignments are not of one
        (doubt,) = read(folder, given).doubts
        assert doubt.why == "these are of 2 assignments: W1, W2. Nothing is graded: name one with --assignment."
    found = recognised(OnDisk.of(folder), PROBLEMS, ReadAs(zone=UTC, assignment="W1"))
    assert (students(found), found.doubts) == (["ana", "bo"], [])


def test_a_clone_of_the_kit_is_no_class(tmp_path: Path) -> None:
    (doubt,) = read(put(tmp_path / "class", ["problems/rope/stub.py", "README.md", "grader/x.py"])).doubts
    assert "the folder of one student" in doubt.why


def test_one_file_in_a_lone_folder_is_a_download_only_if_the_user_says_so(tmp_path: Path) -> None:
    """A student may call a file as Canvas would call another's."""
    folder = put(tmp_path / "class", [f"ana/{CANVAS[1]}"])
    (doubt,) = read(folder).doubts
    assert "say --from canvas if it is a download, or --from plain if it is the folder of one student." in doubt.why
    assert students(read(folder, LAYOUTS["canvas"])) == ["102"]
    assert students(read(folder, PLAIN)) == ["ana"]


ATTEMPTS = (
    "differ by a number alone, and may be two attempts of one student. Nothing is graded: leave one attempt of each"
)


@pytest.mark.parametrize(
    "paths",
    [
        ["ana@x_1/rope.py", "ana@x_2/rope.py", "bo@x_1/rope.py"],
        ["ana_1_rope.py", "ana_2_rope.py", "bo_1_rope.py"],
        ["101_5001_file_1/rope.py", "101_5002_file_1/rope.py", "102_5003_file_1/rope.py"],
    ],
)
def test_attempts_of_a_system_that_is_not_known_are_no_students(tmp_path: Path, paths: list[str]) -> None:
    folder = put(tmp_path / "class", paths)
    found = read(folder)
    assert (found.entries, found.whose) == ((), {})
    (doubt,) = found.doubts
    assert doubt.doubt
    assert ATTEMPTS in doubt.why
    assert len(students(read(folder, PLAIN))) == 3


@pytest.mark.parametrize("name", ["student-{}", "student_{}", "s10{}", "group{}", "Team {}", "2021-1023{}"])
def test_students_who_are_numbered_are_students(tmp_path: Path, name: str) -> None:
    folder = put(tmp_path / "class", [f"{name.format(number)}/rope.py" for number in (1, 2, 3)])
    found = read(folder)
    assert (len(students(found)), found.doubts) == (3, [])


@pytest.mark.parametrize(
    ("paths", "layout"),
    [
        (["w-submissions/w-ana/rope.py", "w-submissions/w-ana-1/rope.py", "w-submissions/w-bo/rope.py"], "github"),
        (["ana/rope.py", "ana (1)/rope.py", "bo/rope.py", "bo_mha_rope.py"], "plain"),
    ],
)
def test_a_second_folder_of_one_student_is_in_doubt_with_the_first(
    tmp_path: Path, paths: list[str], layout: str
) -> None:
    folder = put(tmp_path / "class", paths)
    found = read(folder)
    assert {*students(found)} == {"bo"}
    assert {one.why.partition(":")[2] for one in found.doubts} == {
        f" leave the one that counts, or say --from {layout} if they are two students."
    }
    assert [(one.doubt, one.student[:3]) for one in found.doubts] == [(True, "ana")] * 2  # who lacks an answer by it
    assert len({*students(read(folder / "w-submissions" if layout == "github" else folder, LAYOUTS[layout]))}) == 3


def test_a_file_that_is_no_answer_puts_no_answer_in_doubt(tmp_path: Path) -> None:
    found = read(put(tmp_path / "class", ["ana/rope.py", "ana (1)_rope.pdf", "bo/rope.py"]))
    assert {"ana", "bo"} <= {*students(found)}
    assert not [one for one in found.doubts if one.student == "ana"]


LABS = ["lab_3_101_9001_rope.py", "lab_4_103_9002_rope.py", "doe_smithjan_107_9004_rope.py"]


def test_a_name_of_canvas_that_can_be_read_in_two_ways_is_in_doubt(tmp_path: Path) -> None:
    found = read(put(tmp_path / "class", LABS))
    assert (found.layout.name, students(found)) == ("canvas", ["107"])
    assert [one.why for one in found.doubts] == [
        f"its name is that of {group}, called 'lab', or of {user}, called 'lab_{group}': give --roster, with the names and "
        f"the groups of the class, or rename it lab_{group}_{user}_rope.py or lab{group}_{user}_{upload}_rope.py."
        for group, user, upload in ((3, 101, 9001), (4, 103, 9002))
    ]


@pytest.mark.parametrize(("renamed", "student"), [("lab_3_101_rope.py", "3"), ("lab3_101_9001_rope.py", "101")])
def test_a_name_of_canvas_that_is_changed_as_told_can_be_read_in_one_way(
    tmp_path: Path, renamed: str, student: str
) -> None:
    found = read(put(tmp_path / "class", [renamed, *LABS[2:]]))
    assert (students(found), found.doubts) == (sorted([student, "107"]), [])


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Canvas writes the name of the group, which the list has.
        (
            ["canvas_user_id,name,group_name", "101,Ana One,Lab 3", "103,Cy Three,Lab_4", "3,Zoe Zed,"],
            ["101", "103", "107"],
        ),
        (["ID,Student", "101,Ana One", "3,Lab"], ["107", "3"]),
        (["ID,Student", "101,Ana One", "3,Zoe Zed"], ["107"]),  # neither name is that of the list
        (["ID,Student", "101,Lab 3", "3,Lab"], ["107"]),  # both are
    ],
)
def test_the_list_of_the_class_decides_how_a_name_is_read(
    tmp_path: Path, lines: list[str], expected: list[str]
) -> None:
    found = read(put(tmp_path / "class", LABS), None, roster(tmp_path, "\n".join(lines)))
    assert students(found) == expected
    assert len({one.path for one in found.doubts}) == 3 - len(expected)
    assert {one.student for one in found.doubts} <= {"3", "101", ""}  # whom the list has


def test_the_sure_names_of_a_class_decide_how_a_name_is_read(tmp_path: Path) -> None:
    """A number has one name, and an upload is one: what contradicts that cannot be."""
    found = read(put(tmp_path / "a", ["lab_3_101_9001_rope.py", "zedzoe_3_9007_mha_rope.py"]))
    assert (students(found), found.doubts) == (["101", "3"], [])
    # A student who calls a file as Canvas would call another's gives nobody an answer.
    found = read(put(tmp_path / "b", ["oneana_101_5001_rope.py", "zed_3_555_101_9001_mha_rope.py"]))
    assert students(found) == ["101"]
    assert [one.path for one in found.doubts] == ["zed_3_555_101_9001_mha_rope.py"]


def test_a_file_in_doubt_is_told_of_each_student_whose_it_may_be(tmp_path: Path) -> None:
    """No sum is known that it may be a part of."""
    names = ["lab_3_101_9001_rope.py", "oneana_101_9101_mha.py", "zedzoe_3_9102_mha.py"]
    found = read(put(tmp_path / "class", names))
    assert [(one.path, one.student, one.problem, one.doubt) for one in found.doubts] == [
        (names[0], student, "rope", True) for student in ("3", "101")
    ]


def test_a_list_that_calls_a_number_otherwise_gives_it_no_answer(tmp_path: Path) -> None:
    names = ["lab_3_101_9001_rope.py", "oneana_101_9101_mha.py"]
    people = roster(tmp_path, 'ID,Student\n101,"One, Ana"\n3,"Zed, Zoe"')
    found = read(put(tmp_path / "class", names), None, people)
    assert (students(found), [one.student for one in found.doubts]) == (["101"], ["3", "101"])


def test_names_of_one_number_that_differ_have_a_line_with_what_to_do(tmp_path: Path) -> None:
    names = ["lab_3_101_9001_rope.py", "oneana_101_9101_mha.py", "fourdi_106_9103_rope.py"]
    people = roster(tmp_path, 'ID,Student,group_name\n101,"One, Ana",lab_3\n106,"Four, Di",')
    found = read(put(tmp_path / "class", names), None, people)
    why = "101 is in names with lab_3 and oneana: keep the files with the name of 101, and take the others away."
    assert [(one.path, one.why) for one in found.doubts] == [(name, why) for name in names[:2]]


QUIZ = ["x123_question_5551_77001_rope.py", "oneana101_question_5551_77002_rope.py"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["ID,Student", "123,X", "101,Ana One"], ["101", "123"]),
        (["ID,Student", "23,X1", "101,Ana One"], ["101", "23"]),  # whose name ends in a digit
        (["ID,Student", "123,X", "23,X1", "101,Ana One"], ["101"]),  # both fit
        (["ID,Student", "9,Zoe"], ["101", "123"]),  # nobody on the list: no row of it gets that
    ],
)
def test_a_name_of_a_quiz_that_fits_two_of_the_list_is_in_doubt(
    tmp_path: Path, lines: list[str], expected: list[str]
) -> None:
    found = read(put(tmp_path / "class", QUIZ), None, roster(tmp_path, "\n".join(lines)))
    assert students(found) == expected
    assert [(one.why, one.student) for one in found.doubts] == [
        (
            "its name is that of 123, called 'x', or of 23, called 'x1', and both are on the list of the class: look in the "
            "system whose it is, and leave one on the list.",
            student,
        )
        for student in (["123", "23"] if len(expected) < 2 else [])
    ]


def test_autolab_and_prairielearn_are_told_apart(tmp_path: Path) -> None:
    autolab = ["ana@x.example_1_rope.py", "ana@x.example_10_rope.py", "bo_b@x.example_0_rope.py"]
    found = read(put(tmp_path / "a", autolab))
    assert (found.layout.name, students(found)) == ("autolab", ["ana@x.example", "ana@x.example", "bo_b@x.example"])
    for number, path in enumerate(EXAMPLES["prairielearn"]):
        assert read(put(tmp_path / f"{number}", [path])).layout.name == "prairielearn"


def test_all_that_is_of_a_student_with_a_second_folder_is_in_doubt(tmp_path: Path) -> None:
    found = read(put(tmp_path / "class", ["ana/rope.py", "ana_mha_rope.py", "ana - Copy/rope.py", "bo/rope.py"]))
    assert (students(found), len(found.doubts)) == (["bo"], 3)
