"""`class export` writes a whole file or none, and says on stderr what has no number and who is unknown."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.journal import Journal
from grader.classroom.outcome import Outcome
from grader.classroom.submission import Submission
from grader.commands.class_export import FORMATS, export
from grader.kit.kit import KitError
from tests.classroom.exports.rows import verdict
from tests.conftest import Command


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Two answers to `rope`: a right one, and one that is due."""
    path = tmp_path / "week1.gradebook"
    with Journal(path, write=True) as journal:
        handed_in = [Submission(one, "rope", f"{one}/rope.py", one) for one in ("ana", "ben")]
        journal.hand_in("/week1", ["rope"], handed_in, [])
        journal.grades_with("rope", "print", "policy")
        first, _ = (identity for identity, _ in journal.due(["rope"]))
        journal.record([(first, Outcome(verdict("", "rope", "correct").verdict, graded_at="then"))])
    return path


def write(place: Path, form: str = "csv", out: Path | None = None, roster: Path | None = None) -> int:
    return export(form, place, out, roster, None, mistakes=True, colour=False)


def test_a_file_is_written_whole_and_the_rest_is_said(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = place.with_name("people.csv")
    people.write_text("id,name\nana,Ana\n")
    out = place.with_name("out.csv")
    assert write(place, out=out, roster=people) == 0
    assert [line.split(",")[:5] for line in out.read_text().splitlines()[1:]] == [
        ["ana", "Ana", "rope", "correct", "1"],
        ["ben", "", "rope", "due", ""],
    ]
    said = capsys.readouterr()
    assert said.out.strip() == f"Written to {out}."
    assert "1 of 2 answers have no verdict, and so no points." in said.err
    assert "Not in the roster: ben." in said.err


def test_without_a_file_nothing_but_the_export_is_on_stdout(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write(place, "junit") == 0
    assert capsys.readouterr().out.startswith("<?xml")


def test_a_place_that_cannot_be_written_is_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert write(place, out=place / "inside") == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_roster_that_cannot_be_read_is_a_fault_of_usage(place: Path) -> None:
    with pytest.raises(KitError, match="there is no such file"):
        write(place, roster=place.with_name("none.csv"))


def test_the_command_knows_all_formats_and_finds_the_gradebook(place: Path) -> None:
    command = Command(place.parent)
    for form in FORMATS:
        assert form in command("class", "export", "--help").stdout
    done = command("class", "export", "csv", str(place))
    assert (done.returncode, done.stdout.splitlines()[1].split(",")[:4]) == (0, ["ana", "", "rope", "correct"])
    wrong = command("class", "export", "csv", str(place), "--points", "right=1")
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (2, 1)
