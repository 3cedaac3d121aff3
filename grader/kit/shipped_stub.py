"""The shipped stub: kept when it is first seen, found again when the learner wants to start over."""

from __future__ import annotations

import datetime
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from grader.kit.decode import Malformed
from grader.kit.files import LARGEST_TEXT, Unreadable, read_text, write_atomically
from grader.kit.kept import read_kept
from grader.kit.kit import Kit, KitError, is_bare

HISTORY = 50
"""Committed versions of a stub that are looked at."""


def keep_shipped(kit: Kit) -> None:
    """Keep a copy of every stub that is still as shipped, so that `reset` works without git too."""
    for name in kit.names:
        text = _text(kit.stub(name))
        if text is not None and is_bare(text, name) and _kept(kit, name) is None:
            write_atomically(_copy(kit, name), text.encode())


def shipped(kit: Kit, name: str) -> str | None:
    """The text of a stub that is not filled in: the one that stands there, or the last one that is known."""
    candidates = (_text(kit.stub(name)), *_candidates(kit, name))
    return next((text for text in candidates if text is not None and is_bare(text, name)), None)


def reset(kit: Kit, name: str) -> Path | None:
    """Put the shipped stub back. The learner's text is kept beside it in a dated file, whose path is returned.

    Raises:
        KitError: where no shipped stub is known.
    """
    stub = kit.stub(name)
    shipped = next((text for text in _candidates(kit, name) if text is not None and is_bare(text, name)), None)
    if shipped is None:
        raise KitError(
            f"The shipped stub of {name} is not known here: neither git nor {kit.shown(_copy(kit, name))} has it. "
            "Copy it from the kit's source."
        )
    kept = None
    if os.path.lexists(stub) and _text(stub) != shipped.replace("\r\n", "\n"):
        kept = _free(stub, f"{datetime.datetime.now():%Y-%m-%d-%H%M%S}")
        stub.rename(kept)  # whatever it is: a text, a link, or what cannot be read
    write_atomically(stub, shipped.encode())
    return kept


def _free(stub: Path, date: str) -> Path:
    path, count = stub.with_name(f"stub.{date}.py"), 1
    while os.path.lexists(path):
        path, count = stub.with_name(f"stub.{date}-{count}.py"), count + 1
    return path


def _candidates(kit: Kit, name: str) -> Iterator[str | None]:
    """What may be the shipped stub: the last commit's, the copy kept here, then older commits'."""
    yield _git(kit, "show", f"HEAD:./{kit.shown(kit.stub(name))}")
    yield _kept(kit, name)
    commits = _git(kit, "log", f"-n{HISTORY}", "--format=%H", "--", kit.shown(kit.stub(name))) or ""
    for commit in commits.split():
        yield _git(kit, "show", f"{commit}:./{kit.shown(kit.stub(name))}")


def _git(kit: Kit, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=kit.root, capture_output=True, check=True, timeout=30)
    except (FileNotFoundError, subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None  # no git, or no repository here: the copy serves
    return done.stdout.decode("utf-8", "replace")


def _copy(kit: Kit, name: str) -> Path:
    return kit.state / "stubs" / f"{name}.py"


def _kept(kit: Kit, name: str) -> str | None:
    return read_kept(_copy(kit, name), LARGEST_TEXT, _decoded)


def _decoded(data: bytes) -> str:
    try:
        return data.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise Malformed("not UTF-8 text") from error


def _text(path: Path) -> str | None:
    try:
        return read_text(path)
    except Unreadable:
        return None
