"""Tables that fit any terminal, and those of problems and of verdicts."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from grader.kit.text import folded, plain, visible
from grader.locale.language import gettext, pgettext
from grader.marking.verdict import Status, Verdict
from grader.report.terminal import COLOURS, Terminal, status_word

GAP = 2
"""Blanks that a column takes beside its text."""

ELLIPSIS = " …"

NOTHING = "-"
"""A cell with this is left out where there are no columns."""

Cell = str | Text


def print_table(
    terminal: Terminal,
    headers: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    optional: Sequence[str] = (),
    one_line: str | None = None,
) -> None:
    """Print a table of text. A terminal that is too narrow for its words gets each row in several lines.

    Args:
        rows: each with a cell for each header. One with a single cell is a heading of those below it.
        optional: headers of the columns that are left out if the words of all do not fit, the least needed first.
        one_line: the header of a column whose text is cut after a word that still fits, and not folded.
    """
    cells = [[_text(terminal, cell) for cell in row] for row in (headers, *rows)]
    columns = list(zip(*(row for row in cells if len(row) == len(headers)), strict=True))
    end = ELLIPSIS if terminal.unicode else plain(ELLIPSIS)
    ends = [end if name == one_line else "" for name in headers]
    least = [max(_least(cell.plain, end) for cell in column) for end, column in zip(ends, columns, strict=True)]
    kept, left_out = list(range(len(headers))), iter(optional)
    while (spare := terminal.console.width - sum(least[at] + GAP for at in kept)) < 0:
        if (dropped := next(left_out, None)) is None:
            _print_blocks(terminal, *([row[at] for at in kept if at < len(row)] for row in cells))
            return
        kept.remove(headers.index(dropped))
    widths = _widths([least[at] for at in kept], [max(map(_length, columns[at])) for at in kept], spare)
    for is_heading, its in groupby(cells, key=lambda row: len(row) < len(headers)):
        if is_heading:
            for row in its:
                terminal.text(row[0])
            continue
        table = Table(box=None, pad_edge=True, show_header=False)
        for width in widths:
            table.add_column(width=width, overflow="fold")
        for row in its:
            fitted = [_fitted(row[at], width, ends[at]) for width, at in zip(widths, kept, strict=True)]
            table.add_row(*fitted, style="bold" if row is cells[0] else "")
        terminal.console.print(table)


def fits(terminal: Terminal, headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a table needs no folding."""
    columns = zip(*([_length(_text(terminal, cell)) for cell in row] for row in (headers, *rows)), strict=True)
    return sum(max(column) + GAP for column in columns) <= terminal.console.width


def _text(terminal: Terminal, cell: Cell) -> Text:
    text = cell if isinstance(cell, Text) else Text(cell)
    return text if terminal.unicode else Text(plain(text.plain), text.style)


def _length(cell: Text) -> int:
    return cell.cell_len


def _print_blocks(terminal: Terminal, headers: Sequence[Text], *rows: Sequence[Text]) -> None:
    """Print each row as a line with its first cell, and the others below it. A number stands behind its header."""
    for first, *others in rows:
        terminal.text(first)
        named = [
            Text.assemble(header, " ", cell) if re.fullmatch(r"[\d.,]+ ?%?", cell.plain) else cell
            for header, cell in zip(headers[1:], others, strict=True)
        ]
        below = Text("  ").join(cell for cell in named if cell.plain not in ("", NOTHING))
        if below.plain:
            terminal.text(below, indent=3)


def _widths(least: Sequence[int], most: Sequence[int], spare: int) -> list[int]:
    """The widths of columns: what is spare beyond the least widths goes first to those that need little more."""
    widths = list(least)
    for at in sorted(range(len(widths)), key=lambda at: most[at] - least[at]):
        more = min(most[at] - least[at], spare)
        widths[at], spare = widths[at] + more, spare - more
    return widths


def _pieces(text: str) -> list[str]:
    """The parts of a text between which it may be folded: words, and folders of a path."""
    return re.findall(r"\s+|[^\s/]*/|[^\s/]+", text)


def _least(text: str, end: str) -> int:
    """The columns that the longest word takes, and with it the `end` that may stand for the words after it."""
    pieces = _pieces(text)
    return max(map(cell_len, pieces), default=0) + (len(end) if len(pieces) > 1 else 0)


def _fitted(cell: Text, width: int, end: str) -> Text:
    """The cell folded to a width. If there is an `end`, it is cut to one line instead, and the `end` shows that."""
    lines = [""]
    for piece in _pieces(cell.plain):
        if cell_len(lines[-1]) + cell_len(piece.rstrip()) > width:
            lines.append("")
        if lines[-1] or not piece.isspace():
            lines[-1] += piece
    if not end or len(lines) == 1:
        return Text("\n".join(line.rstrip() for line in lines if line), cell.style)
    whole = _pieces(lines[0])
    while whole and cell_len("".join(whole).rstrip() + end) > width:
        whole.pop()
    return Text("".join(whole).rstrip() + end, cell.style)


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
class ProblemRow:
    """One problem in the table. `remark` is, for example, the mistakes that were named last.

    `solved` says whether an earlier answer solved it, whatever the status is now.
    """

    name: str
    track: str
    difficulty: str
    status: str
    remark: str = ""
    solved: bool = False


def problems_table(terminal: Terminal, rows: Sequence[ProblemRow]) -> None:
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
            short.append((Text(track, "dim"),))
            short += [(row.name, difficulty_word(row.difficulty), _status(row), row.remark) for row in its]
        print_table(terminal, (headers[0], *headers[2:]), short, optional=(headers[2], ""))
    terminal.line()
    terminal.line(solved_of(rows))


def overview(terminal: Terminal, rows: Sequence[ProblemRow], current: str | None, list_command: str) -> None:
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


def by_track(rows: Sequence[ProblemRow]) -> list[ProblemRow]:
    """The rows of one track together, each track in the order of its rows; those without a track last."""
    return sorted(rows, key=lambda row: (not row.track, row.track))


def solved(rows: Sequence[ProblemRow]) -> int:
    """How many are solved, now or before."""
    return sum(row.solved or row.status == Status.CORRECT for row in rows)


def solved_of(rows: Sequence[ProblemRow]) -> str:
    """How many of all are solved, in words."""
    return gettext("{solved} of {count} solved").format(solved=solved(rows), count=len(rows))


def verdicts_table(terminal: Terminal, verdicts: Sequence[Verdict]) -> None:
    """Print the verdicts on several answers to one problem. Paths start at the folder that holds all answers."""
    listed: list[Sequence[Cell]] = []
    folder = os.path.commonpath([os.path.dirname(os.path.abspath(verdict.file)) for verdict in verdicts])
    for verdict in verdicts:
        right = f"{sum(case.passed for case in verdict.cases)}/{len(verdict.cases)}" if verdict.cases else "-"
        remark = " + ".join(verdict.diagnosis.names)
        if verdict.diagnosed and not verdict.diagnosis.explained:
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


def _status(row: ProblemRow) -> Text:
    known = row.status in set(Status)
    return Text(status_word(row.status), COLOURS[Status(row.status)] if known else "yellow")
