"""The names that learning platforms give to what students hand in: whose it is, which problem it answers, which attempt."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

NOTEBOOK = ".ipynb"
SUFFIXES = (".py", NOTEBOOK)
TIMESTAMP = "timestamp.txt"
"""Where nbgrader keeps the time at which it collected an assignment."""

SHIPPED = {
    *("problems", "solutions", "grader", "tests"),
    *("README.md", "LICENSE", "pyproject.toml"),
}
"""What a clone of the kit holds at its root, whatever the kit here holds."""

_CANVAS = re.compile(r"(?P<name>.+?)_(?:LATE_)?(?P<user>\d+)_(?P<upload>\d+)_(?P<file>.+)")
_MOODLE = re.compile(r"(?P<student>.+_\d+)_assignsubmission_(?:file|onlinetext)_(?P<file>.*)")
_COPY = re.compile(r"(?P<stem>.+?)(?:-(?P<attempt>\d{1,9})| ?\((?P<copy>\d{1,9})\))")

_UNWANTED = {"__pycache__", "__MACOSX", "Thumbs.db", "desktop.ini"}


@dataclass(frozen=True)
class Attempt:
    """What Canvas writes into the name of a file: the number of the attempt, and of the upload."""

    number: int
    upload: int

    def later_than(self, other: Attempt) -> bool:
        """Whether both numbers say so: where they disagree, neither attempt is later."""
        return self != other and self.number >= other.number and self.upload >= other.upload


@dataclass(frozen=True)
class Named:
    """What the name of a file says.

    Attributes:
        student: empty where the name tells none.
        problem: empty where the name is that of no problem.
    """

    student: str = ""
    problem: str = ""
    attempt: Attempt | None = None


def ignored(name: str) -> bool:
    """Whether a file or a folder is no student's work: hidden, or written by Python, by Jupyter or by a file manager."""
    return name.startswith(".") or name in _UNWANTED


def student_of(folder: str) -> str:
    """The student of a folder: its name, without what Moodle adds."""
    moodle = _MOODLE.fullmatch(folder)
    return _shown(moodle["student"] if moodle and not moodle["file"] else folder)


def is_of_moodle(name: str) -> bool:
    """Whether Moodle wrote the name of a folder or of a file: it says whose it is."""
    return _MOODLE.fullmatch(name) is not None


def at_the_top(file: str, problems: Collection[str]) -> Named:
    """Reads the name of a file that lies in no student's folder: `ana_rope.py`, or as Canvas or Moodle writes it.

    The student is Canvas's number of the user, because names repeat in a class; of Moodle, `First Last_12345`.
    """
    if moodle := _MOODLE.fullmatch(file):
        return Named(_shown(moodle["student"]), in_folder(moodle["file"], problems).problem)
    if canvas := _CANVAS.fullmatch(file):
        stem, number = _parted(_stem(canvas["file"]))
        return Named(canvas["user"], _problem(stem, problems), Attempt(number, int(canvas["upload"])))
    stem = _stem(file)
    for text in (stem, _parted(stem)[0]):
        for name in sorted(problems, key=len, reverse=True):
            if _same(text[-len(name) - 1 :], f"_{name}") and len(text) > len(name) + 1:
                return Named(_shown(text[: -len(name) - 1]), name)
    return Named()


def in_folder(file: str, problems: Collection[str]) -> Named:
    """Reads the name of a file in a student's folder: `rope.py`, `rope-2.py`, `rope (1).py`."""
    stem = _stem(file)
    return Named("", _problem(stem, problems) or _problem(_parted(stem)[0], problems))


def time_of(text: str) -> str:
    """The time in nbgrader's `timestamp.txt` as ISO 8601 in UTC; empty where it is not understood."""
    found = re.fullmatch(r"\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,6})?\s*(UTC|GMT|Z|[+-]\d\d:?\d\d)\s*", text)
    if not found:
        return ""
    day, clock, fraction, zone = found.groups("")
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{fraction}{'+00:00' if zone[0].isalpha() else zone}")
        return moment.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        return ""


def shown_path(path: str) -> str:
    """A relative path as text: with `/`, and without what no terminal and no database takes."""
    return _printable(path.replace(os.sep, "/"))


def _shown(student: str) -> str:
    # macOS writes é as two characters in a ZIP, other systems as one: it is the same student.
    return unicodedata.normalize("NFC", _printable(student)).strip()


def _printable(text: str) -> str:
    readable = os.fsencode(text).decode("utf-8", "backslashreplace")
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in readable)


def _stem(file: str) -> str:
    return file.rpartition(".")[0] or file


def _parted(stem: str) -> tuple[str, int]:
    """The stem without the number of an attempt or of a copy, and that number."""
    found = _COPY.fullmatch(stem)
    return (found["stem"], int(found["attempt"] or found["copy"])) if found else (stem, 0)


def _problem(stem: str, problems: Collection[str]) -> str:
    return next((name for name in problems if _same(stem, name)), "")


def _same(one: str, other: str) -> bool:
    """Whether two names are one but for capitals, and for hyphens or blanks instead of underscores."""
    return re.sub("[- ]", "_", one).casefold() == other.casefold()
