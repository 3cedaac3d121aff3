"""The folder that an unpacked download often puts around those of the students."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from grader.classroom.layouts import (
    NOTEBOOK,
    SHIPPED,
    SUFFIXES,
    TIMESTAMP,
    at_the_top,
    ignored,
    in_folder,
    is_of_moodle,
    shown_path,
)


@dataclass(frozen=True)
class Unwrapped:
    """The folder that holds the class; or, with a `doubt`, one of which nobody can say whether it does. It is one line."""

    folder: Path
    doubt: str = ""


def unwrapped(folder: Path, problems: Collection[str]) -> Unwrapped:
    """Looks into a folder that is alone in that of the class.

    If all names in it say whose they are, it is read in the place of the class. If it holds several folders and nothing
    else, they may be those of students, or assignments of one student: that is told.
    """
    alone = _inside(folder)
    if len(alone) != 1 or not _is_folder(alone[0]) or is_of_moodle(alone[0].name):
        return Unwrapped(folder)
    inner = _inside(alone[0])
    if inner and all(_says_whose(one, problems) for one in inner):
        return Unwrapped(alone[0])
    of_one = {*problems, *SHIPPED}
    if len(inner) < 2 or any(not _is_folder(one) or one.name in of_one or (one / TIMESTAMP).exists() for one in inner):
        return Unwrapped(folder)
    names = " and ".join(shown_path(one.name) for one in sorted(inner)[:2])
    more = f" and {len(inner) - 2} more" if len(inner) > 2 else ""
    return Unwrapped(
        alone[0],
        f"it is alone in the folder of the class, and holds {names}{more}. If these are students, run `class grade` on "
        f"{shown_path(str(alone[0]))} itself; if they are all of one student, move the answers up into it.",
    )


def _says_whose(path: Path, problems: Collection[str]) -> bool:
    if is_of_moodle(path.name):
        return True
    if not path.is_file() or path.suffix not in SUFFIXES or in_folder(path.name, problems).problem:
        return False
    named = at_the_top(path.name, problems)
    return bool(named.student and (named.problem or path.suffix == NOTEBOOK))


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _inside(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if not ignored(path.name)]
    except OSError:
        return []
