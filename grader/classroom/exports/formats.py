"""The formats by name: which function writes each, and which options it heeds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from grader.classroom.exports.canvas import canvas
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.tables import everything, junit, moodle
from grader.classroom.exports.verdicts import verdicts
from grader.classroom.exports.worksheet import GRADE, worksheet


@dataclass(frozen=True)
class Format:
    """One format.

    Attributes:
        write: gives the text of the file.
        heeds: the options that change it.
        column: stands for `--column`; empty for the name of the gradebook.
    """

    write: Callable[[Sheet], str]
    heeds: frozenset[str]
    column: str = ""


TABLE = ("--into", "--column", "--only-blank")

FORMATS: dict[str, Format] = {
    "canvas": Format(canvas, frozenset((*TABLE, "--points", "--due", "--roster"))),
    "csv": Format(everything, frozenset(("--points", "--due", "--roster", "--feedback"))),
    "json": Format(verdicts, frozenset(("--points", "--due", "--roster", "--feedback"))),
    "junit": Format(junit, frozenset(("--roster", "--feedback"))),
    "moodle": Format(moodle, frozenset(("--column", "--points", "--due", "--roster", "--feedback"))),
    "moodle --into": Format(worksheet, frozenset((*TABLE, "--points", "--due", "--roster", "--feedback")), GRADE),
}


def format_of(name: str, *, into: bool) -> str:
    """The key in `FORMATS`: a format may be another one where a table is to be filled in."""
    return f"{name} --into" if into and f"{name} --into" in FORMATS else name
