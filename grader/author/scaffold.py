"""The texts that `new` writes: the files in `templates/`, filled in for one problem."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from grader.author.statement_checks import GAP


@dataclass(frozen=True)
class Plan:
    """What `new` needs to know: name, title, track, difficulty, and the parameters after `seed` with their types."""

    name: str
    title: str
    track: str
    difficulty: str
    parameters: tuple[tuple[str, type], ...]


def fill(template: str, plan: Plan) -> str:
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
