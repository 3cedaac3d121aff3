"""The bar is for people: it moves on a terminal, and writes nothing elsewhere."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from grader.commands.console import progress_bar
from grader.kit.kit import Kit
from grader.options import Options
from grader.report.terminal import Terminal
from tests.conftest import ROOT


def shown(
    monkeypatch: pytest.MonkeyPatch,
    *,
    encoding: str = "utf-8",
    terminal: bool,
    json: bool = False,
    concise: bool = False,
) -> str:
    """What a run of three parts writes."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=stream, force_terminal=terminal, width=80)
    monkeypatch.setattr(Terminal, "make", lambda **_: Terminal(console))
    with progress_bar(Options(Kit(ROOT), json=json, concise=concise), 3, "Grading") as bar:
        for _ in range(3):
            bar.working_on(["rope", "alibi_bias"])
            bar.advance()
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_on_a_terminal_it_counts_what_is_done(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, encoding=encoding, terminal=True)
    assert "Grading" in text
    assert "3/3" in text
    assert "rope, alibi_bias" in text


def test_in_a_pipe_and_beside_a_document_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, terminal=False) == ""
    assert shown(monkeypatch, terminal=True, json=True) == ""
    assert shown(monkeypatch, terminal=True, concise=True) == ""  # Emacs reads what is printed on a terminal of its own
