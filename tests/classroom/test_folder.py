"""A class as it lies on disk: every file of it is an answer, or has a line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import tree as tree_module
from grader.classroom.folder import LARGEST_LOOKED_INTO, MOST_ENTRIES, read_class
from grader.classroom.recognition import ALL_FOUND, ReadAs
from grader.classroom.submission import Submission, Unread
from grader.classroom.tree import opened_class
from grader.kit.files import LARGEST_ANSWER, read_handed_in
from grader.kit.kit import Kit, KitError

STUB = "def {name}(x):\n    raise NotImplementedError\n"
TEXT = "def rope(x):\n    return x\n"


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    for name in ("mha_rope", "rope"):
        folder = tmp_path / "kit" / "problems" / name
        folder.mkdir(parents=True)
        (folder / "stub.py").write_text(STUB.format(name=name))
        (folder / "README.md").write_text("statement")
    return Kit(tmp_path / "kit")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "class").mkdir()
    return tmp_path / "class"


def put(path: Path, text: str | bytes = TEXT) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def notebook(*cells: str) -> str:
    return json.dumps(
        {
            "nbformat": 4,
            "metadata": {},
            "cells": [{"cell_type": "code", "metadata": {}, "source": one} for one in cells],
        }
    )


def read(folder: Path, kit: Kit, how: ReadAs = ALL_FOUND) -> tuple[list[Submission], list[Unread]]:
    with opened_class(folder) as top:
        found = read_class(top, kit, kit.names, how)
        return found.submissions, found.unread


def who(submissions: list[Submission]) -> list[tuple[str, str, str]]:
    return [(one.student, one.problem, one.path) for one in submissions]


def why(folder: Path, kit: Kit) -> str:
    """The line for the only thing in a class."""
    found, unread = read(folder, kit)
    assert not found
    (line,) = unread
    assert "\n" not in line.why
    assert line.why.endswith((".", ".py", "STUDENT/"))
    return line.why


LAYOUTS = {
    "ana/rope.py": "ana",
    "ana/problems/rope/stub.py": "ana",
    "ana/kit-main/problems/rope/stub.py": "ana",
    "ana/rope/stub.py": "ana",
    "ana/week1/rope.py": "ana",
    "ana_rope.py": "ana",
    "doejane_LATE_12345_67890_rope-2.py": "12345",
    "Jane Doe_12345_assignsubmission_file_/rope.py": "Jane Doe_12345",
    "Jane Doe_12345_assignsubmission_file_rope.py": "Jane Doe_12345",
}


@pytest.mark.parametrize("path", LAYOUTS)
def test_a_layout_is_understood(folder: Path, kit: Kit, path: str) -> None:
    put(folder / path)
    found, unread = read(folder, kit)
    assert ([(one.student, one.problem, one.path, one.text) for one in found], unread) == (
        [(LAYOUTS[path], "rope", path, TEXT)],
        [],
    )


NOTEBOOKS = {
    "ana/homework.ipynb": "ana",
    "ana/week1/homework.ipynb": "ana",
    "doejane_12345_67890_homework.ipynb": "12345",
    "Jane Doe_12345_assignsubmission_file_/homework.ipynb": "Jane Doe_12345",
}


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_a_notebook_may_answer_several_problems(folder: Path, kit: Kit, path: str) -> None:
    put(folder / path, notebook(TEXT, "def mha_rope(x):\n    return rope(x)\n"))
    found, unread = read(folder, kit)
    assert (who(found), unread) == ([(NOTEBOOKS[path], name, path) for name in ("mha_rope", "rope")], [])
    assert found[1].text == TEXT


@pytest.mark.parametrize("path", ["ana/mha_rope.ipynb", "ana_mha_rope.ipynb"])
def test_a_notebook_that_is_named_for_a_problem_answers_that_alone(folder: Path, kit: Kit, path: str) -> None:
    put(folder / path, notebook(TEXT, "def mha_rope(x):\n    return rope(x)\n"))
    found, unread = read(folder, kit)
    assert (who(found), unread) == ([("ana", "mha_rope", path)], [])


def test_what_is_asked_for_alone_is_read(folder: Path, kit: Kit) -> None:
    put(folder / "ana/rope.py")
    put(folder / "ana/homework.ipynb", notebook("def mha_rope(x):\n    return x\n"))
    with opened_class(folder) as top:
        whole = read_class(top, kit, ["mha_rope"])
        found, unread = whole.submissions, whole.unread
    assert (who(found), unread) == ([("ana", "mha_rope", "ana/homework.ipynb")], [])


def test_the_shipped_files_of_a_clone_are_no_answers(folder: Path, kit: Kit) -> None:
    for path in (
        "problems/rope/README.md",
        "problems/mha_rope/stub.py",
        "README.md",
        "solutions/x/answer.py",
        ".git/HEAD",
    ):
        put(folder / "ana" / path, STUB.format(name="mha_rope"))
    put(folder / "ana/problems/rope/stub.py")
    found, unread = read(folder, kit)
    assert (who(found), unread) == ([("ana", "rope", "ana/problems/rope/stub.py")], [])


def test_a_stub_that_was_handed_in_by_itself_counts(folder: Path, kit: Kit) -> None:
    put(folder / "ana/rope.py", STUB.format(name="rope"))
    assert len(read(folder, kit)[0]) == 1


@pytest.mark.parametrize("path", ["{}/rope.py", "{}_rope.py", "{}/homework.ipynb"])
def test_students_whose_ids_differ_in_capitals_alone_are_two(folder: Path, kit: Kit, path: str) -> None:
    for student in ("ana", "Ana"):
        put(folder / path.format(student), notebook(TEXT) if path.endswith(".ipynb") else TEXT)
    if len([*folder.iterdir()]) < 2:
        pytest.skip("this file system takes both names for one")
    found, unread = read(folder, kit)
    assert (who(found), unread) == ([(one, "rope", path.format(one)) for one in ("Ana", "ana")], [])


def test_the_time_of_nbgrader_orders_attempts(folder: Path, kit: Kit) -> None:
    for week, day in (("a", 3), ("b", 2)):
        put(folder / f"ana/{week}/rope.py", TEXT + f"# {week}\n")
        put(folder / f"ana/{week}/timestamp.txt", f"2026-02-0{day} 15:58:23.948203 UTC")
    found, unread = read(folder, kit)
    assert [(one.path, one.submitted) for one in found] == [("ana/a/rope.py", "2026-02-03T15:58:23.948203+00:00")]
    assert unread == [Unread("ana/b/rope.py", "an earlier attempt at rope: ana/a/rope.py counts.")]


def test_a_time_that_is_not_understood_is_told(folder: Path, kit: Kit) -> None:
    put(folder / "ana/a/rope.py")
    put(folder / "ana/a/timestamp.txt", "yesterday")
    found, unread = read(folder, kit)
    assert (found[0].submitted, [one.path for one in unread]) == ("", ["ana/a/timestamp.txt"])


def test_hidden_files_and_what_programs_save_are_no_answers(folder: Path, kit: Kit) -> None:
    for path in (
        ".DS_Store",
        "ana/.ipynb_checkpoints/rope-checkpoint.ipynb",
        "ana/__pycache__/rope.pyc",
        "__MACOSX/a/._rope.py",
    ):
        put(folder / path)
    put(folder / "ana/rope.py")
    assert len(read(folder, kit)[0]) == 1
    assert read(folder, kit)[1] == []


@pytest.mark.parametrize(
    ("path", "data", "said"),
    [
        ("ana/rope.py", b"", "an empty file"),
        ("ana/rope.py", b"\xff\xfe", "UTF-8"),
        ("ana/rope.py", b"#" * (LARGEST_ANSWER + 1), "larger than it may be"),
        (
            "ana/ropes.py",
            b"x",
            "its name is that of no problem of this kit, and it defines the function of none: if it is an answer, "
            "name it as",
        ),
        (
            "ana/ropes.py",
            b"def attention(x):\n    return x\n",
            "function of none: if it is an answer, name it as the problem",
        ),
        ("ana/ropes.py", b"\xff", "UTF-8"),
        (
            "ana/mha_rope.py",
            TEXT.encode(),
            "it should answer mha_rope, by its name or its folder, and has the function of rope",
        ),
        ("ana/answer.pdf", b"x", "neither Python nor a notebook"),
        ("ana/answer.zip", b"x", "no zip that can be read"),
        ("ana/answer.tar", b"x", "no tar file that can be read"),
        ("ana/answer.rar", b"x", "an archive that is not read here: unpack it"),
        ("ana/a/b/rope.py", b"x", "move those in it to ana/a."),
        ("rope.py", b"x", "its name does not say whose it is"),
        ("homework.ipynb", b"{}", "its name does not say whose it is"),
        (
            "doejane_1_2_homework.py",
            b"x",
            "if it is an answer, in place of 'homework.py' in its name, write mha_rope.py.",
        ),
        ("ana/problems/new/stub.py", b"x", "no problem of this kit"),
        ("ana/problems/rope/answer.py", b"x", "stub.py alone"),
        ("ana/rope.ipynb", b"{", "JSON"),
        ("ana/homework.ipynb", b"{", "JSON"),
        ("ana/homework.ipynb", notebook("x = 1").encode(), "no cell defines"),
        ("ana/rope.ipynb", notebook("x = 1").encode(), "no cell defines rope"),
        ("ana/timestamp.txt", b"2026-02-02 15:58:23 UTC", "nothing in it is to be graded"),
    ],
)
def test_what_is_no_answer_has_a_line(folder: Path, kit: Kit, path: str, data: bytes, said: str) -> None:
    put(folder / path, data)
    assert said in why(folder, kit)


def test_a_folder_of_shipped_stubs_alone_has_a_line(folder: Path, kit: Kit) -> None:
    put(folder / "ana/problems/rope/stub.py", STUB.format(name="rope"))
    assert "only shipped stubs" in why(folder, kit)


@pytest.mark.parametrize("path", ["ana/rope.py", "ana", "ana/problems", "ana_rope.py", "ana/problems/rope"])
def test_links_are_not_followed(tmp_path: Path, folder: Path, kit: Kit, path: str) -> None:
    private = put(tmp_path / "private.py") if path.endswith(".py") else kit.root / "problems"
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    os.symlink(private, folder / path)
    assert why(folder, kit).startswith("a link")


def test_a_second_name_of_a_private_file_is_refused(tmp_path: Path, folder: Path, kit: Kit) -> None:
    os.link(put(tmp_path / "private.py"), folder / "ana_rope.py")
    assert why(folder, kit).startswith("a hard link")


def test_a_fifo_is_not_waited_for(folder: Path, kit: Kit) -> None:
    os.mkfifo(folder / "ana_rope.py")
    assert "not a regular file" in why(folder, kit)


def test_a_name_that_is_no_unicode_is_told_as_text(folder: Path, kit: Kit) -> None:
    with open(os.fsencode(folder) + b"/\xff_rope.py", "w") as file:
        file.write(TEXT)
    found, _ = read(folder, kit)
    assert who(found) == [("\\xff", "rope", "\\xff_rope.py")]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RecursionError("too deep"), "cannot be read (RecursionError): look at what is unusual in it."),
        (PermissionError(13, "Permission denied"), "cannot be read: Permission denied."),
    ],
)
def test_what_goes_wrong_at_one_student_is_a_line_and_the_others_are_read(
    error: Exception, said: str, folder: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(path: Path, limit: int, *, below: Path) -> bytes:
        if "eve" in str(path):
            raise error
        return read_handed_in(path, limit, below=below)

    for path in ("ana/rope.py", "eve/rope.py", "eve_mha_rope.py"):
        put(folder / path)
    monkeypatch.setattr(tree_module, "read_handed_in", fails)
    counted, unread = read(folder, kit)
    assert [one.student for one in counted] == ["ana"]
    assert [(one.path, one.why) for one in unread] == [("eve", said), ("eve_mha_rope.py", said)]


def test_a_folder_of_a_student_with_too_many_files_is_one_line(folder: Path, kit: Kit) -> None:
    put(folder / "ana/rope.py")
    for number in range(MOST_ENTRIES + 1):
        put(folder / f"eve/rope-{number}.py")
    counted, unread = read(folder, kit)
    assert [one.student for one in counted] == ["ana"]
    assert [(one.path, one.why) for one in unread] == [
        ("eve", f"{MOST_ENTRIES + 1} files and folders are in it, and {MOST_ENTRIES} at most are read in one folder.")
    ]


def test_a_fault_of_the_kit_is_not_taken_for_one_of_a_student(
    folder: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(path: Path, **options: Any) -> str:
        raise KitError("the kit")

    put(folder / "ana/rope.py")
    monkeypatch.setattr(tree_module, "text_of", fails)
    with pytest.raises(KitError, match="the kit"):
        read(folder, kit)


FILLED = "# mine\ndef rope(x):\n    return 2 * x\n"


@pytest.mark.parametrize(
    "path",
    [
        "ana/stub.py",
        "ana/main.py",
        "ana/rope_final_v2.py",
        "ana/week1/rope_stub.py",
        "doejane_101_67890_stub.py",
        "Jane Doe_12345_assignsubmission_file_/stub.py",
        "Jane Doe_12345_assignsubmission_file_stub.py",
    ],
)
def test_the_file_that_a_lesson_tells_to_fill_in_is_an_answer_under_any_name(folder: Path, kit: Kit, path: str) -> None:
    put(folder / path)
    found, unread = read(folder, kit)
    assert ([(one.problem, one.path, one.text) for one in found], unread) == ([("rope", path, TEXT)], [])


def test_stubs_of_a_class_of_canvas_are_answers_to_their_problems(folder: Path, kit: Kit) -> None:
    put(folder / "oneana_101_9001_stub.py")
    put(folder / "oneana_101_9002_stub-1.py", "def mha_rope(x):\n    return x\n")
    put(folder / "twobo_102_9003_stub.py", STUB.format(name="rope"))  # as it was shipped
    put(folder / "twobo_102_9004_stub-1.py", FILLED)
    found, unread = read(folder, kit)
    assert [(one.student, one.problem, one.text) for one in found] == [
        ("101", "mha_rope", "def mha_rope(x):\n    return x\n"),
        ("101", "rope", TEXT),
        ("102", "rope", FILLED),
    ]
    assert [one.why for one in unread] == ["an earlier attempt at rope: twobo_102_9004_stub-1.py counts."]


def test_two_files_for_one_problem_are_in_doubt(folder: Path, kit: Kit) -> None:
    put(folder / "ana/rope.py")
    put(folder / "ana/rope_final_v2.py", FILLED)
    found, unread = read(folder, kit)
    assert not found
    assert [(one.path, one.doubt, one.student, one.problem) for one in unread] == [
        ("ana/rope.py", True, "ana", "rope"),
        ("ana/rope_final_v2.py", True, "ana", "rope"),
    ]


def test_a_shipped_stub_beside_an_answer_does_not_count(folder: Path, kit: Kit) -> None:
    put(folder / "ana/stub.py", STUB.format(name="rope"))
    put(folder / "ana/main.py")
    found, unread = read(folder, kit)
    assert who(found) == [("ana", "rope", "ana/main.py")]
    assert unread == [Unread("ana/stub.py", "rope: the stub as it was shipped, beside ana/main.py, which counts.")]


def test_a_later_stub_that_is_not_filled_in_counts_and_is_told(folder: Path, kit: Kit) -> None:
    put(folder / "oneana_101_9001_rope.py", FILLED)
    put(folder / "oneana_101_9002_rope-1.py", STUB.format(name="rope"))
    found, unread = read(folder, kit)
    assert who(found) == [("101", "rope", "oneana_101_9002_rope-1.py")]
    assert [one.why for one in unread] == [
        "an earlier attempt at rope, and filled in: oneana_101_9002_rope-1.py is later and counts, and it is the stub as it "
        "was shipped."
    ]


def test_a_function_that_helps_another_answer_replaces_no_answer(folder: Path, kit: Kit) -> None:
    """A stub may hold an earlier problem's function, with other arguments: nobody can tell which of both is meant."""
    put(folder / "oneana_101_9001_stub.py")
    put(
        folder / "oneana_101_9002_stub-1.py",
        "def rope(x, y):\n    return y\n\n\ndef mha_rope(x):\n    return rope(x, x)\n",
    )
    found, unread = read(folder, kit)
    assert who(found) == [("101", "mha_rope", "oneana_101_9002_stub-1.py")]
    assert [(one.doubt, one.student, one.problem) for one in unread] == [(True, "101", "rope")] * 2


