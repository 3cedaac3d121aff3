"""Dolos: one file for each answer, with its table in the root, and the stub beside it."""

from __future__ import annotations

import csv
import io

import pytest

from grader.classroom.exports.compare import dolos
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


@pytest.mark.parametrize("student", ["", "..", "a/b", "a\\b", "a\0", "a\n"])
def test_no_student_leads_out_of_the_folder(student: str) -> None:
    with pytest.raises(KitError):
        folder_of(student)
