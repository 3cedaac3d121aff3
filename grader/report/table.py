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

BAR = 20
"""The columns of a full bar."""

MOST = 14
"""The most problems of an overview, which should fit in 24 lines with two tracks."""

_QUIET = {Status.CORRECT, Status.UNATTEMPTED}
"""A problem with another status is always of interest."""


@dataclass(frozen=True)
class Row:
    """One problem in the table. `remark` is, for example, the mistakes that were named last.

    `solved` says whether an earlier answer solved it, whatever the status is now.
    """

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
    terminal.line()
    terminal.line(f"{_solved(rows)} of {len(rows)} solved")


def overview(terminal: Terminal, rows: Sequence[Row], current: str | None, list_command: str) -> None:
    """Print a line with a bar for each track, and the problems of the track that holds the problem `current`.

    Of a long track, the problems nearest to the current one are printed, and those that failed. If `current` is None, the
    bars are printed alone. `list_command` prints the whole table.
    """
    tracks = {row.track: [one for one in rows if one.track == row.track] for row in rows if row.track}
    width = max(map(len, tracks), default=0)
    full, empty = ("█", "░") if terminal.unicode else ("#", ".")
    for track, its in tracks.items():
        filled = BAR * _solved(its) // len(its)
        done = f"{full * filled}{empty * (BAR - filled)}  {_solved(its)} of {len(its)} solved"
        terminal.line(f"{track.ljust(width)}  {done}")
    at = next((row for row in rows if row.name == current), None)
    its = [row for row in rows if (at is not None and row.track == at.track) or not row.track]
    if not its:
        return
    here = its.index(at) if at is not None else 0
    near = sorted(its, key=lambda row: (row.status in _QUIET, abs(its.index(row) - here)))[:MOST]
    listed = table("problem", "difficulty", "status", "")
    listed.expand, remarks = True, listed.columns[-1]
    remarks.ratio, remarks.no_wrap, remarks.overflow = 1, True, "ellipsis"
    for row in its:
        if row in near:
            listed.add_row(*(_cell(terminal, text) for text in (row.name, row.difficulty)), *_status(terminal, row))
    terminal.line()
    terminal.console.print(listed)
    if len(its) > MOST and at is not None:
        number = at.track.split()[0]
        terminal.to_do(f"{len(its) - MOST} more: {list_command} --track {number}", "dim")


def _solved(rows: Sequence[Row]) -> int:
    return sum(row.solved or row.status == Status.CORRECT for row in rows)


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
