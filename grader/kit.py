"""A kit on disk: where its problems are, and in which order they are met."""

from __future__ import annotations

import ast
import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grader.problem import ProblemError

COMMANDS = ("check", "list", "show", "hint", "solution", "reset", "watch", "doctor")
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
        path = Path(name).resolve()
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


def in_order(after: Mapping[str, Sequence[str]], tracks: Mapping[str, str]) -> list[str]:
    """Problems in the order in which a learner meets them: by track, then by how much comes before, then by name.

    Args:
        after: for each problem, those to solve before it.
        tracks: for each problem, its track.

    Raises:
        ProblemError: where `after` names no problem, or goes round in a circle.
    """
    depths: dict[str, int] = {}

    def depth(name: str, path: tuple[str, ...]) -> int:
        if name in path:
            circle = " -> ".join((*path[path.index(name) :], name))
            raise ProblemError(f"problems/{name}/README.md: `after` goes round in a circle: {circle}")
        if name not in depths:
            for before in after[name]:
                if before not in after:
                    raise ProblemError(f"problems/{name}/README.md: `after` names {before!r}, which is no problem here")
            depths[name] = 1 + max((depth(before, (*path, name)) for before in after[name]), default=0)
        return depths[name]

    return sorted(after, key=lambda name: (tracks[name], depth(name, ()), name))


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
