"""`pitfall`: begin a pitfall from an answer that nothing explains."""

from __future__ import annotations

import os
from pathlib import Path

from grader.classroom.journal import Journal
from grader.classroom.named import alike, identity, named
from grader.classroom.pitfall import begun
from grader.classroom.place import find
from grader.kit.files import PRIVATE
from grader.kit.kit import Kit, KitError
from grader.report.terminal import Terminal


def begin(kit: Kit, problem: str, source: str, gradebook: Path | None, *, colour: bool) -> int:
    """Write a file beside the reference, with the parts of a pitfall to complete. Returns the exit status.

    The file is no module: one beside the reference would make every answer due again.

    Raises:
        KitError: there is no such problem, reference or answer, or the file is there already.
    """
    name = kit.resolve(problem)
    if not kit.reference(name).is_file():
        raise KitError(f"{kit.opened(kit.reference(name))} is not there: this kit was handed out without solutions.")
    place = find(gradebook)
    with Journal(place) as journal:
        rows = [row for row in journal.rows() if row.problem == name]
        if not rows:
            raise KitError(f"{place} holds no answer to {name}: give --gradebook FILE.")
        row = named(rows, source)[0]
        text, short = journal.text(row.digest), identity(row, rows)
    shared = alike(rows, row)
    path = kit.reference(name).with_name(f"pitfall-{short}.md")
    try:
        private = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)  # it holds what a student wrote
        with open(private, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(begun(kit, row, text, shared=shared, name=short))
    except FileExistsError:
        raise KitError(f"{kit.opened(path)} is there already: go on in it, or remove it.") from None
    except OSError as error:
        raise KitError(f"{kit.opened(path)} cannot be written: {error.strerror or error}.") from None
    terminal = Terminal.make(colour=colour)
    terminal.to_do(f"Written: {kit.opened(path)}. It holds a knob and a pitfall to complete, and what is known.")
    terminal.to_do(f"Fill in what is marked TODO, and paste both into {kit.opened(kit.reference(name))}.")
    terminal.to_do(f"Then prove it: {kit.command('audit', name)}")
    return 0
