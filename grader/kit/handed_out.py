"""What a kit hands out of a problem: which files, and their bytes. A kit may be a stranger's: no link in it is followed."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from grader.kit import markdown, translation
from grader.kit.files import LARGEST_TEXT, Unreadable, read_handed_in
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError
from grader.kit.shipped_stub import shipped
from grader.locale.language import ENGLISH, LANGUAGES

LARGEST = 1 << 26
"""The most bytes of a file that a statement names."""


def read(kit: Kit, path: Path, limit: int = LARGEST_TEXT) -> bytes:
    """The bytes of a file of the kit that is handed out.

    Raises:
        ProblemError: if it cannot be read, or if it or a folder of the kit on its path is a link.
    """
    try:
        return read_handed_in(path, limit, below=kit.root)
    except Unreadable as error:
        raise ProblemError(f"{kit.shown(path)} cannot be handed out: {error}") from None


def stub(kit: Kit, name: str) -> bytes:
    """The shipped stub of a problem.

    Raises:
        KitError: if it is filled in, and the shipped one is not known.
        ProblemError: if a link stands in its place.
    """
    if os.path.lexists(kit.stub(name)):
        read(kit, kit.stub(name))
    text = shipped(kit, name)
    if text is None:
        raise KitError(f"{kit.opened(kit.stub(name))} is filled in, and the shipped one is not known: clear it first.")
    return text.encode()


def files(kit: Kit, name: str) -> dict[Path, bytes]:
    """All that is handed out of a problem beside its stub and its key.

    That is the statement, `figure.py`, the translations of statement and stub, and the files in the problem's folder that a
    statement has as a picture or links to.

    Raises:
        ProblemError: as `read`.
    """
    statement, own = kit.statement(name), (kit.stub(name), kit.key(name))
    foreign = [translation.path(one, code) for one in (statement, own[0]) for code in LANGUAGES if code != ENGLISH]
    there = [path for path in (kit.figure(name), *foreign) if os.path.lexists(path)]
    found = {path: read(kit, path) for path in (statement, *there)}
    for text in [data for path, data in found.items() if path.suffix == statement.suffix]:
        for _, target in markdown.links(text.decode(errors="replace")):
            path = Path(os.path.normpath(statement.parent / unquote(re.split("[?#]", target)[0])))
            inside = ":" not in target and statement.parent in path.parents and path not in own
            if inside and os.path.lexists(path) and (path.is_symlink() or not path.is_dir()):
                found[path] = read(kit, path, LARGEST)
    return found
