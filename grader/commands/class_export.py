"""`class export`: the rows of a gradebook in the format of another system."""

from __future__ import annotations

from pathlib import Path

from grader.classroom.exports.formats import FORMATS, write
from grader.classroom.exports.sheet import Sheet
from grader.report.terminal import Terminal
from grader.report.text import visible


def export_class(sheet: Sheet, form: str, out: Path, *, colour: bool = True) -> int:
    """Write an export, and say what has no verdict. Returns the exit status."""
    files = FORMATS[form](sheet)
    write(files, out)
    terminal = Terminal.make(colour=colour)
    terminal.line(f"Written: {visible(str(out))}" + ("" if "" in files else f" ({len(files)} files)"))
    if missing := sheet.open(sheet.rows):
        terminal.line(f"Without a verdict, and so without points: {len(missing)} of {len(sheet.rows)} answers.")
    return 0
