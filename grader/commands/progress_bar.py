"""How far a long run is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from grader.options import Options
from grader.report.terminal import Terminal


@dataclass(frozen=True)
class Bar:
    """Call `advance` whenever a part is done, and `working_on` with the names of the parts that are under way."""

    advance: Callable[[], None]
    working_on: Callable[[Sequence[str]], None]


@contextlib.contextmanager
def progress_bar(options: Options, total: int, what: str) -> Generator[Bar]:
    """A bar of `total` parts on a terminal, nothing in a pipe."""
    terminal = Terminal.make(colour=options.colour, stderr=True)
    if not terminal.console.is_terminal or options.json:
        yield Bar(lambda: None, lambda names: None)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
    from rich.table import Column

    spinner = SpinnerColumn("dots" if terminal.unicode else "line")
    one_line = Column(no_wrap=True, overflow="ellipsis" if terminal.unicode else "crop")
    names = TextColumn("{task.fields[names]}", table_column=one_line)
    columns = (spinner, TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), names)
    with Progress(*columns, console=terminal.console, transient=True) as progress:
        task = progress.add_task(what, total=total, names="")
        yield Bar(
            lambda: progress.advance(task),
            lambda working: progress.update(task, names=", ".join(working)),
        )
