"""The formats by name, and how they are written to disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.classroom.exports.compare import dolos
from grader.classroom.exports.machines import check50, exercism, junit
from grader.classroom.exports.runners import github, gradescope
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.tables import canvas, everything, moodle
from grader.kit.files import PRIVATE, write_atomically
from grader.kit.kit import KitError

Export = Callable[[Sheet], dict[str, str]]
"""Files by their paths in the folder that is written; the path "" for a format that is a single file."""

FORMATS: dict[str, Export] = {
    "csv": everything,
    "canvas": canvas,
    "moodle": moodle,
    "gradescope": gradescope,
    "github": github,
    "check50": check50,
    "exercism": exercism,
    "junit": junit,
    "dolos": dolos,
}


def write(files: Mapping[str, str], out: Path) -> None:
    """Write an export: each file whole or not at all. Nothing that is there is overwritten. Only its owner may read it.

    Raises:
        KitError: something is there already, a file would lie elsewhere, or it cannot be written.
    """
    whole = Path(os.path.abspath(out))
    if outside := [name for name in files if not Path(os.path.abspath(whole / name)).is_relative_to(whole)]:
        raise KitError(f"{outside[0]!r} would be written outside of {out}: nothing was written.")
    try:
        if "" in files:
            if out.is_symlink() or out.exists():
                raise KitError(f"{out} is there already: name another file, or remove it.")
            out.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(out, files[""].encode("utf-8", "replace"), mode=PRIVATE)
            return
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise KitError(f"{out} is there already, and not an empty folder: name another, or remove it.")
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, text in files.items():
            write_atomically(out / name, text.encode("utf-8", "replace"), mode=PRIVATE)
    except OSError as error:
        raise KitError(f"{out} cannot be written: {error.strerror or error}.") from None
