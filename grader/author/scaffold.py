"""The texts that `new` writes: the files in `templates/`, filled in for one problem."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from grader.author.statement_checks import GAP

_CASES = ((1, "0.5"), (3, "0.25"), (6, "1.5"))
"""Three cases of different sizes: the first of the sizes, which then count up, and the value of every float."""


@dataclass(frozen=True)
class Plan:
    """What `new` needs to know: name, title, track, difficulty, and the parameters after `seed` with their types."""

    name: str
    title: str
    track: str
    difficulty: str
    parameters: tuple[tuple[str, type], ...]


def fill(template: str, plan: Plan) -> str:
    """The text of one file of a new problem, by its name: README.md, stub.py, answer.py or reference.py."""
    text = (files("grader.author") / "templates" / f"{template}.template").read_text(encoding="utf-8")
    return Template(text).substitute(_values(plan))


def _values(plan: Plan) -> dict[str, str]:
    names = [name for name, _ in plan.parameters]
    sizes = [name for name, kind in plan.parameters if kind is int]
    rates = [name for name, kind in plan.parameters if kind is float]
    converted = ", ".join(f"{kind.__name__}({name})" for name, kind in plan.parameters)
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
            f"- `{name}`{'' if kind is int else ', a float'}: {GAP}: what it is, and what may be assumed of it."
            for name, kind in plan.parameters
        ),
        "conversions": f"    {', '.join(names)} = {converted}\n" if names else "",
        "count": " * ".join(sizes) or "8",
        "shape": f"({', '.join(sizes)})" if len(sizes) > 1 else f"({(*sizes, '8')[0]},)",
        "flattened": " flattened," if len(sizes) > 1 else "",
        "row_by_row": ", row by row" if len(sizes) > 1 else "",
        "formula": f"jnp.sin({' * '.join(['position', *rates])} / 10.0)",
        "reshaped": f".reshape({', '.join(sizes)})" if len(sizes) > 1 else "",
        "cases": "\n".join(f"        ({case})," for case in _cases(plan)),
    }


def _cases(plan: Plan) -> list[str]:
    if not plan.parameters:
        return ["0,"]
    return [
        ", ".join(["0", *(rate if kind is float else str(start + at) for at, (_, kind) in enumerate(plan.parameters))])
        for start, rate in _CASES
    ]
