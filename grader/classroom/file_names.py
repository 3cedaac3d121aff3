"""What the name of a file says of its problem, whatever systems, browsers and file managers added to it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection

NOTEBOOK = ".ipynb"
SUFFIXES = (".py", NOTEBOOK)

_UNWANTED = {"__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini"}

MOST_COPIES = 3
"""How often what copies add is looked for in one name."""

_COPY = re.compile(
    r"(?P<stem>.+?)(?:"
    r"-(?P<attempt>\d{1,9})"  # Canvas, of a second upload
    r"|-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"  # Canvas, of later ones
    r"|[ _]?\((?P<copy>\d{1,9})\)"  # browsers
    r"| - Copy|[ _]copy(?:[ _]\d{1,9})?"  # Windows, macOS
    r")",
    re.IGNORECASE,
)


def ignored(name: str) -> bool:
    """Whether a file or a folder is no student's work: hidden, or written by Python, by Jupyter or by a file manager."""
    return name.startswith(".") or name in _UNWANTED


def problem_of(file: str, problems: Collection[str]) -> str:
    """The problem that a file is called after; empty where it is none: `rope.py`, `rope-2.py`, `Copy of rope (1).ipynb`."""
    stem = _stem(file).removeprefix("Copy of ")
    return next((name for one in _stems(stem) for name in problems if same(one, name)), "")


def number_of(file: str) -> int | None:
    """The number of an attempt, or of a copy, in the name of a file: 0 where there is none, None where nobody can tell."""
    stems = _stems(_stem(file))
    if len(stems) == 1:
        return 0
    found = _COPY.fullmatch(stems[0]) if len(stems) == 2 else None
    number = found and (found["attempt"] or found["copy"])
    return int(number) if number else None


def without_copies(file: str) -> str:
    """The name of a file without what copies add, and without its suffix: the same for `rope.py` and `Rope-1.ipynb`."""
    return _stems(_stem(file))[-1].casefold()


def student_and_problem(file: str, problems: Collection[str]) -> tuple[str, str]:
    """The parts of `STUDENT_problem.py`; empty ones where it is not such a name."""
    if problem_of(file, problems):
        return "", ""
    for stem in _stems(_stem(file)):
        for name in sorted(problems, key=len, reverse=True):
            if same(stem[-len(name) - 1 :], f"_{name}") and len(stem) > len(name) + 1:
                return stem[: -len(name) - 1], name
    return "", ""


def same(one: str, other: str) -> bool:
    """Whether two names are one but for capitals, and for hyphens or blanks instead of underscores."""
    return re.sub("[- ]", "_", one).casefold() == other.casefold()


def shown(text: str) -> str:
    """A name or a path as text that every terminal and every database takes, in one form of Unicode.

    macOS writes é as two characters in a zip, other systems as one: it is the same student.
    """
    readable = os.fsencode(text).decode("utf-8", "backslashreplace")
    printable = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in readable)
    return unicodedata.normalize("NFC", printable)


def _stems(stem: str) -> list[str]:
    """The stem, and what is left of it without what copies add, one after the other."""
    stems = [stem]
    while len(stems) <= MOST_COPIES and (found := _COPY.fullmatch(stems[-1])):
        stems.append(found["stem"])
    return stems


def _stem(file: str) -> str:
    return file.rpartition(".")[0] or file
