"""How far the grading of a class is: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Generator

from grader.classroom.grading import Progress
from grader.options import Options
from grader.report.terminal import Terminal

SECONDS_BETWEEN_LINES = 15.0
"""Seconds between two lines where there is no terminal."""


@contextlib.contextmanager
def class_bar(options: Options, total: int) -> Generator[Callable[[Progress], None]]:
    """Gives a function to call with how far the work is, as often as one likes."""
    terminal = Terminal.make(colour=options.colour, stderr=True)
    if not terminal.console.is_terminal:
        yield _lines(total)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    spinner = SpinnerColumn("dots" if terminal.unicode else "line")
    columns = (spinner, TextColumn("Grading"), BarColumn(20), MofNCompleteColumn(), TextColumn("{task.fields[said]}"))
    with Bar(*columns, console=terminal.console, transient=True) as bar:
        task = bar.add_task("", total=total, said="")
        yield lambda now: bar.update(task, completed=now.done, said=_said(now))


def _lines(total: int) -> Callable[[Progress], None]:
    last = time.monotonic()

    def tell(now: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            print(f"{now.done} of {total} done, {_said(now)}", file=sys.stderr, flush=True)

    return tell


def _said(now: Progress) -> str:
    """`2 running, 17 due, 1 fault, about 3 min left`; elsewhere `40 sent to 2 workers`."""
    faults = [f"{now.faults} fault{'s' if now.faults > 1 else ''}"] if now.faults else []
    left = [] if now.left is None else [f"about {duration(now.left)} left"]
    running = f"{len(now.running)} running"
    if now.workers is not None:
        running = f"{now.sent} sent to {now.workers} worker{'' if now.workers == 1 else 's'}"
    return ", ".join([running, f"{now.due} due", *faults, *left])


def duration(seconds: float) -> str:
    """A time in words that are as rough as the estimate: `40 s`, `3 min`, `2.5 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
