"""What a command writes where it was told to: the one way to do so, and the one rule for what is there already."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from grader.kit.files import PRIVATE, private_folder, write_atomically
from grader.kit.kit import KitError
from grader.locale.language import gettext


def check_new(out: Path, *, force: bool, folder: bool = False) -> None:
    """Check that a file, or a folder of files, may be written, with `force` over others. Long commands call this first.

    Raises:
        KitError: something is there already, and is no empty folder where one is to be written; or it is of another kind.
    """
    try:
        if not os.path.lexists(out) or (folder and out.is_dir() and not out.is_symlink() and not any(out.iterdir())):
            return
    except OSError as error:
        raise _cannot(out, error) from None
    if not force:
        said = (
            gettext("{path} is there already: name another folder, or give --force.")
            if folder
            else gettext("{path} is there already: name another file, or give --force.")
        )
        raise KitError(said.format(path=out))
    if out.is_symlink() or out.is_dir() is not folder:
        said = (
            gettext("{path} is there already, and no folder: name another.")
            if folder
            else gettext("{path} is there already, and no file: name another.")
        )
        raise KitError(said.format(path=out))


def write_new(out: Path, content: bytes | Mapping[str, bytes], *, force: bool = False, private: bool = False) -> None:
    """Write a file, or a folder of files by their paths in it, each whole or not at all.

    Args:
        force: whether what is there may be overwritten. Other files of a folder stay.
        private: whether nobody else may read it.

    Raises:
        KitError: as `check_new`; or a file would lie outside of the folder, or something cannot be written.
    """
    single = isinstance(content, bytes)
    check_new(out, force=force, folder=not single)
    whole = Path(os.path.abspath(out))
    files = (
        {whole: content} if single else {Path(os.path.abspath(whole / name)): data for name, data in content.items()}
    )
    if outside := [path for path in files if not path.is_relative_to(whole)]:
        said = gettext("{path} would be written outside of {folder}: nothing was written.")
        raise KitError(said.format(path=repr(str(outside[0])), folder=out))
    try:
        if not single:
            (private_folder if private else _folder)(out)
        for path, data in files.items():
            write_atomically(path, data, mode=PRIVATE if private else 0o644)
    except OSError as error:
        raise _cannot(out, error) from None


def _folder(path: Path) -> None:
    path.mkdir(parents=True, exist_ok=True)


def _cannot(out: Path, error: OSError) -> KitError:
    said = gettext("{path} cannot be written: {why}. Name another place.")
    return KitError(said.format(path=error.filename or out, why=error.strerror or error))
