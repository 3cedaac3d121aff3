"""A new problem: four files, in which an audit finds only the gaps that are marked to be filled in."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from pathlib import Path

from grader.author.scaffold import Plan, fill
from grader.kit.kit import COMMANDS, Kit, KitError
from grader.kit.statement import DIFFICULTIES


def check_name(kit: Kit, name: str) -> str:
    """Return a name if a new problem can have it.

    Raises:
        KitError: if it is not a valid name, or is taken.
    """
    if keyword.iskeyword(name):
        raise KitError(f"{name!r} cannot name a problem: it is a word of Python's own, and no function can have it.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise KitError(f"{name!r} cannot name a problem: it is a Python function too, so write it as in rope_scores.")
    if name in COMMANDS:
        raise KitError(f"{name!r} is a command of the grader: choose another name.")
    for path in (kit.statement(name).parent, kit.answer(name).parent):
        if path.exists():
            raise KitError(f"{kit.opened(path)} is there already, and nothing is overwritten: choose another name.")
    return name


def check_difficulty(text: str) -> str:
    """Return a difficulty if there is one of this name.

    Raises:
        KitError: if there is none.
    """
    if text not in DIFFICULTIES:
        raise KitError(f"There is no difficulty {text!r}: choose one of {', '.join(DIFFICULTIES)}.")
    return text


def parse_signature(text: str) -> tuple[tuple[str, type], ...]:
    """Parameters after `seed` with their types, from a text as `T, d_model, rate: float`.

    Raises:
        KitError: if the text is not a list of parameters.
    """
    parameters: list[tuple[str, type]] = []
    for part in filter(None, (part.strip() for part in text.strip().strip("()").split(","))):
        name, _, kind = (piece.strip() for piece in part.partition(":"))
        if not name.isidentifier() or keyword.iskeyword(name) or kind not in ("", "int", "float"):
            raise KitError(f"{part!r} is not a parameter: write a signature as in 'T, d_model, rate: float'.")
        parameters.append((name, float if kind == "float" else int))
    if parameters and parameters[0][0] == "seed":
        parameters = parameters[1:]
    names = [name for name, _ in parameters]
    if len(set(names)) < len(names) or "seed" in names:
        raise KitError(f"A parameter stands twice in {text!r}: name each once, and seed first or not at all.")
    return tuple(parameters)


def check_line(what: str, text: str) -> str:
    """Return a title or track without spaces around it.

    Raises:
        KitError: if it is empty or more than one line.
    """
    if not text.strip() or len(text.splitlines()) > 1:
        raise KitError(f"The {what} should be one line of text.")
    return text.strip()


def write(kit: Kit, plan: Plan) -> Sequence[Path]:
    """Write the four files of a problem, and return their paths.

    Raises:
        KitError: if one of its folders exists already.
    """
    check_name(kit, plan.name)
    paths = (kit.statement(plan.name), kit.stub(plan.name), kit.answer(plan.name), kit.words(plan.name))
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(fill(path.name, plan))
    return paths
