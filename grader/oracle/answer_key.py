"""Answer keys: saved oracles that kits hold in place of references. A key holds no code, and reading it needs no JAX."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

from grader.kit.decode import Malformed
from grader.kit.files import Unreadable, read_regular
from grader.kit.kit import Kit
from grader.kit.problem import ProblemError
from grader.marking.facts import Facts, Fresh, Mistake, Truth
from grader.marking.judge import Expected
from grader.oracle import draws, saved
from grader.oracle.store import Mark, SavedOracle, fingerprint
from grader.where.packed import Packed


def text_mark(path: Path) -> str:
    """A digest of the text of a file. It is the same for the line ends of every platform."""
    text = path.read_bytes().replace(b"\r\n", b"\n")
    return hashlib.sha256(text).hexdigest()[:16]


IN_KEYS = 2.0**-21
"""How precisely a key holds the values of mistakes, relative to the largest: in float32."""


class KeyOracle:
    """The oracle of a problem, read from its key (see `oracle.client.OracleClient`). It computes nothing.

    Raises:
        ProblemError: if the key is damaged, or was made by another version of the grader or for another text.
    """

    def __init__(self, kit: Kit, name: str) -> None:
        self._kit, self._name = kit, name
        self._oracle, self._mark = read(kit, name)

    def check_draws(self, compute: Callable[[bool], draws.Sample]) -> None:
        """Compare the draws in the key with the draws of the software that is installed here.

        Args:
            compute: returns the draws of this software, with layers of Flax or without.

        Raises:
            ProblemError: if they differ. Right answers would fail then.
        """
        try:
            draws.check(self._mark.sample, self._oracle.origin, self._kit.state / "draws", compute)
        except ProblemError as error:
            raise ProblemError(
                f"{self._kit.shown(self._kit.key(self._name))}: {error}: {_again(self._name)}"
            ) from error

    def facts(self) -> Facts:
        return self._oracle.facts

    def truth(self) -> Truth:
        return self._oracle.truth

    @property
    def precision(self) -> float:
        return IN_KEYS

    @property
    def screening_case(self) -> int:
        return self._oracle.screening_case

    def level(self, size: int) -> Sequence[Mistake]:
        return self._oracle.levels.get(size, [])

    def confirm(self, mistake: Mistake) -> Sequence[Expected | None]:
        return self._oracle.confirmed[mistake.names, mistake.setting]

    def fresh(self, seed: int) -> Fresh | None:
        """None: a key holds no inputs beyond the cases."""
        return None

    def keep_fresh(self, seed: int) -> None:
        """Nothing: there is nothing to keep."""

    def steps(self, *, of_value: bool) -> Packed | None:
        return self._oracle.steps.get(of_value)

    def keep(self) -> str | None:
        """None: a key computes nothing, so there is nothing to save."""
        return None

    def close(self) -> str | None:
        return None


def _again(name: str) -> str:
    return f"make it again with `python -m grader key {name}` where solutions/ is, or ask for a new one"


def is_current(kit: Kit, name: str, device: str, path: Path) -> bool:
    """Whether the key in this file is the one that would be made now: from the same texts, with the same software."""
    if not (kit.reference(name).is_file() and path.exists()):
        return False
    try:
        oracle, mark = read(kit, name, path)
    except ProblemError:
        return False
    return mark.fingerprint == fingerprint(kit.reference(name), device) and not oracle.origin.differences()


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
        oracle, mark = saved.from_bytes(read_regular(path, saved.LARGEST_KEY), saved.LARGEST_KEY)
    except Unreadable as error:
        raise ProblemError(f"{shown}: {str(error).rstrip('.')}: {again}") from None
    except saved.OtherFormat:
        raise ProblemError(f"{shown}: made by another version of the grader: {again}") from None
    except Malformed as error:
        raise ProblemError(f"{shown}: damaged, or not a key ({error}): {again}") from None
    if mark is None or oracle.facts.name != name:
        raise ProblemError(f"{shown}: this is not a key of {name}: {again}")
    statement = kit.statement(name)
    if not statement.is_file() or mark.statement != text_mark(statement):
        raise ProblemError(f"{shown}: made for another text of {kit.shown(statement)}: {again}")
    reference = kit.reference(name)
    if reference.is_file() and mark.reference != text_mark(reference):
        raise ProblemError(f"{shown}: made for another text of {kit.shown(reference)}: {again}")
    return oracle, mark
