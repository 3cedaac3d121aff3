"""The command `notebook`: write notebooks for lessons. Returns an exit status."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from grader.commands.learner import catalogue, of_track, sound
from grader.commands.parameters import CommonOptions, common, names, spoken, writes
from grader.kit.kit import KitError, find
from grader.locale.language import N_, gettext, ngettext
from grader.notebooks import lesson_notebook
from grader.options import Options
from grader.report.terminal import Terminal

NOT_KNOWN = N_(
    "The first cell installs nothing, since it is not known where others find this grader. Tell it, and write them again: "
    "--install-from git+https://HOST/NAME"
)


@click.command()
@names
@click.option(
    "--install-from", "source", metavar="SOURCE", help="Where pip finds the grader [else where this one is from]."
)
@click.option(
    "--track",
    metavar="TEXT",
    default="",
    help=N_("Of this track [else of all, a notebook for each]: its number, or a part of its name."),
)
@writes("here", ".")
@spoken
@common
def notebook(
    given: CommonOptions, names: tuple[str, ...], out: Path, source: str | None, track: str, force: bool
) -> int:
    if names and track:
        raise click.UsageError("--track is one notebook of all its lessons: leave out the names")
    return write(given.options(find(given.kit)), names, out, source=source, track=track, force=force)


def write(
    options: Options, names: Sequence[str], folder: Path, *, source: str | None, track: str = "", force: bool
) -> int:
    """Write a notebook for each problem named, or for all that can be read; or one for a track.

    Args:
        source: where the notebooks find the grader; None for where this one was installed from.
        track: its number, or a part of its name; empty for none.

    Raises:
        KitError: if a notebook is there already, or cannot be written, or if there is no such track.
    """
    if source is not None and (not source.strip() or any(character in source for character in '"\\\n')):
        said = gettext("--install-from is {source}: give what pip installs, such as git+https://HOST/NAME.")
        raise KitError(said.format(source=repr(source)))
    kit = options.kit
    listed = catalogue(kit)
    if track:
        of = [problem for problem in of_track(listed, track) if not problem.fault]
        number = of[0].track.partition(" ")[0]
        books = {f"track-{number}": [problem.name for problem in of]}
    else:
        books = {name: [name] for name in (map(kit.resolve, names) if names else sound(listed))}
    found = lesson_notebook.source_of_this() if source is None else source
    paths = lesson_notebook.write_notebooks(kit, books, folder, found, force=force)
    terminal = Terminal.make(colour=options.colour)
    if len(paths) == 1:
        said = gettext("Wrote {file}.").format(file=paths[0])
    else:
        said = ngettext("Wrote {count} notebook to {folder}.", "Wrote {count} notebooks to {folder}.", len(paths))
        said = said.format(count=len(paths), folder=folder)
    terminal.to_do(said)
    installs = gettext("The first cell installs the grader from {source}.") if found else gettext(NOT_KNOWN)
    terminal.to_do(installs.format(source=found), "dim")
    return 0
