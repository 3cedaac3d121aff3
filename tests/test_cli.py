"""The command line: which command a line means, where its kit is, and one clear line for each fault of usage."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from grader import cli
from grader.commands import group
from grader.kit.kit import COMMANDS, KitError
from grader.kit.problem_error import ProblemError
from grader.options import NoSuchDevice, Unconfined
from grader.run.child import LaunchError
from tests.commands.test_check import one_line
from tests.conftest import Command


def test_no_problem_can_have_the_name_of_a_command() -> None:
    assert set(COMMANDS) == set(cli.app.commands)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sinusodal_pos"], "There is no problem 'sinusodal_pos'. Did you mean sinusoidal_pos?"),
        (["qqq"], "There is no problem 'qqq'."),
        (["lits"], "There is no problem or command 'lits'. Did you mean list, lsp or site?"),
        (["check", "--answer", "a.py"], "name it"),
        (["sinusoidal_pos", "--cpu-limit", "soon"], "'soon' is not a time"),
        (["sinusoidal_pos", "--memory-limit", "lots"], "'lots' is not a size"),
        (["sinusoidal_pos", "--devise", "cpu"], "'--device'? `python"),
        (["--nope"], "No such option '--nope'. Did you mean '--no-fresh' or '--no-picture'? `python"),
        (["sinusoidal_pos", "--kit", "/nowhere"], "--kit is '/nowhere'"),
        (["new"], "NAME"),
    ],
)
def test_a_fault_of_usage_is_one_clear_line(
    arguments: list[str],
    said: str,
    grader: Command,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(grader.kit)
    assert cli.run(arguments) == group.FAULT
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert (out, said in line) == ("", True)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (KitError("it is missing"), group.FAULT),
        (ProblemError("it is missing"), group.FAULT),
        (LaunchError("it is missing"), group.FAULT),
        (Unconfined("it is missing"), group.FAULT),
        (NoSuchDevice("it is missing"), group.FAULT),
        (click.UsageError("it is missing."), group.FAULT),
        (KeyboardInterrupt(), cli.INTERRUPTED),
        (click.Abort(), cli.INTERRUPTED),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_ends_a_command_is_one_line_and_a_status(
    error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def app(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(cli, "app", app)
    assert cli.run([]) == status
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == (1 if status == group.FAULT else 0)
    assert all("it is missing" in line for line in lines)


def test_outside_a_kit_the_fault_is_one_line(tmp_path: Path) -> None:
    line = one_line(Command(tmp_path)("list"))
    assert line.startswith("No kit here")
    assert line.endswith("make one: python -m grader init DIR")


def test_the_kit_is_found_upwards_or_by_option_or_by_environment(grader: Command, tmp_path: Path) -> None:
    below = Command(grader.kit / "problems" / "sinusoidal_pos")
    elsewhere = Command(tmp_path)
    for done in (
        below("list"),
        elsewhere("list", "--kit", str(grader.kit)),
        elsewhere("--kit", str(grader.kit), "list"),
        elsewhere("list", GRADER_KIT=str(grader.kit)),
    ):
        assert (done.returncode, "sinusoidal_pos" in done.stdout) == (0, True)