def test_a_notebook_with_a_function_of_another_name_is_told_unless_the_answer_is_elsewhere(
    folder: Path, kit: Kit
) -> None:
    book = notebook(TEXT, "def mha_ropes(x):\n    return x\n")
    put(folder / "ana/week1.ipynb", book)
    put(folder / "bo/week1.ipynb", book)
    put(folder / "bo/mha_rope.py", "def mha_rope(x):\n    return x\n")
    found, unread = read(folder, kit)
    assert [(one.student, one.problem) for one in found] == [("ana", "rope"), ("bo", "mha_rope"), ("bo", "rope")]
    why = "no function in it is called mha_rope, and mha_ropes may be meant for it: name it so."
    assert unread == [Unread("ana/week1.ipynb", why, student="ana", problem="mha_rope")]


LACKING = {
    "ana/rope.py": (b"\xff", "ana", "rope"),
    "ana/homework.py": (b"x = 1", "ana", ""),
    "ana/rope.py.txt": (b"x", "ana", "rope"),
    "ana/rope.pdf": (b"x", "ana", "rope"),
    "ana/answers.pdf": (b"x", "ana", ""),
    "ana/stub.py": (b"#" * (LARGEST_ANSWER + 1), "ana", ""),
    "ana/rope.zip": (b"x", "ana", "rope"),
    "ana/homework.ipynb": (b"{", "ana", ""),
    "ana/mha_rope.py": (TEXT.encode(), "ana", "mha_rope"),
    "ana/problems/rope/answer.py": (TEXT.encode(), "ana", "rope"),
    "ana/problems/new/stub.py": (b"x", "", ""),  # of no problem of this kit
    "ana/README.md": (b"x", "ana", ""),  # it is all that there is
    "ana/a/b/rope.py": (TEXT.encode(), "ana", ""),
    "oneana_101_5001_notes.py": (b"x = 1", "101", ""),
    "oneana_101_5001_rope.py.txt": (b"x", "101", "rope"),
    "oneana_101_5001_rope.pdf": (b"x", "101", "rope"),
    "oneana_101_text.html": (b"x", "101", ""),
    "Ana One_11_assignsubmission_onlinetext_/onlinetext.html": (b"x", "Ana One_11", ""),
    "ana_rope.txt": (b"x", "ana", "rope"),
    "homework.py": (TEXT.encode(), "", ""),  # nobody knows whose it is
}


