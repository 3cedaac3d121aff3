"""What the name of a file says, whatever systems, browsers and file managers added to it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

NOTEBOOK = ".ipynb"
SUFFIXES = (".py", NOTEBOOK)
_EXERCISE = re.compile(r"practice(?:\.\d.*)?\.py")
"""`kit.PRACTICE`, and its copies with a date: an answer with a mistake in it (see `practice/exercise.py`)."""
_UNWANTED = {"__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini"}

MOST_NAMED = 3
"""The most names that a line tells."""

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
    """Whether a file or a folder is no student's answer: hidden, or an exercise, or written by Python or a file manager."""
    return name.startswith(".") or name in _UNWANTED or _EXERCISE.fullmatch(name) is not None


def problem_of(file: str, problems: Collection[str]) -> str:
    """The problem that a file is called after; empty where it is none: `rope.py`, `rope-2.py`, `Copy of rope (1).ipynb`."""
    whole = _stem(file).removeprefix("Copy of ")
    return next((name for stem in _stems(whole) for name in problems if same_name(stem, name)), "")


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
            if same_name(stem[-len(name) - 1 :], f"_{name}") and len(stem) > len(name) + 1:
                return stem[: -len(name) - 1], name
    return "", ""


def same_name(first: str, second: str) -> bool:
    """Whether two names are one but for capitals, and for hyphens or blanks instead of underscores."""
    return re.sub("[- ]", "_", first).casefold() == second.casefold()


def some(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are: `a and b and c and 2 more`."""
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    return " and ".join((*names[:MOST_NAMED], *more))


def storable_name(text: str) -> str:
    """A name or a path as text that every terminal and every database takes, in one form of Unicode.

    macOS writes é as two characters in a zip, other systems as one: it is the same student.
    """
    readable = os.fsencode(text).decode("utf-8", "backslashreplace")
    printable = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in readable
    )
    return unicodedata.normalize("NFC", printable)


def _stems(stem: str) -> list[str]:
    """The stem, and what is left of it without what copies add, one after the other."""
    stems = [stem]
    while len(stems) <= MOST_COPIES and (found := _COPY.fullmatch(stems[-1])):
        stems.append(found["stem"])
    return stems


def _stem(file: str) -> str:
    return file.rpartition(".")[0] or file


_COUNTER = re.compile(r"(?:v|attempt|try)?[1-9][0-9]*", re.IGNORECASE)
_BETWEEN = re.compile(r"([_\-\s]+)")


def attempts_in(ids: Iterable[str]) -> tuple[str, str] | None:
    """Two ids that may be two attempts of one student; None where there are none.

    They differ by one number alone, which stands between `_`, `-` or blanks and begins with no zero, and

    - the rest is an e-mail address: `ana@x_1` and `ana@x_2`; or
    - the rest has two numbers more, as names of systems have: `101_5001_file_1` and `101_5002_file_1`; or
    - the rest is not the same for all that have a number there: beside `ana_1` and `ana_2` there is `bo_1`.

    So `student_1` and `student_2` are two students where all numbered ids are called `student`, and so are `s101` and
    `s102`, `ana1` and `ana2`, `2021-10234` and `2021-10235`: a number after a hyphen counts only where the rest has a
    letter.
    """
    groups: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    places: dict[int, set[tuple[str, ...]]] = {}
    for id_ in sorted(set(ids)):
        parts = _BETWEEN.split(id_)
        for at in range(0, len(parts), 2):
            rest = (*parts[:at], "", *parts[at + 1 :])
            text = "".join(rest)
            sure = "_" in "".join(parts[max(at - 1, 0) : at + 2 : 2]) or any(map(str.isalpha, text))
            if _COUNTER.fullmatch(parts[at]) and sure and any(map(str.isalnum, text)):
                groups.setdefault((len(parts) - at, rest), []).append(id_)
                places.setdefault(len(parts) - at, set()).add(rest)
    for (place, rest), found in groups.items():
        numbers = sum(map(str.isdigit, rest))
        if len(found) > 1 and ("@" in "".join(rest) or numbers > 1 or len(places[place]) > 1):
            return found[0], found[1]
    return None
