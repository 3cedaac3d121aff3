"""Checks of the words of pitfalls: their form, and that what they claim of numbers is so."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grader.kit.mistakes import Pitfall
from grader.kit.problem import Problem
from grader.values.arrays import Array, Expected
from grader.values.places import parsed

_SUBJECT = re.compile(r"(?P<which>every|each|all|the first|the last) (?P<noun>[a-z]+?)s? (?P<rest>.*)", re.IGNORECASE)
CLAIMED_VALUES = ("value", "number", "entry", "entrie")


def _times(factor: float) -> Callable[[Array, Array, Array], bool]:
    return lambda made, due, bound: bool(np.all(np.abs(made - factor * due) <= max(1.0, abs(factor)) * bound))


SAYS: dict[str, Callable[[Array, Array, Array], bool]] = {
    r"(is|are) zero": lambda made, due, bound: bool(np.all(np.abs(made) <= bound)),
    r"(is|are) NaN": lambda made, due, bound: bool(np.all(np.isnan(made))),
    r"(is|are) (half of what|half as [a-z]+ as) (it|they) should be": _times(0.5),
    r"(is|are) (twice what|twice as [a-z]+ as) (it|they) should be": _times(2.0),
    r"(has|have) the wrong sign": _times(-1.0),
    r"(is|are) too small": lambda made, due, bound: bool(np.all(np.abs(made) <= np.abs(due) + bound)),
    r"(is|are) too large": lambda made, due, bound: bool(np.all(np.abs(made) >= np.abs(due) - bound)),
}
"""What a claim may say, and whether it is so of values that were made, that were expected, and the tolerance of each."""


@dataclass(frozen=True)
class Claim:
    """A sentence and what it says.

    Attributes:
        sentence: as it stands in the words.
        axis: the axis of the subject; None for single values.
        index: along that axis, 0 or -1; None for all.
        holds: whether it is so, given what was made, what was expected and its tolerance.
    """

    sentence: str
    axis: int | None
    index: int | None
    holds: Callable[[Array, Array, Array], bool]


def claims(text: str, axes: Sequence[str], *, first: int = 0) -> Iterator[Claim]:
    """The claims of a text.

    Args:
        axes: the names of the axes of the array, from `first` on.
        first: the axis of its rows. Values and their derivatives are stacked along an axis before it.
    """
    subjects: dict[str, int | None] = {"row": first}
    subjects |= {name: first + at for at, name in enumerate(axes)}
    subjects |= dict.fromkeys(CLAIMED_VALUES)
    for sentence in re.split(r"(?<=[.;:])\s+", text):
        found = _SUBJECT.match(sentence)
        if found is None or (noun := found["noun"].lower()) not in subjects:
            continue
        index = {"the first": 0, "the last": -1}.get(found["which"].lower())
        for says, holds in SAYS.items():
            if re.match(rf"{says}[.,;:]?$", found["rest"]):
                yield Claim(sentence, subjects[noun], index, holds)


def is_so(claim: Claim, made: Array, due: Expected, shape: tuple[int, ...]) -> bool:
    """Whether a claim is so of one case, of flattened values of this shape. Of another length, nothing is claimed."""
    if made.size != due.values.size:
        return True
    parts = [np.reshape(np.broadcast_to(array, due.values.shape), shape) for array in (made, due.values, due.tolerance)]
    if claim.index is not None and claim.axis is not None:
        if len(shape) <= claim.axis or not shape[claim.axis]:
            return True
        parts = [np.take(part, claim.index, axis=claim.axis) for part in parts]
    with np.errstate(invalid="ignore"):
        return claim.holds(*parts)


SHORTEST_GIVEAWAY = 12
"""A piece of code with at least this many characters, not counting spaces, gives the answer away."""


def check_wording(problem: Problem, answer: str) -> Iterator[tuple[Pitfall, str, str]]:
    """Find faults in the words of pitfalls, as (pitfall, check, message). No hint may hold a piece of the worked answer."""
    pieces = list(_pieces(answer))
    for pitfall in problem.pitfalls:
        name = pitfall.name
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
            message = f"{name!r} is not in kebab-case: name the mistake in small letters, joined by hyphens"
            yield pitfall, "name", message
        for field, text, ends in (("why", pitfall.words.why, "."), ("hint", pitfall.words.hint, ".?")):
            if not text.strip():
                yield pitfall, "advice", f"{name!r} has no {field}: write a sentence"
            elif text.strip()[-1] not in ends:
                yield pitfall, "advice", f"the {field} of {name!r} does not end as a sentence: {text.strip()[-20:]!r}"
        for constant in _constants(pitfall, problem.solution.text if problem.solution else ""):
            message = f"the hint of {name!r} holds {constant}, which the mistake changes: ask for it instead"
            yield pitfall, "gives-away", message
        for piece in pieces:
            if piece in _bare(pitfall.words.hint):
                message = f"the hint of {name!r} holds a piece of the worked answer, `{piece}`: ask for it"
                yield pitfall, "gives-away", message
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
        tree = parsed(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.Call, ast.BinOp, ast.Subscript, ast.Compare)):
            piece = _bare(ast.get_source_segment(text, node) or "")
            if len(piece) >= SHORTEST_GIVEAWAY:
                yield piece


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)
