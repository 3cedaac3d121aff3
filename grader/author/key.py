"""Answer keys: what a kit needs to grade without its solutions. Also the export of a kit that has keys in their place."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from grader.kit import shipped_stub, statement
from grader.kit.files import write_atomically
from grader.kit.kit import Kit, KitError
from grader.kit.problem import ProblemError
from grader.marking.diagnose import LARGEST_SET
from grader.oracle import store
from grader.oracle.answer_key import text_mark
from grader.oracle.client import OracleClient
from grader.oracle.store import Mark, SavedOracle
from grader.session import Session

_LEFT_OUT = shutil.ignore_patterns("__pycache__", "stub*.py", "key.npz", ".*")


def make(session: Session, name: str) -> bytes:
    """The answer key of one problem: the expected values, and those of every set of up to three pitfalls.

    Raises:
        ProblemError: for a fault of the problem, or if its reference is missing.
    """
    kit = session.kit
    source = session.oracle(name)
    if not isinstance(source, OracleClient):
        raise ProblemError(f"{kit.shown(kit.reference(name))}: there is no such file, and a key is made from it")
    oracle = SavedOracle(source.facts(), source.truth(), source.screening_case)
    for size in range(1, LARGEST_SET + 1):
        level, confirmed = source.sets_for_key(size)
        oracle.levels[size] = level
        oracle.confirmed.update(confirmed)
    # Paths of this machine mean nothing on another, and are private.
    oracle.origin = replace(source.origin(), files={})
    mark = Mark(text_mark(kit.statement(name)), text_mark(kit.reference(name)), source.sample())
    return store.to_bytes(oracle, mark)


def plan_export(kit: Kit, names: Sequence[str], target: Path) -> dict[str, str]:
    """The shipped stub of every problem of an exported kit. This checks the export, and writes nothing.

    Raises:
        KitError: if the target is not empty, or lies inside the kit's own problems or solutions; if a stub is filled in and
            the shipped one is not known; or if a problem comes after one that is left out.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise KitError(f"{str(target)!r} is there already, and holds something: name a folder that is new or empty.")
    if any(target.resolve().is_relative_to(kit.root / folder) for folder in ("problems", "solutions")):
        raise KitError(f"{str(target)!r} lies within the kit's own problems: name a folder outside of them.")
    planned: dict[str, str] = {}
    for name in names:
        if left_out := [one for one in statement.read(kit.statement(name)).after if one not in names]:
            raise KitError(f"{name} comes after {left_out[0]}, which would be left out: name {left_out[0]} as well.")
        text = shipped_stub.shipped(kit, name)
        if text is None:
            raise KitError(f"problems/{name}/stub.py is filled in, and the shipped one is not known: clear it first.")
        planned[name] = text
    return planned


def write_export(kit: Kit, planned: Mapping[str, str], target: Path) -> None:
    """Write an exported kit without its keys: statements, their pictures, the shipped stubs."""
    for name, text in planned.items():
        folder = target / "problems" / name
        shutil.copytree(kit.statement(name).parent, folder, ignore=_LEFT_OUT)
        write_atomically(folder / "stub.py", text.encode())
