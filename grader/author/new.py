"""A new problem: four files, filled in from `templates/`, in which an audit finds only the gaps that are marked."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template

from grader.author.statement_checks import GAP
from grader.kit.kit import COMMANDS, Kit, KitError
from grader.kit.statement import DIFFICULTIES


@dataclass(frozen=True)
class Plan:
    """What `new` needs to know: name, title, track, difficulty, and the parameters after `seed` with their types."""

    name: str
    title: str
    track: str
    difficulty: str
    parameters: tuple[tuple[str, type], ...]


def fill_template(template: str, plan: Plan) -> str:
    """The text of one file of a new problem, by its name: README.md, stub.py, answer.py or mistakes.md."""
    text = (files("grader.author") / "templates" / f"{template}.template").read_text(encoding="utf-8")
    return Template(text).substitute(_values(plan))


def _values(plan: Plan) -> dict[str, str]:
    names = [name for name, _ in plan.parameters]
    sizes = [name for name, kind in plan.parameters if kind is int]
    rates = [name for name, kind in plan.parameters if kind is float]
    return {
        "name": plan.name,
        "title": plan.title,
        "quoted_title": json.dumps(plan.title, ensure_ascii=False),
        "plain_title": plan.title.replace("\\", "").replace('"', "'").rstrip("."),
        "quoted_track": json.dumps(plan.track, ensure_ascii=False),
        "difficulty": plan.difficulty,
        "signature": ", ".join(["seed", *names]),
        "arguments": "\n".join(f"        {name}: {GAP}." for name in ["seed", *names]),
        "inputs": "\n".join(
            f"- `{name}`: {GAP}: what it is, {'at least 1' if kind is int else 'a float above 0'}, what else may be assumed."
            for name, kind in plan.parameters
        ),
        "symbols": "\n".join(f"| TODO | `{name}` | a number |" for name in [*names, "count"]),
        "count": " * ".join(sizes) or "8",
        "shape": f"({', '.join(sizes)})" if len(sizes) > 1 else f"({(*sizes, '8')[0]},)",
        "flattened": " flattened," if len(sizes) > 1 else "",
        "row_by_row": ", row by row" if len(sizes) > 1 else "",
        "formula": f"jnp.sin({' * '.join(['position', *rates])} / 10.0)",
        "kinds": "".join(f", {kind}" for kind, there in (("Real", rates), ("Whole", sizes)) if there),
        "declared": ", ".join(f'"{name}": {_DECLARED[kind]}' for name, kind in plan.parameters),
        "cases": "\n".join(f"        {case}," for case in _cases(plan)),
    }


_DECLARED = {int: "Whole(least=1)", float: "Real(above=0.0)"}


def _cases(plan: Plan) -> list[tuple[int | float, ...]]:
    """Each size 1 and 2, and each float near 0, where the others are not small; all sizes large with a float near 0."""

    def case(first: int, **changed: int | float) -> tuple[int | float, ...]:
        usual = {name: first + at if kind is int else 0.5 + at for at, (name, kind) in enumerate(plan.parameters)}
        return (0, *{**usual, **changed}.values())

    small = [case(3, **{name: value}) for value in (1, 2) for name, kind in plan.parameters if kind is int]
    rates = [case(9, **{name: 0.05}) for name, kind in plan.parameters if kind is float]
    return [*small, *rates, case(9)]


def check_name(kit: Kit, name: str) -> str:
    """Return a name if a new problem can have it. Raises KitError if it is not a valid name, or is taken."""
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
    """Return a difficulty if there is one of this name. Raises KitError if there is none."""
    if text not in DIFFICULTIES:
        raise KitError(f"There is no difficulty {text!r}: choose one of {', '.join(DIFFICULTIES)}.")
    return text


def parse_signature(text: str) -> tuple[tuple[str, type], ...]:
    """Parameters after `seed` with their types, from a text as `T, rate: float`. Raises KitError for any other text."""
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
    """Return a title or track without spaces around it. Raises KitError if it is empty or more than one line."""
    if not text.strip() or len(text.splitlines()) > 1:
        raise KitError(f"The {what} should be one line of text.")
    return text.strip()


def write_problem(kit: Kit, plan: Plan) -> Sequence[Path]:
    """Write the four files of a problem, and return their paths. Raises KitError if one of its folders exists."""
    check_name(kit, plan.name)
    paths = (kit.statement(plan.name), kit.stub(plan.name), kit.answer(plan.name), kit.words(plan.name))
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(fill_template(path.name, plan))
    return paths
