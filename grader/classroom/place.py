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


def find(given: Path | None) -> Path:
    """The gradebook that a command means.

    Args:
        given: a gradebook, or the folder that it belongs to; None for the only gradebook in the current folder.

    Raises:
        Unusable: where there is none, or more than one.
    """
    if given is not None:
        class_of = given.is_dir() or is_zip(given) or (not given.exists() and beside(given).exists())
        return beside(given) if class_of else given
    found = sorted(Path().glob(f"*{SUFFIX}"))
    if len(found) == 1:
        return found[0]
    here = (
        f"There are {len(found)} gradebooks here ({', '.join(map(str, found[:3]))})" if found else "No gradebook here"
    )
    raise Unusable(f"{here}: name the file, or the folder that was graded.")


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
