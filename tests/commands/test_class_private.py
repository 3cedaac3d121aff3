"""All that `class` writes is its owner's alone, whatever new files are elsewhere: it holds what students wrote, or keys."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader import cli
from grader.classroom.commands import autograder, grade
from grader.classroom.commands.export import FORMATS
from grader.classroom.grading import Record
from grader.classroom.plan import PlannedAnswer
from grader.classroom.row import Outcome, now
from tests.author import toys
from tests.classroom.exports.rows import verdict_of

NAME = "distance_decay"
TABLE = "Student,ID,SIS Login ID,Section,week1 (7)\n    Points Possible,,,,1\nA,1,ana,x,\n"
WORKSHEET = "Identifier,Full name,Grade,Maximum Grade,Last modified (grade)\nParticipant 1,ana,,1,-\n"
INTO = {"canvas": ["--into", "canvas.csv"], "moodle --into": ["--into", "worksheet.csv"]}
COMMANDS = {
    **{
        f"export {form}": ["export", "week1.gradebook", form.split()[0], "--out", "new/er/out", *INTO.get(form, [])]
        for form in sorted(FORMATS)
    },
    "pages": ["report", "week1.gradebook", "--students", "-o", "new/er/pages"],
    "page": ["report", "week1.gradebook", "-o", "new/er/page.html"],
    "grade": ["grade", "week1", "--kit", "kit", "--gradebook", "other.gradebook"],
    "merge": ["merge", "week1.gradebook", "twin.gradebook", "-o", "new/er/all.gradebook"],
    "gradescope": ["autograder", "gradescope", "--kit", "kit", "--out", "new/er/week1.zip"],
    "classroom50": ["autograder", "classroom50", "--kit", "kit", "--out", "new/er/week1"],
}
"""What writes something, by its words after `class`."""


def right(_: Any, work: Sequence[PlannedAnswer], __: Any, ___: Any, record: Record, *_____: Any) -> None:
    for one in work:
        record(one.identity, Outcome(verdict_of(), graded_at=now()))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of one, whose answer is right."""
    folder = tmp_path_factory.mktemp("made")
    toys.make(folder / "kit")
    (folder / "week1" / "ana").mkdir(parents=True)
    (folder / "week1" / "ana" / f"{NAME}.py").write_text(toys.ANSWER)
    (folder / "canvas.csv").write_text(TABLE)
    (folder / "worksheet.csv").write_text(WORKSHEET)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(grade, "grade_work", right)
        assert cli.run(["class", "grade", "week1", "--kit", "kit"]) == 0
    return folder


@pytest.fixture
def room(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    shutil.copytree(made, tmp_path / "room")
    shutil.copyfile(made / "week1.gradebook", tmp_path / "room" / "twin.gradebook")
    monkeypatch.chdir(tmp_path / "room")
    monkeypatch.setattr(grade, "grade_work", lambda *_: None)
    monkeypatch.setattr(autograder.trial, "has_answers", lambda *_: False)
    monkeypatch.setattr(autograder.bundle, "make_kit", lambda *_, **__: None)
    before = os.umask(0)
    yield tmp_path / "room"
    os.umask(before)


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_what_is_written_is_the_owners_alone(words: list[str], room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = {*room.rglob("*")}
    assert cli.run(["class", *words]) == 0, capsys.readouterr().err
    written = {*room.rglob("*")} - here
    assert any(path.is_file() for path in written)
    of_the_kit = {path for path in written if path.is_relative_to(room / "kit" / ".grader")}
    modes = {path.relative_to(room): stat.S_IMODE(path.stat().st_mode) for path in written - of_the_kit}
    assert {str(path): f"{mode:o}" for path, mode in modes.items() if mode not in (0o600, 0o700)} == {}
