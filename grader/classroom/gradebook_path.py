"""Where the gradebook of a class lies: beside the folder of what was handed in, never inside a student's."""

from __future__ import annotations

import os
from pathlib import Path

from grader.classroom.database import Unusable
from grader.classroom.tree import ZIP

SUFFIX = ".gradebook"


def beside(folder: Path) -> Path:
    """The gradebook of a folder or of a zip: `week1` and `week1.zip` have `week1.gradebook`."""
    whole = Path(os.path.abspath(folder))
    if not whole.name:
        raise Unusable(f"{folder} has no place beside it for a gradebook: give --gradebook FILE.")
    return whole.with_name(f"{whole.stem if is_zip(whole) else whole.name}{SUFFIX}")


def is_zip(path: Path) -> bool:
    """Whether it is called as a zip is."""
    return path.suffix.lower() == ZIP and not path.is_dir()


def find(given: Path) -> Path:
    """The gradebook that a command means: one that is named, or that of the folder that is named."""
    class_of = given.is_dir() or is_zip(given) or (not given.exists() and beside(given).exists())
    return beside(given) if class_of else given


def name_of(folder: Path) -> str:
    """A folder as gradebooks hold it: its whole path, in which every character can be written."""
    whole = Path(os.path.realpath(folder))
    named = (
        whole.with_suffix("") if is_zip(whole) else whole
    )  # a zip and the folder that was unpacked from it are one class
    return str(named).encode("utf-8", "backslashreplace").decode()


def shown(path: Path) -> Path:
    """The same path, from the current folder if that is shorter."""
    return Path(min(os.path.relpath(path), str(path), key=len))
