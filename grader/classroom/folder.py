"""Reads the folder of a class: `STUDENT/PROBLEM.py`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.classroom.submission import Submission, Unread
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit


def read_class(folder: Path, kit: Kit, problems: Sequence[str]) -> tuple[list[Submission], list[Unread]]:
    """What students handed in to some problems, and what could not be read."""
    found: list[Submission] = []
    unread: list[Unread] = []
    for file in sorted(folder.glob("*/*")):
        path = str(file.relative_to(folder))
        if file.suffix != ".py" or file.stem not in kit.names:
            unread.append(Unread(path, "its name is that of no problem of this kit."))
        elif file.stem in problems:
            try:
                found.append(Submission(file.parent.name, file.stem, path, read_text(file, below=folder)))
            except Unreadable as error:
                unread.append(Unread(path, str(error)))
    return found, unread
