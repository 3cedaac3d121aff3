"""Checks of the words of pitfalls: `name`, `why` and `hint` are well formed, and a hint does not give the answer away."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

from grader.kit.problem import Pitfall, Problem

LONG_ENOUGH = 12
"""A piece of code with at least this many characters, not counting spaces, gives the answer away."""


def check_wording(problem: Problem, answer: str) -> Iterator[tuple[str, str, str]]:
    """Find faults in the words of pitfalls, as (pitfall, check, message).

    Args:
        problem: the problem that declares the pitfalls.
        answer: the text of the worked answer. No hint may contain a piece of it.
    """
    defaults = {name: p.default for name, p in inspect.signature(problem.reference).parameters.items()}
    pieces = list(_pieces(answer))
    for pitfall in problem.pitfalls:
        name = pitfall.name
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
            yield name, "name", f"{name!r} is not in kebab-case: name the mistake in small letters, joined by hyphens"
        for field, text, ends in (("why", pitfall.why, "."), ("hint", pitfall.hint, ".?")):
            if not text.strip():
                yield name, "advice", f"{name!r} has no {field}: write a sentence"
            elif text.strip()[-1] not in ends:
                yield name, "advice", f"the {field} of {name!r} does not end as a sentence: {text.strip()[-20:]!r}"
        for constant in _constants(pitfall, defaults):
            yield (
                name,
                "gives-away",
                f"the hint of {name!r} holds {constant}, the right value of the knob that it turns: ask for it instead",
            )
        for piece in pieces:
            if piece in _bare(pitfall.hint):
                yield (
                    name,
                    "gives-away",
                    f"the hint of {name!r} holds a piece of the worked answer, `{piece}`: ask for it",
                )
                break


def _constants(pitfall: Pitfall, defaults: dict[str, object]) -> Iterator[str]:
    """Numbers in a hint that are the right values of the pitfall's own knobs."""
    said = {float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w])", pitfall.hint)}
    right = {number for knob in pitfall.knobs for number in _numbers(defaults.get(knob))}
    for number in sorted(said & right):
        yield f"{number:g}"


def _numbers(value: object) -> Iterator[float]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


def _pieces(text: str) -> Iterator[str]:
    """The calls and calculations in a program, without spaces."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Call, ast.BinOp, ast.Subscript, ast.Compare)):
            piece = _bare(ast.get_source_segment(text, node) or "")
            if len(piece) >= LONG_ENOUGH:
                yield piece


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)
