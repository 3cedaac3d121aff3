"""How a command line is split, and how `--help` lists the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest

from grader import cli
from grader.commands.group import FAULT, Commands
from grader.kit.kit import SECTIONS
from grader.locale.language import ENGLISH, use_language


def every_command(group: click.Group = cli.app, *words: str) -> Iterator[tuple[str, click.Command]]:
    """All commands, each with the words that name it."""
    for name in group.commands:
        command = group.get_command(click.Context(group), name)
        assert command is not None
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
        ("--port 8700 serve", "serve --port 8700"),
        ("--answer list rope", "check --answer list rope"),
        ("--help", "--help"),
    ],
)
def test_the_first_word_that_is_not_an_option_is_the_command_or_a_problem_to_check(line: str, due: str) -> None:
    assert isinstance(cli.app, Commands)
    assert cli.app.with_command(click.Context(cli.app), line.split()) == due.split()


def test_help_lists_each_command_under_one_heading_with_its_whole_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.run(["--help"]) == 0
    shown = capsys.readouterr().out
    at = [shown.index(f"\n{heading}:\n") for heading in SECTIONS]
    assert at == sorted(at)
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(cli.app.commands)
    said = " ".join(shown.split())
    for name, command in cli.app.commands.items():
        assert f"{name} {' '.join((command.help or '').partition(chr(10) * 2)[0].split())}" in said


def test_each_command_says_in_a_short_sentence_what_it_does() -> None:
    for words, command in every_command():
        said = " ".join((command.help or "").partition("\n\n")[0].split())
        assert said.endswith("."), words
        assert len(said) <= 80, words


def test_an_option_has_one_name_and_one_meaning_in_all_commands() -> None:
    said: dict[str, set[tuple[str, str]]] = {}
    names: dict[str, set[str]] = {}
    for _, command in every_command():
        for option in command.params:
            if isinstance(option, click.Option):
                text = re.sub(r"schema \S+|\(repeatable\)|\[else .*", "", option.help or "").strip(". ")
                for one in (*option.opts, *option.secondary_opts):
                    said.setdefault(one, set()).add((text, option.type.name))
                    names.setdefault(one, set()).add(" ".join(option.opts))
    assert {one: meanings for one, meanings in said.items() if len(meanings) > 1} == {}
    assert {one: whole for one, whole in names.items() if len(whole) > 1} == {}


def test_problems_are_named_in_one_way_and_a_gradebook_comes_first() -> None:
    for words, command in every_command():
        arguments = [one.human_readable_name for one in command.params if isinstance(one, click.Argument)]
        assert arguments.count("[NAME]...") + arguments.count("NAME") + arguments.count("[NAME]") <= 1, words
        assert "GRADEBOOK" not in arguments[1:], words
        assert not {one for option in command.params for one in option.opts} & {"--problems", "--all-problems"}, words


@pytest.mark.parametrize("line", ["--help --lang es", "--lang es --help", "-h --lang=es", "list --help --lang es"])
def test_help_is_in_the_language_that_is_asked_for_beside_it(
    line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_LANG", "en")
    try:
        assert cli.run(line.split()) == 0
    finally:
        use_language(ENGLISH)
    assert capsys.readouterr().out.startswith("Uso: grader ")


def test_help_in_a_language_that_is_not_spoken_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--help", "--lang", "xx"]) == FAULT
    shown = capsys.readouterr()
    assert (shown.out, len(shown.err.splitlines())) == ("", 1)
    assert "there is no language 'xx'" in shown.err
