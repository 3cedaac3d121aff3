"""`python -m grader` starts the process that imports JAX before it parses the command line, and only if it is needed."""

from __future__ import annotations

import ast
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

import grader
import grader.run.launch
from grader import __main__, cli
from grader.commands import faults
from grader.commands.classroom import classroom
from tests.conftest import ROOT, clean_environment


def test_the_options_that_take_a_value_are_those_of_the_command_line() -> None:
    whole = [*cli.app.commands.values(), *classroom.commands.values()]
    options = [one for command in whole for one in command.params if isinstance(one, click.Option)]
    declared = {name for option in options if not option.is_flag for name in option.opts}
    # The word after `--confine` is a name: the value of that option follows `=`.
    assert declared - {"--confine"} == __main__.TAKES_VALUE


@pytest.mark.parametrize(
    ("arguments", "starts"),
    [
        ("", False),
        ("--kit somewhere", False),
        ("--json --time-limit 20", False),
        ("list", False),
        ("--kit somewhere list", False),
        ("show rope", False),
        ("rope", True),
        ("check rope --answer a.py", True),
        ("--kit somewhere rope", True),
        ("watch", True),
        ("class grade week1", True),
        ("class grade week1 --engine dask --scheduler tcp://10.0.0.1:8786", False),
        ("class shards week1 --out shards", False),
        ("class record week1 results", False),
        ("class status week1.gradebook", False),
        ("class changes", False),
        ("class report --html grade", False),
        ("pitfall rope --from ana", False),
        ("notebook --all --out books --from git+https://example.org/rope", False),
    ],
)
def test_jax_is_imported_ahead_only_if_it_is_needed(
    arguments: str, starts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[bool] = []
    monkeypatch.setattr(grader.run.launch, "start_early", lambda *, clean: started.append(True))
    monkeypatch.setattr(cli, "run", lambda arguments: 0)
    assert __main__._run(arguments.split()) == 0
    assert bool(started) is starts


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that `main` prints where it cannot run."""
    with pytest.raises(SystemExit) as ended:
        __main__.main()
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == faults.FAULT
    return line


def test_with_an_old_python_one_line_says_which_is_needed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    assert "needs Python 3.11 or later" in (line := refused(capsys))
    assert "is Python 3.9.2" in line
    assert "python3.11 -m venv .venv" in line


def test_without_the_environment_one_line_names_the_package_and_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(arguments: list[str]) -> int:
        raise ModuleNotFoundError("No module named 'rich.text'", name="rich.text")

    monkeypatch.setattr("grader.run.search_path.leave_current_folder", lambda: False)
    monkeypatch.setattr(__main__, "_run", missing)
    assert "The package rich is not installed" in (line := refused(capsys))
    assert "source .venv/bin/activate" in line


def test_python_3_9_can_read_the_lines_that_refuse_it() -> None:
    for file in (grader.__file__, __main__.__file__):
        ast.parse(Path(str(file)).read_text(encoding="utf-8"), feature_version=(3, 9))


def test_the_oldest_python_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=" + ".".join(map(str, __main__.OLDEST))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("arguments", ["list", "--version"])
def test_output_that_cannot_be_written_is_one_line(arguments: str) -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "grader", *arguments.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=clean_environment(),
        )
    assert ended.returncode == faults.FAULT
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("The output cannot be written")


def test_where_nobody_reads_the_output_nothing_is_said() -> None:
    command = f"{shlex.quote(sys.executable)} -m grader list | head -1"
    ended = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT, env=clean_environment())
    assert "problem" in ended.stdout
    assert ended.stderr == ""


def test_the_command_line_imports_nothing_of_classes_before_one_is_asked_for() -> None:
    """Each command waits for what the command line imports."""
    code = "import sys, grader.cli; print([one for one in sys.modules if one.startswith('grader.classroom')])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env=clean_environment()
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
