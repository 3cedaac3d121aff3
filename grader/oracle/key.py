"""A key: a saved oracle beside the statement, in place of the reference. Numbers and messages, no code. NumPy only."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from grader.diagnose import Mutant, Truth
from grader.judge import Expected
from grader.kit import Kit
from grader.oracle import store
from grader.oracle.store import Facts, Fresh, Oracle
from grader.problem import ProblemError


def text_mark(path: Path) -> str:
    """A name for the text of a file, the same with the line ends of any platform."""
    text = path.read_bytes().replace(b"\r\n", b"\n")
    return hashlib.sha256(text).hexdigest()[:16]


class Keyed:
    """The oracle of a problem out of its key (see `oracle.source.Source`). Nothing is computed, on any platform.

    Raises:
        ProblemError: where the key is damaged, of another version, or made for another text.
    """

    def __init__(self, kit: Kit, name: str) -> None:
        self._oracle = read(kit, name)

    saved = True

    def facts(self) -> Facts:
        return self._oracle.facts

    def truth(self) -> Truth:
        return self._oracle.truth

    @property
    def telling(self) -> int:
        return self._oracle.telling

    def level(self, size: int) -> Sequence[Mutant]:
        return self._oracle.levels.get(size, [])

    def confirm(self, mutant: Mutant) -> Sequence[Expected]:
        return self._oracle.confirmed[mutant.names, mutant.setting]

    def fresh(self, seed: int) -> Fresh | None:
        """A key holds the cases and no more."""
        return None

    def keep(self) -> str | None:
        """Nothing is computed, so there is nothing to keep."""
        return None

    def close(self) -> str | None:
        return None


def read(kit: Kit, name: str) -> Oracle:
    """A problem's key, if it fits.

    Raises:
        ProblemError: one line that says what does not fit, and how to mend it.
    """
    path = kit.key(name)
    shown = kit.shown(path)
    again = f"make it again with `python -m grader key {name}` where solutions/ is, or ask for a new one"
    try:
        oracle, mark = store.from_bytes(path.read_bytes())
    except store.OtherFormat:
        raise ProblemError(f"{shown}: made by another version of the grader: {again}") from None
    except store.DAMAGE:
        raise ProblemError(f"{shown}: damaged, or not a key: {again}") from None
    if mark is None or oracle.facts.name != name:
        raise ProblemError(f"{shown}: this is not a key of {name}: {again}")
    statement = kit.statement(name)
    if not statement.is_file() or mark["statement"] != text_mark(statement):
        raise ProblemError(f"{shown}: made for another text of {kit.shown(statement)}: {again}")
    reference = kit.reference(name)
    if reference.is_file() and mark["reference"] != text_mark(reference):
        raise ProblemError(f"{shown}: made for another text of {kit.shown(reference)}: {again}")
    return oracle
