"""Tables of problems and of verdicts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from grader.marking.verdict import Status, Verdict
from grader.report.terminal import COLOURS, Terminal
from grader.report.text import folded, plain, visible


@dataclass(frozen=True)
class Row:
    """One problem in the table. `remark` is, for example, the mistakes that were named last."""

    name: str
    track: str
    difficulty: str
    status: str
    remark: str = ""
    solved: bool = False


def problems_table(terminal: Terminal, rows: Sequence[Row]) -> None:
    """Print the problems with track, difficulty and status, and how many are solved."""
    listed = table("problem", "track", "difficulty", "status", "")
    for row in rows:
        listed.add_row(
            *(_cell(terminal, text) for text in (row.name, row.track, row.difficulty)), *_status(terminal, row)
        )
    terminal.console.print(listed)
    solved = sum(row.solved for row in rows)
    terminal.line()
    terminal.line(f"{solved} of {len(rows)} solved")


def verdicts_table(terminal: Terminal, verdicts: Sequence[Verdict]) -> None:
    """Print the verdicts on several answers to one problem. Paths start at the folder that holds all answers."""
    listed = table("answer", "status", "right", "mistakes")
    folder = os.path.commonpath([os.path.dirname(os.path.abspath(verdict.file)) for verdict in verdicts])
    for verdict in verdicts:
        right = f"{sum(c.status == 'pass' for c in verdict.cases)}/{len(verdict.cases)}" if verdict.cases else "-"
        remark = " + ".join(verdict.diagnosis.names)
        if verdict.status is Status.WRONG and not verdict.diagnosis.explained and verdict.withheld != "verdict":
            remark = f"{remark} + not explained" if remark else "not explained"
        if verdict.status.failed and verdict.status is not Status.WRONG:
            remark = verdict.raised.kind if verdict.raised else verdict.message
        listed.add_row(
            _cell(terminal, visible(os.path.relpath(os.path.abspath(verdict.file), folder))),
            Text(verdict.status.value, COLOURS[verdict.status]),
            right,
            _cell(terminal, folded(remark)),
        )
    terminal.console.print(listed)
    correct = sum(verdict.status is Status.CORRECT for verdict in verdicts)
    terminal.line()
    terminal.line(f"{correct} of {len(verdicts)} correct")


def table(*columns: str) -> Table:
    """An empty table in the style of every report."""
    table = Table(box=None, pad_edge=True, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _cell(terminal: Terminal, text: str) -> str:
    return text if terminal.unicode else plain(text)


def _status(terminal: Terminal, row: Row) -> tuple[Text, str]:
    known = row.status in set(Status)
    return Text(row.status, COLOURS[Status(row.status)] if known else "yellow"), _cell(terminal, row.remark)
