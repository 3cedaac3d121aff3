"""How a command line is split, and how `--help` lists the commands."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest

from grader import cli
from grader.kit.kit import SECTIONS


def every_command(group: click.Group = cli.app, *words: str) -> Iterator[tuple[str, click.Command]]:
    """All commands, each with the words that name it."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every_command(command, *words, name)
        else:
            yield " ".join((*words, name)), command


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
        ("--confine watch", "watch --confine"),
        ("--help", "--help"),
    ],
)
def test_the_first_word_that_is_not_an_option_is_the_command_or_a_problem_to_check(line: str, due: str) -> None:
    assert cli.app.with_command(line.split()) == due.split()


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
