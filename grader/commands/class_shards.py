"""`class shards`: what is due of a class as files, one for each job of a cluster."""

from __future__ import annotations

from pathlib import Path

from grader.classroom.engines.window import cut
from grader.classroom.shard import document
from grader.commands.class_grade import Asked, planning, status_of, tell_read
from grader.kit.files import PRIVATE, write_atomically
from grader.kit.kit import KitError, command
from grader.options import Options
from grader.report.terminal import Terminal
from grader.report.text import visible


def write_shards(options: Options, asked: Asked, out: Path, size: int) -> int:
    """Write `1.json`, `2.json` and so on, and say what to do with them. Returns the exit status.

    Args:
        size: the most answers in one.

    Raises:
        KitError: for a fault of usage, or where the folder is not empty or cannot be written.
    """
    _check_free(out)
    terminal = Terminal.make(colour=options.colour)
    with planning(options, asked) as (where, _, planned):
        tell_read(terminal, asked, planned)
        for one in planned.doubts:
            Terminal.make(colour=options.colour, stderr=True).fault(f"{one.path}: {one.why}")
        shards = cut(planned.work, size)
        if not shards:
            terminal.line("Nothing is due, and so no shard was written.")
            return status_of(planned)
        try:
            for number, shard in enumerate(shards, 1):
                name = f"{number} of {len(shards)}"
                write_atomically(out / f"{number}.json", document(name, shard).encode() + b"\n", mode=PRIVATE)
        except OSError as error:
            raise KitError(f"{out} cannot be written: {error.strerror}. Give another folder for --out.") from None
    answers = len(planned.work)
    first, last = visible(str(out / "1.json")), visible(str(out / f"{len(shards)}.json"))
    terminal.line(
        f"{answers} answer{'s are' if answers > 1 else ' is'} due: {first}"
        + (f" to {last}." if len(shards) > 1 else ".")
    )
    terminal.to_do(
        f"Next: run `grader shard` on each (see {command('guide', 'classes')}), and then "
        f"{command('class', 'record', str(where), 'RESULTS')}."
    )
    return status_of(planned)


def _check_free(out: Path) -> None:
    try:
        taken = out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir())))
    except OSError as error:
        raise KitError(f"{out} cannot be read: {error.strerror}. Give another folder for --out.") from None
    if taken:
        raise KitError(f"{out} is there already: give a new or an empty folder for --out.")
