"""A pitfall to begin: what is known of an answer, and the parts that an instructor completes and pastes."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from grader.classroom.row import Row, smallest_failing
from grader.classroom.told import place_in_words
from grader.kit.declared import pitfall_lines
from grader.kit.kit import Kit
from grader.report.text import visible_lines

GAP = "TODO"
"""Marks what is to be filled in, as in a new problem."""


def begun(kit: Kit, row: Row, answer: str, *, shared: int, name: str) -> str:
    """The text of a file that says what is known of an answer, and holds what to paste into the reference.

    Args:
        answer: the text of the answer.
        shared: how many answers go wrong as it does.
        name: what `--from` was given, shortened.
    """
    verdict: dict[str, Any] = row.verdict or {}
    reference = kit.shown(kit.reference(row.problem))
    signature, pitfalls = _places(kit.reference(row.problem))
    knob = f"{GAP.lower()}_{name}"
    parts = [
        f"# A pitfall of {row.problem}, begun from {name}",
        f"{shared} {'answer goes' if shared == 1 else 'answers go'} wrong like this, and no pitfall explains it in full. "
        f"The grader does not read this file. Replace every {GAP}, paste the parts into `{reference}`, then prove it: "
        f"`{kit.command('audit', row.problem)}`. Remove this file when you are done.",
        "## What is known",
        *_known(verdict),
        "The answer:",
        _fenced("\n".join(visible_lines(answer)), "python"),
        "## 1. The knob",
        f"Add it to the keyword-only parameters of the reference{signature}. Its default is right; write what the "
        "function does where it is turned. If a knob that is there already decides this, give that one another value "
        "instead.",
        _fenced(f"{knob}=False,  # {GAP}: a better name", "python"),
        "## 2. The pitfall",
        f"Add it to `pitfalls`{pitfalls}. `why` says what the numbers show, `hint` asks a question that does not give "
        "the answer away; both are whole sentences.",
        _fenced(
            "\n".join(
                (
                    "        Pitfall(",
                    f'            "{GAP.lower()}-{name}",  # {GAP}: the name of the mistake',
                    f'            why="{GAP}.",',
                    f'            hint="{GAP}?",',
                    f"            {knob}=True,",
                    "        ),",
                )
            ),
            "python",
        ),
        "## 3. Prove it",
        f"1. `{kit.command('audit', row.problem)}` proves that the pitfall gives other numbers than the truth, and that it "
        "is told by its own name.\n"
        "2. `class grade`, as before, grades the answers to this problem again, because its reference changed.\n"
        "3. `class changes` then shows which answers are explained. If this one is not among them, the knob does not "
        "give its numbers.",
    ]
    return "\n\n".join(parts) + "\n"


def _known(verdict: dict[str, Any]) -> list[str]:
    lines: list[str] = []
    failing = smallest_failing(verdict)
    if failing is not None:
        count = sum(case["status"] == "fail" for case in verdict["cases"])
        arguments = ", ".join(f"{name}={value}" for name, value in failing["args"].items())
        lines.append(f"It fails on {count} of {len(verdict['cases'])} cases. The smallest is {arguments}.")
    if excerpt := verdict["excerpt"]:
        rows = [
            "  ".join((f"{title:10}", *(_number(value) for value in excerpt[part])))
            for title, part in (("expected", "expected"), ("given", "yours"))
        ]
        head = "  ".join((f"{'':10}", *(f"{one:>12}" for one in excerpt["columns"])))
        lines.append(_fenced("\n".join((*([str(excerpt["place"])] if excerpt["place"] else []), head, *rows)), "text"))
    for place in verdict["where"] or ():
        lines.append(f"{place_in_words(place)}. {place['message']}")
        lines.append(_fenced("\n".join(visible_lines(str(place["text"]))), "python"))
    return lines


def _number(value: float | str) -> str:
    return f"{value:12.6g}" if isinstance(value, float) else f"{value!s:>12}"


def _fenced(text: str, language: str) -> str:
    """A block of code that no line of the text can end."""
    fence = "`" * max(3, 1 + max((len(one) for one in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def _places(reference: Path) -> tuple[str, str]:
    """Where the knob and the pitfall belong, in words: the lines, where they are sure, and else nothing."""
    try:
        text = reference.read_text(encoding="utf-8")
        functions = [
            one
            for one in ast.parse(text).body
            if isinstance(one, ast.FunctionDef) and one.name == reference.parent.name
        ]
        lines = pitfall_lines(text)
    except (OSError, ValueError, SyntaxError):
        return "", ""
    signature = f", which begins at line {functions[0].lineno}" if len(functions) == 1 else ""
    last = max(lines, key=lambda name: lines[name], default="")
    return signature, f", after `{last}`, which begins at line {lines[last]}" if last else ""
