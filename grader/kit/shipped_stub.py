"""The shipped stub of a problem: saved when the grader first sees it, restored when the learner starts over."""

from __future__ import annotations

import ast
import contextlib
import datetime
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from grader.kit import statement as translation
from grader.kit.files import LARGEST_TEXT, free_names, move_to_new, text_if_readable, write_atomically, write_new
from grader.kit.kit import Kit, KitError, is_bare, kit_of_grader
from grader.kit.names import sets_option
from grader.kit.repository import committed, committed_versions
from grader.kit.state import decoded_text, read_or_set_aside
from grader.locale.language import gettext, language
from grader.values.places import parsed


def save_shipped(kit: Kit) -> None:
    """Save a copy of every stub that is not filled in, so that `reset` needs no git. Raises OSError where it cannot."""
    copies = kit.state / "stubs"
    for name in kit.names:
        there = os.path.lexists(copies / f"{name}.py")
        stub = None if there or kit.outside(kit.stub(name)) else text_if_readable(kit.stub(name))
        if stub is not None and is_bare(stub, name):
            write_atomically(_copy(kit, name), stub.encode())


def shipped(kit: Kit, name: str) -> str | None:
    """The text of the shipped stub: the stub itself if it is not filled in, else the last known one; None if unknown."""
    here = None if kit.outside(kit.stub(name)) else text_if_readable(kit.stub(name))
    return here if here is not None and is_bare(here, name) else _known(kit, name)


def translated(kit: Kit, name: str) -> str | None:
    """The shipped stub in the language that is spoken, else in English; None if it is not known."""
    translated = translation.translation_path(kit.stub(name), language())
    return (None if kit.outside(translated) else text_if_readable(translated)) or shipped(kit, name)


def is_as_saved(kit: Kit, name: str) -> bool:
    """Whether the stub is the saved copy of the shipped one, which is not filled in."""
    saved = _saved(kit, name)
    return saved is not None and text_if_readable(kit.stub(name)) == saved


def untouched(kit: Kit, name: str, text: str) -> bool:
    """Whether a text is the shipped stub, or a part of it, but for blanks and comments.

    A part is what is taken from a notebook: the function and what it needs. If no shipped stub is known, what looks like a
    stub is one.
    """
    saved = _saved(kit, name)
    if text == saved:
        return True
    if not is_bare(text, name):
        return False
    # A saved copy may be older than the kit, and the last commit may hold the learner's own text.
    known = [stub for stub in (saved, _committed(kit, name)) if stub is not None and is_bare(stub, name)]
    try:
        return not known or any(_code(text) <= _code(stub) for stub in known)
    except (
        RecursionError,
        MemoryError,
        ValueError,
    ):  # nothing that is nested as deep, or as long a number, was shipped
        return False


def _code(text: str) -> set[str]:
    """The statements at the top of a text, but for settings of JAX, which a notebook makes before the answer."""
    return {ast.dump(statement) for statement in parsed(text).body if not sets_option(statement)}


def reset(kit: Kit, name: str) -> Path | None:
    """Restore the shipped stub.

    Returns:
        the path beside it, with the date in its name, that the learner's text was moved to, or a folder in its place; None
        where nothing was there, or the shipped stub.

    Raises:
        KitError: where no shipped stub is known.
        OSError: where the kit cannot be written.
    """
    stub = kit.stub(name)
    shipped = _known(kit, name)
    if shipped is None:
        said = gettext(
            "The shipped stub of {problem} is not known here: it is not in git, in {copy} or in the kit that came with the "
            "grader. Copy it from the kit's source."
        )
        raise KitError(said.format(problem=name, copy=kit.opened(_copy(kit, name))))
    moved, mode = None, 0o644
    while True:
        if os.path.lexists(stub):
            if text_if_readable(stub) == shipped.replace("\r\n", "\n"):
                return moved
            if stub.is_file():
                mode = stat.S_IMODE(stub.stat().st_mode)
            with contextlib.suppress(FileNotFoundError):  # another grader has moved it
                last = move_to_new(stub, _dated())  # whatever it is: a text, a link, an unreadable file, a folder
                moved = moved or last
        with contextlib.suppress(FileExistsError):  # another program has put a text there meanwhile: it is kept too
            write_new(stub.parent, iter([stub.name]), shipped.encode(), mode=mode)
            return moved


def keep_aside(stub: Path) -> Path | None:
    """Keep what lies at the path of a stub, before a text takes its place: a copy of a text; all else is moved.

    It lies beside the stub then, at the path that is returned. Raises OSError where the folder cannot be written.
    """
    if not os.path.lexists(stub):
        return None
    if text_if_readable(stub) is not None:
        return keep_text(stub, stub.read_bytes())
    return move_to_new(stub, _dated())  # a folder, a file that is no text, a link that leads nowhere


def keep_text(stub: Path, text: bytes) -> Path:
    """Keep another text beside a stub, for those who may read that. Raises OSError where it cannot be written."""
    mode = stat.S_IMODE(stub.stat().st_mode) if stub.is_file() else 0o644
    return write_new(stub.parent, _dated(), text, mode=mode)


def _dated() -> Iterator[str]:
    """Names with the date for what is kept beside a stub."""
    return free_names(f"stub.{datetime.datetime.now():%Y-%m-%d-%H%M%S}", ".py")


def _known(kit: Kit, name: str) -> str | None:
    return next((text for text in _candidates(kit, name) if text is not None and is_bare(text, name)), None)


def _candidates(kit: Kit, name: str) -> Iterator[str | None]:
    """Texts that may be the shipped stub: from the last commit, the saved copy, older commits, then the grader's own kit."""
    yield _committed(kit, name)
    yield _saved(kit, name)
    yield from committed_versions(kit.root, kit.shown(kit.stub(name)))
    yield _of_the_grader(kit, name)


def _of_the_grader(kit: Kit, name: str) -> str | None:
    """The stub of this problem in the kit that came with the grader; None if that is another problem of the same name."""
    try:
        own = kit_of_grader()
    except KitError:  # this grader was installed without a kit
        return None
    same = name in own.names and text_if_readable(own.statement(name)) == text_if_readable(kit.statement(name))
    return translated(own, name) if same and own.root != kit.root else None


def _committed(kit: Kit, name: str) -> str | None:
    return committed(kit.root, kit.shown(kit.stub(name)))


def _copy(kit: Kit, name: str) -> Path:
    return kit.state / "stubs" / f"{name}.py"


def _saved(kit: Kit, name: str) -> str | None:
    return read_or_set_aside(_copy(kit, name), LARGEST_TEXT, decoded_text)
