"""Pictures in a real terminal: a report has one, unless it is not wanted or has no room."""

from __future__ import annotations

import re
import sys

import pexpect
import pytest

from tests.commands.test_trace import HALF
from tests.conftest import FLAGSHIP, Command, clean_environment

HEADING = "position down, dim across"


def in_terminal(grader: Command, columns: int, *options: str, **environment: str) -> str:
    """What a command prints in a terminal of so many columns."""
    (grader.kit / "looking_half.py").write_text(HALF)
    command = ["-m", "grader", "check", FLAGSHIP, "--answer", "looking_half.py", *options]
    told = {**clean_environment(), "TERM": "xterm-256color", **environment}
    shown = pexpect.run(
        " ".join([sys.executable, *command]),
        cwd=str(grader.kit),
        env=told,  # type: ignore[arg-type]
        timeout=240,
        encoding="utf-8",
        dimensions=(60, columns),
    )
    assert isinstance(shown, str)
    return shown


@pytest.mark.slow
def test_a_report_in_a_terminal_has_a_picture_in_colour(grader: Command) -> None:
    shown = in_terminal(grader, 80)
    assert HEADING in shown
    assert re.search(r"\x1b\[38;5;\d+;48;5;\d+m▀", shown)
    assert "▄" in shown


@pytest.mark.slow
def test_it_has_none_where_it_is_not_wanted(grader: Command) -> None:
    shown = in_terminal(grader, 80, "--no-picture")
    assert "half-exponent" in shown
    assert HEADING not in shown


@pytest.mark.slow
def test_it_has_none_in_a_narrow_terminal(grader: Command) -> None:
    assert HEADING not in in_terminal(grader, 59)


@pytest.mark.slow
def test_without_colour_it_has_shades(grader: Command) -> None:
    shown = in_terminal(grader, 80, NO_COLOR="1")
    assert HEADING in shown
    assert "▀" not in shown
    assert "▓" in shown
