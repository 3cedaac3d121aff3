"""What the words of a mistake claim of its numbers, and whether that is so of each of its forms.

A claim is a sentence that begins with its subject, `Every value`, `All rows`, `The first position`, and says of it one of
the things in `SAYS`. Other sentences are not checked. The subject is a value, a number, an entry or a row (along the first
axis), or the name of an axis of the problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grader.marking.comparison import Array, Expected

_SUBJECT = re.compile(r"(?P<which>every|each|all|the first|the last) (?P<noun>[a-z]+?)s? (?P<rest>.*)", re.IGNORECASE)
VALUES = ("value", "number", "entry", "entrie")


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
    for sentence in re.split(r"(?<=[.;:])\s+", text):
        found = _SUBJECT.match(sentence)
        if found is None:
            continue
        noun = found["noun"].lower()
        axis = None if noun in VALUES else first + axes.index(noun) if noun in axes else first if noun == "row" else -1
        if axis == -1:
            continue
        index = {"the first": 0, "the last": -1}.get(found["which"].lower())
        for says, holds in SAYS.items():
            if re.match(rf"{says}[.,;:]?$", found["rest"]):
                yield Claim(sentence, axis, index, holds)


def is_so(claim: Claim, made: Array, due: Expected, shape: tuple[int, ...]) -> bool:
    """Whether a claim is so of the values of one case. Nothing is claimed of an array of another length.

    Args:
        made, due: the values, flattened.
        shape: of the array.
    """
    if made.size != due.values.size:
        return True
    parts = [np.reshape(np.broadcast_to(one, due.values.shape), shape) for one in (made, due.values, due.tolerance)]
    if claim.index is not None and claim.axis is not None:
        if len(shape) <= claim.axis or not shape[claim.axis]:
            return True
        parts = [np.take(one, claim.index, axis=claim.axis) for one in parts]
    with np.errstate(invalid="ignore"):
        return claim.holds(*parts)
