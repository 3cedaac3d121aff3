"""One folder around those of the students: understood where the names say whose they are, else told in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.wrapper import unwrapped

PROBLEMS = ["rope", "mha_rope"]


def made(tmp_path: Path, *paths: str) -> Path:
    folder = tmp_path / "week1"
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("")
    return folder


@pytest.mark.parametrize(
    "paths",
    [
        ["submissions/doejane_12345_67890_rope.py", "submissions/ana_rope.py"],
        ["submissions/Jane Doe_12345_assignsubmission_file_/rope.py", "__MACOSX/x", ".DS_Store"],
    ],
)
def test_a_wrapper_is_understood_where_all_names_in_it_say_whose_they_are(tmp_path: Path, paths: list[str]) -> None:
    found = unwrapped(made(tmp_path, *paths), PROBLEMS)
    assert (found.folder.name, found.doubt) == ("submissions", "")


def test_folders_that_may_be_students_or_assignments_are_told(tmp_path: Path) -> None:
    folder = made(tmp_path, "submissions/ana/rope.py", "submissions/ben/rope.py", "submissions/cem/rope.py")
    found = unwrapped(folder, PROBLEMS)
    assert "holds ana and ben and 1 more" in found.doubt
    assert f"run `class grade` on {folder / 'submissions'} itself" in found.doubt
    assert "\n" not in found.doubt


@pytest.mark.parametrize(
    "paths",
    [
        ["ana/rope.py", "ben/rope.py"],
        ["ana/week1/rope.py"],
        ["ana/rope/stub.py", "ana/mha_rope/stub.py"],
        ["ana/problems/rope/stub.py", "ana/solutions/x"],
        ["ana/ps1/timestamp.txt", "ana/ps2/timestamp.txt"],
        ["ana/week1/rope.py", "ana/mha_rope.py"],
        ["Jane Doe_12345_assignsubmission_file_/a/rope.py", "Jane Doe_12345_assignsubmission_file_/b/rope.py"],
    ],
)
def test_the_folder_of_one_student_is_no_wrapper(tmp_path: Path, paths: list[str]) -> None:
    folder = made(tmp_path, *paths)
    found = unwrapped(folder, PROBLEMS)
    assert (found.folder, found.doubt) == (folder, "")
