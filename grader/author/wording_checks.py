"""Checks of the words of pitfalls: `name`, `why` and `hint` are well formed, and a hint does not give the answer away."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from grader.kit.mistakes import Pitfall
from grader.kit.problem import Problem

SHORTEST_GIVEAWAY = 12
"""A piece of code with at least this many characters, not counting spaces, gives the answer away."""


def check_wording(problem: Problem, answer: str) -> Iterator[tuple[Pitfall, str, str]]:
    """Find faults in the words of pitfalls, as (pitfall, check, message).

    Args:
        problem: the problem that declares the pitfalls.
        answer: the text of the worked answer. No hint may contain a piece of it.
    """
    pieces = list(_pieces(answer))
    for pitfall in problem.pitfalls:
        name = pitfall.name
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
            yield (
                pitfall,
                "name",
                f"{name!r} is not in kebab-case: name the mistake in small letters, joined by hyphens",
            )
        for field, text, ends in (("why", pitfall.words.why, "."), ("hint", pitfall.words.hint, ".?")):
            if not text.strip():
                yield pitfall, "advice", f"{name!r} has no {field}: write a sentence"
            elif text.strip()[-1] not in ends:
                yield pitfall, "advice", f"the {field} of {name!r} does not end as a sentence: {text.strip()[-20:]!r}"
        for constant in _constants(pitfall, problem.solution.text if problem.solution else ""):
            yield (
                pitfall,
                "gives-away",
                f"the hint of {name!r} holds {constant}, which the mistake changes: ask for it instead",
            )
        for piece in pieces:
            if piece in _bare(pitfall.words.hint):
                yield (
                    pitfall,
                    "gives-away",
                    f"the hint of {name!r} holds a piece of the worked answer, `{piece}`: ask for it",
                )
                break


def _constants(pitfall: Pitfall, text: str) -> Iterator[str]:
    """Numbers in a hint that a part of a statement loses by the mistake."""
    lost: set[float] = set()
    for form in pitfall.forms:
        for edit in form.edits:
            if not edit.whole:
                lost |= _numbers(text[edit.start : edit.end]) - _numbers(edit.text)
    for number in sorted(_numbers(pitfall.words.hint) & lost):
        yield f"{number:g}"


def _numbers(text: str) -> set[float]:
    return {float(number) for number in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w])", text)}


def _pieces(text: str) -> Iterator[str]:
    """The calls and calculations in a program, without spaces."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Call, ast.BinOp, ast.Subscript, ast.Compare)):
            piece = _bare(ast.get_source_segment(text, node) or "")
            if len(piece) >= SHORTEST_GIVEAWAY:
                yield piece


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)
