"""Dolos: one file for each answer, with its table in the root, and the stub beside it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from grader.classroom.exports.compare import dolos
from grader.classroom.exports.formats import write
from grader.classroom.exports.sheet import folder_of
from grader.kit.kit import KitError
from tests.classroom.exports.rows import ROWS, sheet


def test_each_answer_is_a_file_that_the_table_names() -> None:
    files = dolos(sheet(texts={row.digest: f"# {row.student}" for row in ROWS}, stubs={"rope": "# stub"}))
    table = list(csv.DictReader(io.StringIO(files["rope/answers/info.csv"])))
    assert {f"rope/answers/{one['filename']}" for one in table} < set(files)
    assert table[0]["created_at"] == "2026-06-01 14:32:01 +0000"
    assert (files["rope/answers/ben.py"], files["rope/stub.py"]) == ("# ben", "# stub")
    assert "glow/stub.py" not in files


def test_an_answer_without_its_text_is_said() -> None:
    with pytest.raises(KitError, match="does not hold the text"):
        dolos(sheet())


@pytest.mark.parametrize(
    "student", ["", ".", "..", "a/b", "a\\b", "a\0", "a\n", "a\t\u00a0\u200b", "/etc", "a\ud800", "c:"]
)
def test_no_student_leads_out_of_the_folder_and_none_stops_the_others(student: str, tmp_path: Path) -> None:
    write({f"{folder_of(student)}/x.txt": "x"}, tmp_path / "out")
    (file,) = (tmp_path / "out").glob("*/x.txt")
    assert file.parent.name.isprintable()


def test_two_students_have_two_folders() -> None:
    students = ["", ".", "..", "%2E", "%", "a/b", "a%2Fb", "a\\b", "a b", "ana", "ñ"]
    assert len({folder_of(one) for one in students}) == len(students)
    assert [folder_of(one) for one in ("ana", "a b", "ñ")] == ["ana", "a b", "ñ"]


@pytest.mark.parametrize("name", ["../../x/1.py", "/etc/x", "a/../../x"])
def test_no_file_of_an_export_lies_outside_of_its_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(KitError, match="nothing was written"):
        write({"fine.txt": "x", name: "x"}, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_export_is_for_its_owner_alone(tmp_path: Path) -> None:
    write({"ana/x.txt": "x"}, tmp_path / "out")
    write({"": "x"}, tmp_path / "one.csv")
    modes = [(tmp_path / one).stat().st_mode & 0o077 for one in ("out", "out/ana/x.txt", "one.csv")]
    assert modes == [0, 0, 0]
