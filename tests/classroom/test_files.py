"""What is written is new, lies where it was asked for, and is for its owner alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.exports.sheet import folder_of
from grader.classroom.files import write_file, write_folder
from grader.kit.kit import KitError


@pytest.mark.parametrize(
    "student", ["", ".", "..", "a/b", "a\\b", "a\0", "a\n", "a\t\u00a0\u200b", "/etc", "a\ud800", "c:"]
)
def test_no_student_leads_out_of_the_folder_and_none_stops_the_others(student: str, tmp_path: Path) -> None:
    write_folder(tmp_path / "out", {f"{folder_of(student)}/x.txt": "x"})
    (file,) = (tmp_path / "out").glob("*/x.txt")
    assert file.parent.name.isprintable()


@pytest.mark.parametrize("name", ["../../x/1.py", "/etc/x", "a/../../x"])
def test_no_file_of_an_export_lies_outside_of_its_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(KitError, match="nothing was written"):
        write_folder(tmp_path / "out", {"fine.txt": "x", name: "x"})
    assert not (tmp_path / "out").exists()


def test_an_export_is_for_its_owner_alone(tmp_path: Path) -> None:
    write_folder(tmp_path / "out", {"ana/x.txt": "x"})
    write_file(tmp_path / "one.csv", "x")
    modes = [(tmp_path / one).stat().st_mode & 0o077 for one in ("out", "out/ana/x.txt", "one.csv")]
    assert modes == [0, 0, 0]


def test_nothing_that_is_there_is_overwritten(tmp_path: Path) -> None:
    write_folder(tmp_path / "out", {"x.txt": "x"})
    for again in (lambda: write_folder(tmp_path / "out", {}), lambda: write_file(tmp_path / "out" / "x.txt", "y")):
        with pytest.raises(KitError, match="is there already"):
            again()
    assert (tmp_path / "out" / "x.txt").read_text() == "x"
