"""How far a class is: a bar on a terminal, a line now and then elsewhere, and a time that claims no more than is known."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from grader.classroom.commands import grade
from grader.classroom.commands.grade import duration
from grader.classroom.grading import ClassProgress
from grader.kit.kit import Kit
from grader.options import Options
from grader.report.terminal import Terminal
from tests.conftest import ROOT

STEPS = [
    ClassProgress(0, ("rope",), 3, 0),
    ClassProgress(1, ("rope", "alibi"), 1, 1, 200.0),
    ClassProgress(4, (), 0, 2, 0.0),
]


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, encoding: str = "utf-8") -> str:
    """What the bar itself writes in three steps."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=stream, force_terminal=terminal, width=100)
    monkeypatch.setattr(Terminal, "make", lambda **_: Terminal(console))
    with grade.class_bar(Options(Kit(ROOT)), 4) as tell:
        for step in STEPS:
            tell(step)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_on_a_terminal_it_counts(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, terminal=True, encoding=encoding)
    assert "4/4" in text
    assert "2 faults" in text


def test_what_is_graded_on_other_machines_is_called_sent() -> None:
    assert grade._said(ClassProgress(4, (), 9, 0, None, 40, 2)) == "40 sent to 2 workers, 9 due"
    assert grade._said(ClassProgress(4, (), 9, 0, None, 0, 0)) == "0 sent to 0 workers, 9 due"
    assert grade._said(ClassProgress(4, (), 9, 0, None, 5, 1)) == "5 sent to 1 worker, 9 due"


def test_elsewhere_a_line_comes_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shown(monkeypatch, terminal=False) == ""
    assert capsys.readouterr().err == "", "not before some seconds"
    monkeypatch.setattr(grade, "SECONDS_BETWEEN_LINES", 0.0)
    shown(monkeypatch, terminal=False)
    assert capsys.readouterr().err.splitlines() == [
        "0 of 4 done, 1 running, 3 due",
        "1 of 4 done, 2 running, 1 due, 1 fault, about 3 min left",
        "4 of 4 done, 0 running, 0 due, 2 faults, about 1 s left",
    ]


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "1 s"), (89.4, "89 s"), (90, "2 min"), (5000, "83 min"), (9000, "2.5 h")]
)
def test_a_time_is_as_rough_as_its_estimate(seconds: float, said: str) -> None:
    assert duration(seconds) == said
