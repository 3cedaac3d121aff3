"""What the commands on a class write: new files that their owner alone may read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from grader.kit.files import PRIVATE, private_folder, write_atomically
from grader.kit.kit import KitError


def write_file(out: Path, text: str) -> None:
    """Write a file, whole or not at all. Nothing that is there is overwritten.

    Raises:
        KitError: something is there already, or it cannot be written.
    """
    if out.is_symlink() or out.exists():
        raise KitError(f"{out} is there already: name another file, or remove it.")
    try:
        write_atomically(out, text.encode("utf-8", "replace"), mode=PRIVATE)
    except OSError as error:
        raise KitError(f"{out} cannot be written: {error.strerror or error}.") from None


def write_folder(out: Path, files: Mapping[str, str]) -> None:
    """Write a new folder of files by their names, each whole or not at all.

    Raises:
        KitError: something is there already, a file would lie elsewhere, or it cannot be written.
    """
    whole = Path(os.path.abspath(out))
    if outside := [name for name in files if not Path(os.path.abspath(whole / name)).is_relative_to(whole)]:
        raise KitError(f"{outside[0]!r} would be written outside of {out}: nothing was written.")
    try:
        if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
            raise KitError(f"{out} is there already, and not an empty folder: name another, or remove it.")
        private_folder(out)
        for name, text in files.items():
            write_atomically(out / name, text.encode("utf-8", "replace"), mode=PRIVATE)
    except OSError as error:
        raise KitError(f"{out} cannot be written: {error.strerror or error}.") from None
