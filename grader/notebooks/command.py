"""The command `notebook`: write notebooks for lessons. Returns an exit status."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.commands.catalogue import catalogue
from grader.kit.kit import KitError
from grader.notebooks import written
from grader.options import Options
from grader.report.terminal import Terminal

NOT_KNOWN = (
    "The first cell installs nothing, since it is not known where others find this grader. Tell it, and write them again: "
    "--from git+https://HOST/NAME"
)


def notebook(
    options: Options, names: Sequence[str], folder: Path, *, every: bool, source: str | None, overwrite: bool
) -> int:
    """Write a notebook for each problem named, or for all that can be read.

    Args:
        source: where the notebooks find the grader; None for where this one was installed from.

    Raises:
        KitError: if no problem is named, a notebook is there already, or cannot be written.
    """
    if bool(names) == every:
        raise KitError("Name the problems, or give --all: `notebook NAME --out DIR` or `notebook --all --out DIR`.")
    if source is not None and (not source.strip() or any(one in source for one in '"\\\n')):
        raise KitError(f"--from is {source!r}: give what pip installs, such as git+https://HOST/NAME.")
    kit = options.kit
    readable = (one.name for one in catalogue(kit) if not one.fault)
    chosen = list(dict.fromkeys(map(kit.resolve, names) if names else readable))
    found = written.source_of_this() if source is None else source
    paths = written.write(kit, chosen, folder, found, overwrite=overwrite)
    terminal = Terminal.make(colour=options.colour)
    what = str(paths[0]) if len(paths) == 1 else f"{len(paths)} notebooks to {folder}"
    terminal.to_do(f"Wrote {what}.")
    told = f"The first cell installs the grader from {found}." if found else NOT_KNOWN
    terminal.to_do(told, "dim")
    return 0
