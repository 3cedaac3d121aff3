"""What commands tell and ask on a terminal beside their reports: how far a long run is, and whose stubs may run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass

import click

from grader.commands.parameters import CommonOptions, common, names, spoken
from grader.kit import ownership
from grader.locale.language import gettext, ngettext
from grader.options import Options
from grader.report.terminal import Terminal


@dataclass(frozen=True)
class Bar:
    """Call `advance` whenever a part is done, and `working_on` with the names of the parts that are under way."""

    advance: Callable[[], None]
    working_on: Callable[[Sequence[str]], None]


@contextlib.contextmanager
def progress_bar(options: Options, total: int, what: str) -> Generator[Bar]:
    """A bar of `total` parts on a terminal, nothing in a pipe, and nothing where a program reads what is printed."""
    terminal = Terminal.make(colour=options.colour, stderr=True)
    if not terminal.console.is_terminal or options.json or options.concise:
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


def allow_stubs(options: Options, names: Iterable[str], *, moves: bool = False) -> None:
    """Ask about stubs that nobody has called their own, before they run. Where nobody can answer, they are refused.

    Args:
        moves: whether they are moved away (see `ownership.doubts`), and do not run.

    Raises:
        KitError: one of them is not the learner's own; nothing is run then.
    """
    kit, names, runs = options.kit, list(names), not (moves or options.policy.confine)
    found = ownership.doubts(kit, names, runs=runs, moves=moves)
    if found and not options.json and sys.stdin.isatty() and sys.stderr.isatty():
        filled = [doubt for doubt in found if not doubt.link]
        for group in filter(None, [*([doubt] for doubt in found if doubt.link), filled]):
            asked = ngettext("Is it yours?", "Are they yours?", len(group))
            if click.confirm(f"{ownership.doubts_in_words(kit, group)} {asked}", err=True):
                ownership.own(kit, group)
    ownership.allow(kit, names, runs=runs, moves=moves)


@click.command()
@names
@spoken
@common
def trust(given: CommonOptions, names: tuple[str, ...]) -> int:
    """Keep that stubs are the learner's own: those named, or all that the grader would ask about."""
    options = given.options()
    kit, terminal = options.kit, Terminal.make(colour=options.colour)
    found = ownership.doubts(kit, [kit.resolve(name) for name in names] or kit.names, runs=True)
    ownership.own(kit, found)
    for doubt in found:
        said = gettext("{stub} is yours, and so is the link to {link}.") if doubt.link else gettext("{stub} is yours.")
        terminal.line(said.format(stub=kit.opened(kit.stub(doubt.name)), link=doubt.link))
    if not found:
        terminal.line(gettext("The grader asks about none of these stubs."))
    return 0