@pytest.mark.parametrize("path", LACKING)
def test_who_handed_in_what_is_not_graded_is_told(folder: Path, kit: Kit, path: str) -> None:
    data, student, problem = LACKING[path]
    put(folder / path, data)
    beside = {"one": "twobo_102_5002_mha_rope.py", "Ana": "Bo Two_12_assignsubmission_file_/mha_rope.py"}
    put(folder / beside.get(path[:3], "bo/mha_rope.py"), "def mha_rope(x):\n    return x\n")
    _, unread = read(folder, kit)
    assert [(one.student, one.problem) for one in unread] == [(student, problem)]


def test_an_attempt_that_is_replaced_is_lacking_to_nobody(folder: Path, kit: Kit) -> None:
    put(folder / "oneana_101_9001_rope.py", b"\xff")
    put(folder / "oneana_101_9002_rope-1.py")
    put(folder / "twobo_102_9003_rope.py")
    put(folder / "twobo_102_9004_rope-1.py", b"\xff")
    found, unread = read(folder, kit)
    assert who(found) == [("101", "rope", "oneana_101_9002_rope-1.py")]
    assert [(one.path[:3], one.student, one.problem) for one in unread] == [
        ("one", "", ""),
        ("two", "102", "rope"),
        ("two", "102", "rope"),
    ]


