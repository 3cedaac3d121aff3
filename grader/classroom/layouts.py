"""How the files of a class are named: from a path to a student, a problem and an attempt. It reads no file."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

CANVAS = re.compile(r"^[^_]+_(?:LATE_)?(?P<student>\d+)_(?P<upload>\d+)_(?P<file>.+)$", re.IGNORECASE)
"""A file of Canvas: `lastfirst_LATE_12345_67890_rope-2.py`, with the numbers of the student and of the upload."""
MOODLE = re.compile(r"^.*_(?P<student>\d+)_assignsubmission_\w+$")
"""A folder of Moodle: `First Last_12345_assignsubmission_file_`, with the number of the participant."""
NOTEBOOK, PYTHON = ".ipynb", ".py"
STUB, PROBLEMS = "stub.py", "problems"


@dataclass(frozen=True)
class Handed:
    """What the path of a file says.

    Attributes:
        student: an opaque id, as the path names it.
        problem: the problem that it answers; empty for a notebook, which may answer several.
        attempt: orders the attempts of a student where the path holds a number; 0 where it does not.
    """

    student: str
    problem: str
    attempt: int = 0


def handed(path: PurePath, names: Sequence[str]) -> Handed | str:
    """Who handed in a file, and to which problem; or why that is not known, as a sentence without a capital.

    Args:
        path: relative to the folder of the class.
        names: the problems of the kit.
    """
    *folders, file = path.parts
    if path.suffix not in (PYTHON, NOTEBOOK):
        return f"no Python file and no notebook: only {PYTHON} and {NOTEBOOK} are graded."
    if not folders:
        return _canvas(file, names) or _flat(file, names)
    moodle = MOODLE.match(folders[0])
    student = moodle["student"] if moodle else folders[0]
    if file == STUB and len(folders) > 1 and PROBLEMS in folders[1:-1]:
        return Handed(student, folders[-1]) if folders[-1] in names else _unknown(folders[-1], names)
    found = _problem(PurePath(file), names)
    return Handed(student, *found) if isinstance(found, tuple) else found


def _canvas(file: str, names: Sequence[str]) -> Handed | str | None:
    named = CANVAS.match(file)
    if named is None or PurePath(file).stem in names:
        return None
    found = _problem(PurePath(named["file"]), names)
    # A later upload has a larger number, so the number at the end of the name adds nothing.
    return Handed(named["student"], found[0], int(named["upload"])) if isinstance(found, tuple) else found


def _flat(file: str, names: Sequence[str]) -> Handed | str:
    """`STUDENT_PROBLEM.py`. Both may hold underscores: the longest name of a problem counts."""
    stem = PurePath(file).stem
    for name in sorted(names, key=len, reverse=True):
        if stem.endswith(f"_{name}"):
            return Handed(stem.removesuffix(f"_{name}"), name)
    if stem in names:
        return f"nobody's: call it STUDENT_{file}, or put it into a folder with the name of the student."
    if file.endswith(NOTEBOOK):
        return Handed(stem, "")
    return f"its name is not STUDENT_PROBLEM{PYTHON}, with a problem of this kit."


def _problem(file: PurePath, names: Sequence[str]) -> tuple[str, int] | str:
    """The problem and the attempt that the name of a file holds: `rope.py`, or `rope-2.py` for the third one."""
    if file.suffix == NOTEBOOK:
        return "", 0
    stem, _, number = file.stem.rpartition("-")
    if file.stem in names:
        return file.stem, 0
    return (stem, int(number)) if stem in names and number.isdecimal() else _unknown(file.stem, names)


def _unknown(name: str, names: Sequence[str]) -> str:
    (close, *_) = difflib.get_close_matches(name, names, n=1) or [""]
    meant = f" Is it an answer to {close}? Then rename it." if close else ""
    return f"no problem of this kit is called {name}.{meant}"
