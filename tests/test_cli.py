"""The command line: which command a line means, where its kit is, and one clear line for each fault of usage."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from grader import cli
from grader.commands import faults
from grader.kit.kit import COMMANDS, SECTIONS, KitError
from grader.kit.problem import ProblemError
from grader.options import NoSuchDevice, Unconfined
from grader.run.child import LaunchError
from tests.commands.test_check import one_line
from tests.conftest import Command


@pytest.mark.parametrize(
    ("line", "due"),
    [
        ("", "check"),
        ("rope", "check rope"),
        ("check rope", "check rope"),
        ("rope list", "check rope list"),
        ("--json rope", "check --json rope"),
        ("--kit list rope", "check --kit list rope"),
        ("--kit somewhere list", "list --kit somewhere"),
        ("--no-color show rope", "show --no-color rope"),
        ("--confine=best watch", "watch --confine=best"),
        ("--help", "--help"),
    ],
)
def test_the_first_word_that_is_not_an_option_is_the_command_or_a_problem_to_check(line: str, due: str) -> None:
    assert cli.app.with_command(line.split()) == due.split()


def test_no_problem_can_have_the_name_of_a_command() -> None:
    assert set(COMMANDS) == set(cli.app.commands)


def every_command(group: click.Group = cli.app, *words: str) -> Iterator[tuple[str, click.Command]]:
    """All commands, each with the words that name it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every_command(command, *words, name)
        else:
            yield " ".join((*words, name)), command


def test_help_lists_all_commands_under_headings_and_those_of_a_learner_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.run(["--help"]) == 0
    shown = capsys.readouterr().out
    headings = [f"{heading}:\n" for heading in SECTIONS]
    assert [shown.index(one) for one in headings] == sorted(shown.index(one) for one in headings)
    assert headings[0] == "Learn:\n"
    for name in cli.app.commands:
        assert f"\n  {name} " in shown


def test_each_command_says_in_a_short_sentence_what_it_does() -> None:
    for words, command in every_command():
        said = " ".join((command.help or "").partition("\n\n")[0].split())
        assert said.endswith("."), words
        assert len(said) <= 80, words


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sinusodal_pos"], "There is no problem 'sinusodal_pos'. Did you mean sinusoidal_pos?"),
        (["qqq"], "There is no problem 'qqq'."),
        (["lits"], "There is no problem 'lits'. Did you mean list or init or hint?"),
        (["check", "--answer", "a.py"], "name it"),
        (["sinusoidal_pos", "--time-limit", "soon"], "'soon' is not a time"),
        (["sinusoidal_pos", "--memory-limit", "lots"], "'lots' is not a size"),
        (["sinusoidal_pos", "--devise", "cpu"], "--device"),
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
    assert cli.run(arguments) == faults.FAULT
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert (out, said in line) == ("", True)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (KitError("it is missing"), faults.FAULT),
        (ProblemError("it is missing"), faults.FAULT),
        (LaunchError("it is missing"), faults.FAULT),
        (Unconfined("it is missing"), faults.FAULT),
        (NoSuchDevice("it is missing"), faults.FAULT),
        (click.UsageError("it is missing."), faults.FAULT),
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
    assert len(lines) == (1 if status == faults.FAULT else 0)
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
