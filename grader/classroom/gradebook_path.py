"""Where the gradebook of a class lies: beside the folder of what was handed in, never inside a student's."""

from __future__ import annotations

import os
from pathlib import Path

from grader.classroom.database import Unusable
from grader.classroom.tree import archive_suffix

SUFFIX = ".gradebook"


def beside(folder: Path) -> Path:
    """The gradebook of a folder or of an archive: `week1` and `week1.zip` have `week1.gradebook`."""
    whole = Path(os.path.abspath(folder))
    if not whole.name:
        raise Unusable(f"{folder} has no place beside it for a gradebook: give --gradebook FILE.")
    return whole.with_name(f"{_bare(whole).name}{SUFFIX}")


def is_archive(path: Path) -> bool:
    """Whether it is called as an archive is."""
    return bool(archive_suffix(path.name)) and not path.is_dir()


def _bare(path: Path) -> Path:
    """The path of an archive without what its name ends in: that of the folder that it would be unpacked to."""
    return path.with_name(path.name[: -len(archive_suffix(path.name))]) if is_archive(path) else path


def find(given: Path) -> Path:
    """The gradebook that a command means: one that is named, or that of the folder that is named."""
    class_of = given.is_dir() or is_archive(given) or (not given.exists() and beside(given).exists())
    return beside(given) if class_of else given


def name_of(folder: Path) -> str:
    """A folder as gradebooks hold it: its whole path, in which every character can be written."""
    whole = Path(os.path.realpath(folder))
    named = _bare(whole)  # an archive and the folder that was unpacked from it are one class
    return str(named).encode("utf-8", "backslashreplace").decode()


def told(path: Path) -> str:
    """A file or a folder as gradebooks tell it: where it was given, in characters that can be written."""
    return os.path.abspath(path).encode("utf-8", "backslashreplace").decode()


def shown(path: Path) -> Path:
    """The same path, from the current folder if that is shorter."""
    return Path(min(os.path.relpath(path), str(path), key=len))
