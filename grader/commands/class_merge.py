"""`class merge`: gradebooks that were graded apart become one."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from grader.classroom import gradebook_path
from grader.classroom.exports.sheet import Sheet
from grader.classroom.journal import Journal
from grader.classroom.merge import joined
from grader.commands.class_status import standing
from grader.commands.parameters import Given, shared, writes
from grader.kit.kit import KitError
from grader.kit.output import check_new, write_new
from grader.kit.text import visible
from grader.report.terminal import Terminal


@click.command()
@click.argument("gradebooks", metavar="GRADEBOOK...", nargs=-1, required=True, type=click.Path(path_type=Path))
@writes()
@shared
def merge(given: Given, gradebooks: tuple[Path, ...], out: Path, force: bool) -> int:
    """Write a gradebook that holds what others hold, and print how the class stands.

    Returns the exit status: 1 if what somebody handed in is not graded, so that a sum is not known.

    Args:
        gradebooks: these, or the folders that they belong to.
        force: whether a file that is there may be overwritten.

    Raises:
        KitError: there is one gradebook alone, one cannot be read, they do not fit together, or `out` cannot be written.
    """
    books = list(dict.fromkeys(gradebook_path.shown(gradebook_path.find(one)) for one in gradebooks))
    if len(books) < 2:
        raise KitError("There is nothing to join: name two gradebooks or more.")
    check_new(out, force=force)
    tables, ids = {}, dict[str, str]()
    for book in books:
        with Journal(book) as journal:
            tables[str(book)] = journal.tables()
            ids |= journal.other_ids()
    with tempfile.TemporaryDirectory(prefix="gradebook-") as scratch:
        file = Path(scratch) / "one.gradebook"
        with Journal(file, write=True) as journal:
            journal.fill(joined(tables))
            journal.keep_ids(ids)
            rows, unread = journal.rows(), journal.unread()
            doubt = Sheet(rows, journal.points(), unread=unread).in_doubt
        write_new(out, file.read_bytes(), force=force, private=True)
    terminal = Terminal.make(colour=given.colour)
    standing(terminal, rows, unread)
    terminal.line()
    terminal.to_do(f"Written: {visible(str(out))}, of {len(books)} gradebooks.")
    return int(doubt)
