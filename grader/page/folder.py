"""The folder of a site on disk: which files in it are the site's own, and what a new build writes and removes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.kit.decode import Malformed, decode
from grader.kit.files import LARGEST_TEXT, Missing, Unreadable, read_regular, write_atomically
from grader.kit.kit import KitError

LIST = "page.json"
"""The file that lists what a build wrote. A folder that has it is a site of the grader."""
SCHEMA = "grader/page/1"


@dataclass(frozen=True)
class _Listed:
    schema: str
    files: list[str]


def check(out: Path, paths: Mapping[str, object] | set[str], *, replace: bool) -> None:
    """Check that a site can be written into a folder.

    Args:
        paths: the paths of the files that will be written.
        replace: whether files that no build wrote may be overwritten.

    Raises:
        KitError: it is no folder, or holds something else, and `replace` is not set.
    """
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise KitError(f"{out} is there already, and no folder: name another.")
    if replace or not out.exists():
        return
    own = _listed(out)
    if own is None and any(out.iterdir()):
        raise KitError(
            f"{out} holds something that `page` did not write: name a new folder, or give --replace, which writes over "
            "files of the same names and leaves the others."
        )
    foreign = [path for path in paths if os.path.lexists(out / path) and path not in (own or ())]
    if foreign:
        raise KitError(f"{out / foreign[0]} was not written by `page`: move it, or give --replace to write over it.")


def write(out: Path, files: Mapping[str, bytes], *, replace: bool = False) -> list[str]:
    """Write a site, and remove what an earlier build wrote and this one does not. Files of others stay.

    Returns:
        the paths of the files that were removed.

    Raises:
        KitError: as `check`, or the folder cannot be written.
    """
    check(out, set(files), replace=replace)
    try:
        stale = [path for path in _listed(out) or () if path not in files and os.path.lexists(out / path)]
        listed = json.dumps({"schema": SCHEMA, "files": sorted({*files, *stale})}, indent=1)
        write_atomically(out / LIST, listed.encode())  # first: a build that is stopped can be built again
        for path, data in files.items():
            write_atomically(out / path, data)
        for path in stale:
            (out / path).unlink()
            _remove_empty(out, (out / path).parent)
        write_atomically(out / LIST, json.dumps({"schema": SCHEMA, "files": sorted(files)}, indent=1).encode())
    except OSError as error:
        raise KitError(f"{error.filename or out} cannot be written ({error.strerror or error}).") from None
    return stale


def _remove_empty(out: Path, folder: Path) -> None:
    if folder != out and not any(folder.iterdir()):
        folder.rmdir()


def _listed(out: Path) -> tuple[str, ...] | None:
    """The files that an earlier build wrote; None if there was none.

    Raises:
        KitError: if the list cannot be read.
    """
    try:
        found = decode(_Listed, json.loads(read_regular(out / LIST, LARGEST_TEXT)))
    except Missing:
        return None
    except (Unreadable, ValueError, Malformed) as error:
        raise KitError(f"{out / LIST} cannot be read as the list of a site ({error}): name another folder.") from None
    if found.schema != SCHEMA:
        raise KitError(f"{out / LIST} is of another version of the grader ({found.schema!r}): name another folder.")
    # The list is only data: a path in it never leads out of the folder.
    inside = [
        one for one in found.files if not PurePosixPath(one).is_absolute() and ".." not in PurePosixPath(one).parts
    ]
    return tuple(inside)
