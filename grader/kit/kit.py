"""A kit on disk: where its problems are, and in which order they are met."""

from __future__ import annotations

import ast
import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from grader.kit.problem import ProblemError

COMMANDS = ("check", "list", "show", "hint", "solution", "reset", "watch", "doctor", "new", "audit", "key", "guide")
"""What a mistyped word may mean, beside a problem."""


class KitError(Exception):
    """A fault of usage: no kit here, or no such problem. One line, with how to mend it."""


@dataclass(frozen=True)
class Kit:
    """A folder with `problems/` and, unless it was handed out without them, `solutions/`."""

    root: Path

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every problem's name, alphabetically."""
        folders = (self.root / "problems").iterdir()
        return tuple(sorted(f.name for f in folders if f.is_dir() and not f.name.startswith((".", "_"))))

    def statement(self, name: str) -> Path:
        return self.root / "problems" / name / "README.md"

    def stub(self, name: str) -> Path:
        return self.root / "problems" / name / "stub.py"

    def key(self, name: str) -> Path:
        return self.root / "problems" / name / "key.npz"

    def answer(self, name: str) -> Path:
        return self.root / "solutions" / name / "answer.py"

    def reference(self, name: str) -> Path:
        return self.root / "solutions" / name / "reference.py"

    @property
    def state(self) -> Path:
        """Where the grader keeps oracles, progress and shipped stubs."""
        return self.root / ".grader"

    def shown(self, path: Path) -> str:
        """A path as messages show it: from the kit's root where it lies inside."""
        return os.path.relpath(path, self.root) if path.is_relative_to(self.root) else str(path)

    def resolve(self, name: str) -> str:
        """A problem's name; a path to its folder or stub will do too.

        Raises:
            KitError: where there is no such problem, with the nearest names.
        """
        if name in self.names:
            return name
        path = Path(os.path.realpath(name))  # a link to itself is no reason to stop
        for part in (path, path.parent):
            if part.parent == self.root / "problems" and part.name in self.names:
                return part.name
        near = difflib.get_close_matches(name, [*self.names, *COMMANDS], n=3, cutoff=0.5)
        meant = f" Did you mean {' or '.join(near)}?" if near else " `python -m grader list` shows them all."
        raise KitError(f"There is no problem {name!r}.{meant}")


def find(option: Path | None) -> Kit:
    """The kit of a command: `--kit`, else GRADER_KIT, else the nearest folder upwards that holds `problems/`.

    Raises:
        KitError: where there is none.
    """
    chosen = option or (Path(os.environ["GRADER_KIT"]) if os.environ.get("GRADER_KIT") else None)
    if chosen is not None:
        source = "--kit" if option else "GRADER_KIT"
        if not (chosen / "problems").is_dir():
            raise KitError(f"{source} is {str(chosen)!r}, and there is no folder problems/ in it.")
        return Kit(chosen.resolve())
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "problems").is_dir():
            return Kit(folder)
    raise KitError(f"No kit here: neither {here} nor a folder above it holds problems/. Go to one, or give --kit DIR.")


def for_new(option: Path | None) -> Kit:
    """The kit of `new`: the folder of `--kit` or GRADER_KIT becomes one with its first problem; else as `find` has it.

    Raises:
        KitError: where that folder is not there.
    """
    chosen = option or (Path(os.environ["GRADER_KIT"]) if os.environ.get("GRADER_KIT") else None)
    if chosen is None:
        return find(None)
    if not chosen.is_dir():
        raise KitError(f"{str(chosen)!r} is no folder: make it first.")
    (chosen / "problems").mkdir(exist_ok=True)
    return Kit(chosen.resolve())


def order_faults(after: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What is wrong with `after`: for each problem that names an unknown one, or stands in a circle, what to mend.

    Args:
        after: for each problem, those to solve before it.
    """
    faults: dict[str, str] = {}
    for name, before in after.items():
        if unknown := [one for one in before if one not in after]:
            faults[name] = f"problems/{name}/README.md: `after` names {unknown[0]!r}, which is no problem here"
    while True:
        left = {
            name: [one for one in before if one not in faults] for name, before in after.items() if name not in faults
        }
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1][::-1]
            text = " -> ".join(circle)
            faults.update(
                {name: f"problems/{name}/README.md: `after` goes round in a circle: {text}" for name in circle}
            )
        else:
            return faults


def in_order(after: Mapping[str, Sequence[str]], tracks: Mapping[str, str]) -> list[str]:
    """Problems in the order in which a learner meets them: by track, then by how much comes before, then by name.

    Args:
        after: for each problem, those to solve before it.
        tracks: for each problem, its track.

    Raises:
        ProblemError: where `after` names no problem, or goes round in a circle.
    """
    for fault in order_faults(after).values():
        raise ProblemError(fault)
    depths: dict[str, int] = {}
    for name in TopologicalSorter(after).static_order():
        depths[name] = 1 + max((depths[before] for before in after[name]), default=0)
    return sorted(after, key=lambda name: (tracks[name], depths[name], name))


def is_bare(text: str, name: str) -> bool:
    """Whether a stub is not filled in yet: the function's last statement still raises NotImplementedError."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            last = node.body[-1]
            raised = last.exc if isinstance(last, ast.Raise) else None
            called = raised.func if isinstance(raised, ast.Call) else raised
            return isinstance(called, ast.Name) and called.id == "NotImplementedError"
    return False
