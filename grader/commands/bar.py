"""How far a long run is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator

from grader.options import Options
from grader.report.terminal import Terminal


@contextlib.contextmanager
def progress_bar(options: Options, total: int, what: str) -> Generator[Callable[[], None]]:
    """A bar on a terminal, nothing in a pipe. Call what it yields whenever one of `total` parts is done."""
    terminal = Terminal.make(colour=options.colour, stderr=True)
    if not terminal.console.is_terminal or options.json:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

    spinner = SpinnerColumn("dots" if terminal.unicode else "line")
    columns = (spinner, TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=terminal.console, transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
