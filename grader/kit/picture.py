"""How the array of a problem is looked at: what an instructor declares as `Problem(picture=...)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from grader.marking.picture_data import Pictured


@dataclass(frozen=True)
class Heatmap:
    """Each value as a colour. `rows` and `columns` are names of `axes`: one axis goes down, the other across."""

    rows: str
    columns: str


@dataclass(frozen=True)
class Matrix:
    """A cell for each pair of things, such as a query and a key: square, and with its number if there is room."""

    rows: str
    columns: str


@dataclass(frozen=True)
class Waves:
    """A line along one axis for each index of another, such as the waves along positions, one for each dimension."""

    along: str
    each: str


@dataclass(frozen=True)
class Curve:
    """One line along one axis."""

    along: str


@dataclass(frozen=True)
class Tokens:
    """A bar for each token, or for each other thing along one axis."""

    tokens: str


Picture = Heatmap | Matrix | Waves | Curve | Tokens
KINDS = (Heatmap, Matrix, Waves, Curve, Tokens)


def as_pictures(given: Picture | Sequence[Picture]) -> tuple[Picture, ...]:
    """One picture, or several, as a tuple."""
    return tuple(given) if isinstance(given, (list, tuple)) else (given,)  # type: ignore[arg-type]


def pictured(picture: Picture) -> Pictured:
    """A picture as data, which oracles and keys hold."""
    return Pictured(type(picture).__name__.lower(), astuple(picture))


def fault_of_pictures(pictures: Sequence[object], axes: Sequence[str]) -> str:
    """What is wrong with the pictures of an array with these axes, and what to do; empty if nothing is."""
    known = ", ".join(axes) or "none"
    for at, one in enumerate(pictures):
        if not isinstance(one, KINDS):
            names = ", ".join(kind.__name__ for kind in KINDS)
            return f"the picture {one!r} is not one that the grader draws: give one of {names} (from grader import Heatmap)"
        named = astuple(one)
        if one in pictures[:at]:
            return f"the picture {shown(one)} is given twice: remove one"
        if unknown := [axis for axis in named if axis not in axes]:
            return f"the picture {shown(one)} names {unknown[0]!r}, which is not in `axes`: it has {known}. Name those"
        if len(set(named)) < len(named):
            return f"the picture {shown(one)} names the axis {named[0]!r} twice: name another, or use Curve or Tokens"
    return ""


def shown(picture: Picture) -> str:
    """A picture as an instructor writes it: `Heatmap("position", "dim")`."""
    return type(picture).__name__ + "(" + ", ".join(f'"{axis}"' for axis in astuple(picture)) + ")"
