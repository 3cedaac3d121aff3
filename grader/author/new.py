"""A new problem: four files that audit clean but for the gaps that are marked in them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.author import scaffold
from grader.author.statement_checks import GAP
from grader.kit.kit import COMMANDS, Kit, KitError
from grader.kit.statement import DIFFICULTIES


@dataclass(frozen=True)
class Plan:
    """What a new problem is told: its name, title, track, difficulty, and parameters after `seed` with their types."""

    name: str
    title: str
    track: str
    difficulty: str
    parameters: tuple[tuple[str, type], ...]


def check_name(kit: Kit, name: str) -> str:
    """The name of a new problem.

    Raises:
        KitError: where it cannot be one, or is taken.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise KitError(f"{name!r} cannot name a problem: it is a Python function too, so write it as in rope_scores.")
    if name in COMMANDS:
        raise KitError(f"{name!r} is a command of the grader: choose another name.")
    for path in (kit.statement(name).parent, kit.reference(name).parent):
        if path.exists():
            raise KitError(f"{kit.shown(path)} is there already, and nothing is overwritten: choose another name.")
    return name


def check_difficulty(text: str) -> str:
    """One of the difficulties.

    Raises:
        KitError: where it is none.
    """
    if text not in DIFFICULTIES:
        raise KitError(f"The difficulty {text!r} is none: choose one of {', '.join(DIFFICULTIES)}.")
    return text


def parse_signature(text: str) -> tuple[tuple[str, type], ...]:
    """Parameters after `seed`, as in `T, d_model, rate: float`.

    Raises:
        KitError: where the text is no such list.
    """
    parameters: list[tuple[str, type]] = []
    for part in filter(None, (part.strip() for part in text.strip().strip("()").split(","))):
        name, _, kind = (piece.strip() for piece in part.partition(":"))
        if not name.isidentifier() or keyword.iskeyword(name) or kind not in ("", "int", "float"):
            raise KitError(f"{part!r} is no parameter: write a signature as in 'T, d_model, rate: float'.")
        parameters.append((name, float if kind == "float" else int))
    if parameters and parameters[0][0] == "seed":
        parameters = parameters[1:]
    names = [name for name, _ in parameters]
    if len(set(names)) < len(names) or "seed" in names:
        raise KitError(f"A parameter stands twice in {text!r}: name each once, and seed first or not at all.")
    return tuple(parameters)


def check_line(what: str, text: str) -> str:
    """A title or track: one line with something in it.

    Raises:
        KitError: where it is empty, or more than a line.
    """
    if not text.strip() or len(text.splitlines()) > 1:
        raise KitError(f"The {what} should be one line of text.")
    return text.strip()


def write(kit: Kit, plan: Plan) -> Sequence[Path]:
    """Write the four files of a problem.

    Raises:
        KitError: where one of its folders is there already.
    """
    check_name(kit, plan.name)
    files = {
        kit.statement(plan.name): scaffold.statement(plan.title, plan.track, plan.difficulty, plan.parameters),
        kit.stub(plan.name): scaffold.stub(plan.name, plan.parameters),
        kit.answer(plan.name): scaffold.answer(plan.name, plan.title, plan.parameters),
        kit.reference(plan.name): scaffold.reference(plan.name, plan.title, plan.parameters),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text.replace("GAP", GAP))
    return list(files)
