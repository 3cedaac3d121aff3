"""`class export` from a gradebook: every format by its name, and nothing of an older export mixed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import cli
from grader.classroom.exports.formats import FORMATS
from grader.classroom.journal import Journal
from grader.classroom.outcome import Outcome
from grader.classroom.submission import Submission
from grader.commands import classroom
from tests.classroom.exports.rows import WRONG


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wrong answer, and one that is due."""
    monkeypatch.chdir(tmp_path)
    with Journal(tmp_path / "week1.gradebook", write=True) as journal:
        handed = [Submission(one, "rope", f"{one}/rope.py", one) for one in ("ana", "ben")]
        journal.hand_in("/week1", ["rope"], handed, [])
        journal.grades_with("rope", "print", "policy")
        work = [identity for identity, _ in journal.due(["rope"])]
        journal.record([(work[0], Outcome(WRONG, graded_at="then"))])
    return tmp_path


def test_the_command_line_knows_every_format() -> None:
    assert sorted(FORMATS) == list(classroom.FORMATS)


@pytest.mark.parametrize("form", sorted(set(FORMATS) - {"canvas"}))
def test_each_format_is_written(form: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", form, "--out", "out", "--no-color"]) == 0
    assert (place / "out").is_file()
    assert "Without a verdict, and so without points: 1 of 2 answers." in capsys.readouterr().out


def test_canvas_fills_its_table(place: Path) -> None:
    table = "Student,ID,SIS Login ID,Section,week1 (7)\n    Points Possible,,,,1\nA,1,ana,x,\nB,2,ben,x,\n"
    (place / "canvas.csv").write_text(table, encoding="utf-8")
    assert cli.run(["class", "export", "canvas", "--out", "out.csv", "--into", "canvas.csv"]) == 0
    assert (place / "out.csv").read_text(encoding="utf-8").splitlines()[2:] == ['"A","1","ana","x","0"']


@pytest.mark.parametrize("form", ["check50", "dolos", "exercism", "github", "gradescope", "classroom50"])
def test_what_is_no_format_is_one_line(form: str, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", form, "--out", "out"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is not one of" in line


def test_a_rule_that_is_none_is_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "export", "csv", "--out", "out", "--points", "rihgt=1"]) == 2
    assert "there is no such outcome" in capsys.readouterr().err
    assert not (place / "out").exists()


def test_nothing_that_is_there_is_overwritten(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gradebook = place / "week1.gradebook"
    before = gradebook.read_bytes()
    for out in ("week1.gradebook", "."):
        assert cli.run(["class", "export", "csv", str(gradebook), "--out", out]) == 2
        assert "is there already" in capsys.readouterr().err
    assert gradebook.read_bytes() == before


def test_points_for_a_problem_that_there_is_not_are_one_line(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "points.toml").write_text('[problems]\nroppe = "correct=2"\n')
    assert cli.run(["class", "export", "csv", "--out", "out", "--points", "points.toml"]) == 2
    assert "points.toml has points for roppe, and no problem is called so." in capsys.readouterr().err


def test_who_is_left_out_or_unknown_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "people.csv").write_text("id,name\nana,Ana\n")
    assert cli.run(["class", "export", "csv", "--out", "out", "--roster", "people.csv"]) == 0
    assert "Not in the roster: ben." in capsys.readouterr().err
    table = "Student,ID,SIS Login ID,Section,week1 (7)\nB,2,ben,x,\n"
    (place / "canvas.csv").write_text(table)
    assert cli.run(["class", "export", "canvas", "--out", "out.csv", "--into", "canvas.csv"]) == 0
    assert "Left out" in (said := capsys.readouterr().err)
    assert "ana" in said
