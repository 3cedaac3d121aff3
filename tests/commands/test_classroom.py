"""The command line of `class`: which options reach which function, and safe values where none are given."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from grader import cli
from grader.classroom.commands import grade, gradebook
from grader.classroom.commands.grade import GradeRequest
from grader.classroom.commands.group import classroom
from grader.classroom.journal import Journal
from grader.options import Limits, Options, Policy
from tests.author import toys
from tests.classroom.test_journal import told
from tests.classroom.test_merge import book


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the functions behind the commands were called with; the current folder is a kit, and is named."""
    calls: list[Any] = []
    monkeypatch.chdir(toys.make(tmp_path / "kit"))
    monkeypatch.setenv("GRADER_KIT", ".")

    def called(*arguments: Any, **named: Any) -> int:
        calls.append((*arguments, *named.values()))
        return 0

    monkeypatch.setattr(grade, "grade_class", called)
    monkeypatch.setattr(gradebook, "show_status", called)
    return calls


def test_answers_of_a_class_are_confined_as_well_as_this_machine_can(asked: list[Any]) -> None:
    assert cli.run(["class", "grade", "week1"]) == 0
    options: Options
    ((options, what),) = asked
    assert (options.policy, options.limits, options.device) == (Policy("best"), Limits(), "cpu")
    assert what == GradeRequest(Path("week1"), None, (), False, None, None)
    assert (options.kit.state / "stubs").exists(), "else any text that looks like a stub would be taken for one"


def test_options_reach_the_grading(asked: list[Any]) -> None:
    line = (
        "class grade week1 a b --regrade --gradebook g.sqlite --jobs 3 --tier=C "
        "--cpu-limit 20 --timeout 50 --memory-limit 2G --no-fresh --json --no-color"
    )
    assert cli.run(line.split()) == 0
    ((options, what),) = asked
    assert (options.policy.confine, options.limits, options.json, options.colour) == (
        "C",
        Limits(20.0, 2 << 30, 50.0),
        True,
        False,
    )
    assert what == GradeRequest(Path("week1"), Path("g.sqlite"), ("a", "b"), True, 3, False)
    assert cli.run(["class", "grade", "week1", "--engine", "dask", "--scheduler", "tcp://10.0.0.1:8786"]) == 0
    assert asked[1][1].scheduler == "tcp://10.0.0.1:8786"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--scheduler tcp://10.0.0.1:8786", "--scheduler is for --engine dask"),
        ("--engine dask", "needs --scheduler ADDRESS"),
        ("--engine dask --scheduler x:1 --tier=C", "an answer could connect to the scheduler"),
        ("--engine dask --scheduler x:1 --device gpu --tier=C", "an answer could connect to the scheduler"),
    ],
)
def test_options_of_an_engine_that_do_not_go_together_are_one_clear_line(
    options: str, said: str, asked: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["class", "grade", "week1", *options.split()]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert asked == []


def test_without_the_package_one_line_says_how_to_get_it(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert cli.run(["class", "grade", "week1", "--engine", "dask", "--scheduler", "x:1"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("pip install 'grader[dask]'")
    assert asked == []


def test_a_gpu_is_not_confined_and_so_not_used_unless_that_is_asked_for(
    asked: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["class", "grade", "week1", "--device", "gpu"]) == 2
    assert "disposable machine" in capsys.readouterr().err
    assert cli.run(["class", "grade", "week1", "--device", "gpu", "--tier=C"]) == 0


def test_a_gradebook_is_read_without_a_kit(asked: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert cli.run(["class", "status", "x.gradebook", "--json"]) == 0
    assert asked == [(Path("x.gradebook"), None, True, True)]


def test_gradebooks_are_joined_by_their_names_or_folders_into_a_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        with book(Path(f"{name}.gradebook"), (name, name, told("correct"))) as journal:
            journal.keep_ids({f"user {name}": name})
        Path(name).mkdir()
    assert cli.run(["class", "merge", "a", "b.gradebook", "-o", "all.gradebook"]) == 0
    assert "Written: all.gradebook, of 2 gradebooks." in capsys.readouterr().out
    with Journal(Path("all.gradebook")) as journal:
        assert [row.student for row in journal.rows()] == ["a", "b"]
        assert journal.other_ids() == {"user a": "a", "user b": "b"}
    for words, said in (("a b -o all.gradebook", "is there already"), ("a a.gradebook -o new", "nothing to join")):
        assert cli.run(["class", "merge", *words.split()]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert said in line
    assert not Path("new").exists()
    Path("all.gradebook").write_text("mine")
    assert cli.run(["class", "merge", "a", "b", "-o", "all.gradebook", "--force"]) == 0
    with Journal(Path("all.gradebook")) as journal:
        assert len(journal.rows()) == 2


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_a_number_of_jobs_is_positive(jobs: str, asked: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class", "grade", "week1", "--jobs", jobs]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert asked == []


def test_the_group_alone_lists_its_commands_in_whole_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["class"]) == 0
    shown = capsys.readouterr()
    listed = " ".join(shown.out.split())
    assert not shown.err
    for command in classroom.commands.values():
        assert " ".join((command.help or "").partition("\n\n")[0].split()) in listed
