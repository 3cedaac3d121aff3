"""A class as it lies on disk: every file of it is an answer, or has a line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from grader.classroom import tree as tree_module
from grader.classroom.folder import ALL_FOUND, MOST_ENTRIES, ReadAs, read_class
from grader.classroom.submission import Submission, Unread
from grader.classroom.tree import opened_class
from grader.kit.files import LARGEST_ANSWER, read_text
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
        ("ana/ropes.py", b"x", "its name is that of no problem"),
        ("ana/answer.pdf", b"x", "neither Python nor a notebook"),
        ("ana/answer.zip", b"x", "no zip that can be read"),
        ("ana/answer.tar", b"x", "an archive that is not read here: unpack it"),
        ("ana/a/b/rope.py", b"x", "move those in it to ana/a."),
        ("rope.py", b"x", "its name does not say whose it is"),
        ("homework.ipynb", b"{}", "its name does not say whose it is"),
        ("doejane_1_2_homework.py", b"x", "'homework.py' is called after no problem of this kit"),
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
    def fails(path: Path, **options: Any) -> str:
        if "eve" in str(path):
            raise error
        return read_text(path, **options)

    for path in ("ana/rope.py", "eve/rope.py", "eve_mha_rope.py"):
        put(folder / path)
    monkeypatch.setattr(tree_module, "read_text", fails)
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
    monkeypatch.setattr(tree_module, "read_text", fails)
    with pytest.raises(KitError, match="the kit"):
        read(folder, kit)
