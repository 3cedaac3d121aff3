"""`python -m grader` starts the process that imports JAX before it parses the command line, and only if it is needed."""

from __future__ import annotations

import click
import pytest

import grader.run.launch
from grader import __main__, cli


def test_the_options_that_take_a_value_are_those_of_the_command_line() -> None:
    options = [one for command in cli.app.commands.values() for one in command.params if isinstance(one, click.Option)]
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
