"""Tables of problems and of verdicts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from grader.kit.text import folded, visible
from grader.locale.language import gettext, pgettext
from grader.marking.verdict import Status, Verdict
from grader.report.columns import Cell, fits, print_table
from grader.report.terminal import COLOURS, Terminal, status_word

BAR = 20
"""The columns of a full bar."""

SHORTEST_BAR = 5
"""On a terminal with room for less, there are no bars."""

LINES_OF_A_SCREEN = 23
"""The lines of an overview and of what is printed below it: a terminal of 24 lines shows all of it."""

LINES_BESIDE_PROBLEMS = 7
"""The lines of an overview that hold neither a track nor a problem, and those below it."""

FEWEST_PROBLEMS = 6
"""The problems of an overview, however many tracks there are."""

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
    """Print the problems with track, difficulty and status, and how many are solved.

    On a narrow terminal, a track is a line above its problems.
    """
    rows = by_track(rows)
    headers = _headers()
    cells = [(row.name, row.track, difficulty_word(row.difficulty), _status(row), row.remark) for row in rows]
    if fits(terminal, headers, cells):
        print_table(terminal, headers, cells)
    else:
        short: list[Sequence[Cell]] = []
        for track, its in groupby(rows, key=lambda row: row.track):
            short.append((Text(track, "dim"), "", "", ""))
            short += [(row.name, difficulty_word(row.difficulty), _status(row), row.remark) for row in its]
        print_table(terminal, (headers[0], *headers[2:]), short, optional=(headers[2], ""))
    terminal.line()
    terminal.line(solved_of(rows))


def overview(terminal: Terminal, rows: Sequence[Row], current: str | None, list_command: str) -> None:
    """Print a line with a bar for each track, and the problems of the track that holds the problem `current`.

    Of a long track, the problems nearest to the current one are printed, and those that failed. If `current` is None, the
    bars are printed alone. `list_command` prints the whole table.
    """
    tracks = {track: list(its) for track, its in groupby(by_track(rows), key=lambda row: row.track) if track}
    width = max(map(len, tracks), default=0)
    full, empty = ("█", "░") if terminal.unicode else ("#", ".")
    counted = {track: solved_of(its) for track, its in tracks.items()}
    bar = min(BAR, terminal.console.width - width - max(map(len, counted.values()), default=0) - 5)
    for track, its in tracks.items():
        filled = bar * solved(its) // len(its)
        drawn = f"{full * filled}{empty * (bar - filled)}  " if bar >= SHORTEST_BAR else ""
        terminal.line(f"{track.ljust(width)}  {drawn}{counted[track]}")
    at = next((row for row in rows if row.name == current), None)
    its = [row for row in rows if (at is not None and row.track == at.track) or not row.track]
    if not its:
        return
    here = its.index(at) if at is not None else 0
    most = max(FEWEST_PROBLEMS, LINES_OF_A_SCREEN - LINES_BESIDE_PROBLEMS - len(tracks))
    near = sorted(its, key=lambda row: (row.status in _QUIET, abs(its.index(row) - here)))[:most]
    listed = [(row.name, difficulty_word(row.difficulty), _status(row), row.remark) for row in its if row in near]
    name, _, difficulty, *others = _headers()
    terminal.line()
    print_table(terminal, (name, difficulty, *others), listed, optional=(difficulty, ""), one_line="")
    if len(its) > most and at is not None:
        number = at.track.split()[0]
        more = gettext("{count} more: {command}")
        terminal.to_do(more.format(count=len(its) - most, command=f"{list_command} --track {number}"), "dim")


def by_track(rows: Sequence[Row]) -> list[Row]:
    """The rows of one track together, each track in the order of its rows; those without a track last."""
    return sorted(rows, key=lambda row: (not row.track, row.track))


def solved(rows: Sequence[Row]) -> int:
    """How many are solved, now or before."""
    return sum(row.solved or row.status == Status.CORRECT for row in rows)


def solved_of(rows: Sequence[Row]) -> str:
    """How many of all are solved, in words."""
    return gettext("{solved} of {count} solved").format(solved=solved(rows), count=len(rows))


def verdicts_table(terminal: Terminal, verdicts: Sequence[Verdict]) -> None:
    """Print the verdicts on several answers to one problem. Paths start at the folder that holds all answers."""
    listed: list[Sequence[Cell]] = []
    folder = os.path.commonpath([os.path.dirname(os.path.abspath(verdict.file)) for verdict in verdicts])
    for verdict in verdicts:
        right = f"{sum(case.passed for case in verdict.cases)}/{len(verdict.cases)}" if verdict.cases else "-"
        remark = " + ".join(verdict.diagnosis.names)
        if verdict.status is Status.WRONG and not verdict.diagnosis.explained and verdict.withheld != "verdict":
            remark = " + ".join(filter(None, (remark, gettext("not explained"))))
        if verdict.status.failed and verdict.status is not Status.WRONG:
            remark = verdict.raised.kind if verdict.raised else str(verdict.message)
        name = visible(os.path.relpath(os.path.abspath(verdict.file), folder))
        listed.append((name, Text(status_word(verdict.status), COLOURS[verdict.status]), right, folded(remark)))
    cases = pgettext("column", "right")
    headers = (pgettext("column", "answer"), pgettext("column", "status"), cases, pgettext("column", "mistakes"))
    print_table(terminal, headers, listed, optional=(cases,))
    correct = sum(verdict.status is Status.CORRECT for verdict in verdicts)
    terminal.line()
    terminal.line(gettext("{correct} of {count} correct").format(correct=correct, count=len(verdicts)))


def difficulty_word(difficulty: str) -> str:
    """A difficulty as a learner reads it."""
    return {
        "easy": gettext("easy"),
        "medium": gettext("medium"),
        "hard": gettext("hard"),
    }.get(difficulty, difficulty)


def _headers() -> tuple[str, ...]:
    columns = pgettext("column", "problem"), pgettext("column", "track"), pgettext("column", "difficulty")
    return (*columns, pgettext("column", "status"), "")


def _status(row: Row) -> Text:
    known = row.status in set(Status)
    return Text(status_word(row.status), COLOURS[Status(row.status)] if known else "yellow")
