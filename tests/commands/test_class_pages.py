"""Pages of students: one for each, under a name that a file may have, or in the zip that goes back."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from grader.classroom.commands.export import ClassRecord, StudentPages, write_pages
from grader.classroom.points import Points, parsed
from grader.classroom.row import Row
from grader.classroom.submission import Unread
from grader.kit.kit import KitError
from grader.report.terminal import Terminal
from tests.classroom.exports.rows import ROWS, row, verdict_of


def held(*rows: Row, unread: tuple[Unread, ...] = ()) -> ClassRecord:
    return ClassRecord(rows, unread, (), Points(parsed("correct=1")), None)


def write(out: Path, of: ClassRecord, asked: StudentPages) -> list[str]:
    return write_pages(Terminal.make(), of, out, asked, force=False)


def test_each_student_has_a_page_also_who_handed_in_nothing_that_was_read(tmp_path: Path) -> None:
    unread = (Unread("a/b.py", "why", student="a/b"),)
    assert write(tmp_path / "pages", held(*ROWS, unread=unread), StudentPages()) == []
    names = sorted(path.name for path in (tmp_path / "pages").iterdir())
    assert names == ["a%2Fb.html", "ana.html", "ben.html", "cy.html", "dan.html", "eve.html"]


def test_only_those_who_are_asked_for_have_one(tmp_path: Path) -> None:
    write(tmp_path / "pages", held(*ROWS), StudentPages(["ben", "ana", "ben"], form="text"))
    assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["ana.txt", "ben.txt"]
    with pytest.raises(KitError, match="no student 'zoe'"):
        write(tmp_path / "more", held(*ROWS), StudentPages(["zoe"]))
    assert not (tmp_path / "more").exists()


def test_the_zip_holds_the_pages_and_who_is_left_out_is_told(tmp_path: Path) -> None:
    canvas = row("101", verdict_of(), path="oneana_101_9001_rope.py", layout="canvas")
    (note,) = write(tmp_path / "x.zip", held(canvas, *ROWS), StudentPages(back="canvas"))
    assert note.endswith(": ana, ben, cy, dan, eve.")
    with zipfile.ZipFile(tmp_path / "x.zip") as archive:
        assert archive.namelist() == ["oneana_101_9001_rope.py"]
