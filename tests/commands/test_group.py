"""How the commands are listed, and which word of a line is the command."""

from __future__ import annotations

import pytest

from grader.cli import app
from grader.commands.group import Commands
from grader.kit.kit import SECTIONS
from tests.conftest import Command


def test_help_lists_each_command_under_one_heading_with_its_whole_sentence(grader: Command) -> None:
    shown = grader("--help").stdout
    at = [shown.index(f"\n{heading}:\n") for heading in SECTIONS]
    assert at == sorted(at)
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(app.commands)
    said = " ".join(shown.split())
    for name, command in app.commands.items():
        assert f"{name} {' '.join((command.help or '').partition(chr(10) * 2)[0].split())}" in said


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        ("", "check"),
        ("rope", "check rope"),
        ("rope --json", "check rope --json"),
        ("--kit here list", "list --kit here"),
        ("--kit list", "check --kit list"),
        ("show rope", "show rope"),
        ("--help", "--help"),
    ],
)
def test_without_the_name_of_a_command_the_line_is_that_of_check(line: str, whole: str) -> None:
    assert isinstance(app, Commands)
    assert app.with_command(line.split()) == whole.split()