def test_what_several_handed_in_is_lacking_to_each(folder: Path, kit: Kit) -> None:
    put(
        folder / "submission_metadata.yml",
        "submission_1:\n  :submitters:\n  - :sid: S1\n  - :sid: S2\nsubmission_2:\n  :submitters:\n  - :sid: S3\n",
    )
    put(folder / "submission_1/rope.py", b"\xff")
    put(folder / "submission_1/homework.py", b"\xff")
    put(folder / "submission_2/rope.py")
    _, unread = read(folder, kit)
    assert [(one.path, one.student, one.problem) for one in unread] == [
        (f"submission_1/{name}", student, problem)
        for name, problem in (("homework.py", ""), ("rope.py", "rope"))
        for student in ("S1", "S2")
    ]


@pytest.mark.parametrize("name", ["part_{}", "rope-{}"])
def test_what_is_looked_into_for_functions_is_bounded(folder: Path, kit: Kit, name: str) -> None:
    count = LARGEST_LOOKED_INTO // LARGEST_ANSWER + 2
    for number in range(count):
        put(folder / f"eve/{name.format(number)}.py", "#" * LARGEST_ANSWER)
    put(folder / "eve/mha_rope.py", "def mha_rope(x):\n    return x\n")
    put(folder / "eve/rope/stub.py")
    put(folder / "ana/stub.py")
    found, unread = read(folder, kit)
    assert ("ana", "rope", "ana/stub.py") in who(found)
    assert ("eve", "mha_rope", "eve/mha_rope.py") in who(found)
    assert sum("larger than is looked into: hand in the answers alone." in one.why for one in unread) == 2


@pytest.mark.parametrize("path", ["helpers.py", "scratch.ipynb", "report.pdf", "README.md", "docs/img/x.png"])
def test_what_holds_no_answer_is_lacking_to_nobody_who_handed_in_one(folder: Path, kit: Kit, path: str) -> None:
    text = notebook("x = 1") if path.endswith(".ipynb") else "def helper(x):\n    return x\n"
    for student in ("ana", "bo"):
        put(folder / student / path, text)
    put(folder / "ana/rope.py")
    _, unread = read(folder, kit)
    assert [(one.path.partition("/")[0], one.student, one.problem) for one in unread] == [
        ("ana", "", ""),
        ("bo", "bo", ""),
    ]
