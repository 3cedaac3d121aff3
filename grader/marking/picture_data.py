"""What pictures are drawn of: how the array of a problem is looked at, and the values of each case. Plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # commands that read a kept verdict import this module, but not NumPy
    from grader.marking.comparison import Array
    from grader.values.message import Message

AXES = {"heatmap": 2, "matrix": 2, "waves": 2, "curve": 1, "tokens": 1}
"""The kinds of pictures, and how many axes each of them names."""


@dataclass(frozen=True)
class Pictured:
    """One picture of a problem: its kind, and the names of the axes that it shows. See `grader.kit.picture`."""

    kind: str
    axes: tuple[str, ...]

    def fits(self, axes: Sequence[str]) -> bool:
        """Whether it is a known picture of an array with these axes."""
        known = AXES.get(self.kind) == len(self.axes) == len(set(self.axes))
        return known and set(self.axes) <= set(axes)


@dataclass(frozen=True, eq=False)
class Compared:
    """One case of an answer, value by value.

    Attributes:
        case: its index.
        arguments: those of the call, in words.
        shape: that of the array before it is flattened.
        axes: the names of the axes; the last ones may be without a name.
        due: the expected values, of shape (n,), int64 or float64; None where they are withheld or not asked for.
        given: those of the answer, of the same shape; None if there are none that can be compared.
        wrong: whether each value is wrong, of the same shape; None where that is withheld or not known.
        parts: names of the arrays that are stacked on an axis before all others; empty if nothing is stacked.
    """

    case: int
    arguments: str
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    due: Array | None
    given: Array | None
    wrong: Array | None
    parts: tuple[Message, ...] = ()


@dataclass(frozen=True, eq=False)
class Drawable:
    """The pictures that a problem declares, and the cases that they may be drawn of. It is never saved."""

    pictures: tuple[Pictured, ...]
    cases: tuple[Compared, ...]
