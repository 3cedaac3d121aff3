"""Answer keys: saved oracles that kits hold in place of references. A key holds no code, and reading it needs no JAX."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

from grader.kit.files import Unreadable, read_regular
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.oracle import documents, draws
from grader.oracle.store import Mark, SavedOracle, fingerprint
from grader.values.decode import Malformed


def text_mark(*paths: Path) -> str:
    """A digest of the texts of files, of those that are there. It is the same for the line ends of every platform."""
    texts = [path.read_bytes().replace(b"\r\n", b"\n") for path in paths if path.is_file()]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


IN_KEYS = 2.0**-21
"""How precisely a key holds the values of mistakes, relative to the largest: in float32."""


def opened(kit: Kit, name: str, compute: Callable[[bool], draws.Sample]) -> SavedOracle:
    """What a problem's key holds.

    Args:
        compute: returns the draws of the software that is installed here, with layers of Flax or without.

    Raises:
        ProblemError: if the key does not fit the kit (see `read`), or if this software draws other numbers than where it was
            made. Right answers would fail then.
    """
    oracle, mark = read(kit, name)
    try:
        draws.check(mark.sample, oracle.origin, kit.state / "draws", compute)
    except ProblemError as error:
        raise ProblemError(f"{kit.shown(kit.key(name))}: {error}: {_again(name)}") from error
    return oracle


def is_there(kit: Kit, name: str) -> bool:
    """Whether something lies where a problem's key belongs.

    Raises:
        ProblemError: if there is only a key in the form that keys had before.
    """
    path = kit.key(name)
    if os.path.lexists(path):
        return True
    if os.path.lexists(former := path.with_suffix(".npz")):
        raise ProblemError(f"{kit.shown(former)}: the key of this version of the grader is {path.name}: {_again(name)}")
    return False


def _again(name: str) -> str:
    return f"make it again with `python -m grader release --keys {name}` where solutions/ is, or ask for a new one"


def is_current(kit: Kit, name: str, device: str, path: Path, *, places: bool = True) -> bool:
    """Whether the key in this file is the one that would be made now: from the same texts, with the same software.

    Args:
        places: whether it should tell the places of mistakes.
    """
    if not (kit.answer(name).is_file() and path.exists()):
        return False
    try:
        oracle, mark = read(kit, name, path)
    except ProblemError:
        return False
    same = mark.fingerprint == fingerprint(kit.answer(name), device) and not oracle.origin.differences()
    return same and bool(oracle.steps) == places


def read(kit: Kit, name: str, path: Path | None = None) -> tuple[SavedOracle, Mark]:
    """A problem's key, and its mark.

    Args:
        path: its file, if it is not the key of this kit.

    Raises:
        ProblemError: if the key does not fit the kit. The message is one line that says why, and how to fix it.
    """
    path = path or kit.key(name)
    shown = kit.shown(path)
    again = _again(name)
    try:
        oracle, mark = documents.from_bytes(read_regular(path, documents.LARGEST_KEY), documents.LARGEST_KEY)
    except Unreadable as error:
        raise ProblemError(f"{shown}: {str(error).rstrip('.')}: {again}") from None
    except documents.OtherFormat:
        raise ProblemError(f"{shown}: made by another version of the grader: {again}") from None
    except Malformed as error:
        raise ProblemError(f"{shown}: damaged, or not a key ({error}): {again}") from None
    if mark is None or oracle.facts.name != name:
        raise ProblemError(f"{shown}: this is not a key of {name}: {again}")
    statement = kit.statement(name)
    if not statement.is_file() or mark.statement != text_mark(statement):
        raise ProblemError(f"{shown}: made for another text of {kit.shown(statement)}: {again}")
    worked = kit.answer(name)
    if worked.is_file() and mark.reference != text_mark(worked, *kit.words_in_all_languages(name)):
        raise ProblemError(f"{shown}: made for another text of {kit.shown(worked)} or its words: {again}")
    return oracle, mark
