"""Files of the page: those of this package, the scripts that draw, and the folder of a site on disk."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath

from grader.kit.files import LARGEST_TEXT, Missing, Unreadable, read_regular
from grader.kit.kit import KitError
from grader.kit.output import check_new, write_new
from grader.values.decode import Malformed, decode


def page_file(name: str) -> str:
    """The text of a file of this package."""
    return (files("grader.page") / name).read_text(encoding="utf-8")


def base_style() -> str:
    """What every page of the grader looks like: colours on light and dark paper, tables, code, print."""
    return page_file("base.css")


def drawing_scripts() -> str:
    """The scripts as one file that defines `vegaEmbed`: Vega, Vega-Lite and Vega-Embed, in the versions of Altair."""
    import vl_convert

    # A page that is opened from a disk can load no module, so a function keeps the short names of the bundle to itself.
    return f"(() => {{{vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;', _version())}\n}})();\n"


def _version() -> str:
    """The version of Vega-Lite that Altair writes specs for, as vl-convert names it: 6.4."""
    import altair

    return ".".join(altair.SCHEMA_VERSION.removeprefix("v").split(".")[:2])


def main() -> None:
    """Print the scripts: making them takes a hundred megabytes, which a server would keep."""
    sys.stdout.buffer.write(drawing_scripts().encode())


LIST_OF_FILES = "page.json"
"""The file that lists what a build wrote. A folder that has it is a site of the grader."""

SCHEMA = "grader/page/1"


@dataclass(frozen=True)
class _Listed:
    schema: str
    files: list[str]


def write_site(out: Path, files: Mapping[str, bytes], *, force: bool = False) -> list[str]:
    """Write a site, and remove what an earlier build wrote and this one does not. Files of others stay.

    Returns:
        the paths of the files that were removed.

    Raises:
        KitError: the folder holds something and `force` is not set, or it cannot be written.
    """
    check_new(out, force=force, folder=True)
    try:
        stale = [path for path in _listed(out) or () if path not in files and os.path.lexists(out / path)]
        write_new(
            out, {LIST_OF_FILES: _list({*files, *stale})}, force=True
        )  # first: a build that is stopped is known as one
        write_new(out, files, force=True)
        for path in stale:
            (out / path).unlink()
            _remove_empty(out, (out / path).parent)
        write_new(out, {LIST_OF_FILES: _list(files)}, force=True)
    except OSError as error:
        raise KitError(f"{error.filename or out} cannot be written ({error.strerror or error}).") from None
    return stale


def _list(files: Iterable[str]) -> bytes:
    return json.dumps({"schema": SCHEMA, "files": sorted(files)}, indent=1).encode()


def _remove_empty(out: Path, folder: Path) -> None:
    if folder != out and not any(folder.iterdir()):
        folder.rmdir()


def _listed(out: Path) -> tuple[str, ...] | None:
    """The files that an earlier build wrote; None if there was none.

    Raises:
        KitError: if the list cannot be read.
    """
    try:
        found = decode(_Listed, json.loads(read_regular(out / LIST_OF_FILES, LARGEST_TEXT)))
    except Missing:
        return None
    except (Unreadable, ValueError, Malformed) as error:
        raise KitError(
            f"{out / LIST_OF_FILES} cannot be read as the list of a site ({error}): name another folder."
        ) from None
    if found.schema != SCHEMA:
        raise KitError(
            f"{out / LIST_OF_FILES} is of another version of the grader ({found.schema!r}): name another folder."
        )
    # The list is only data: a path in it never leads out of the folder.
    inside = [
        file for file in found.files if not PurePosixPath(file).is_absolute() and ".." not in PurePosixPath(file).parts
    ]
    return tuple(inside)
