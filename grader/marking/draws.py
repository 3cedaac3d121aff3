"""Draws of random numbers: whether an answer draws its inputs from the keys that its problem draws from. NumPy only."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from grader.marking.places import Line, in_lines, told_lines
from grader.marking.verdict import Named

NAME = "other-inputs"

MOST_DRAWS = 256
"""The most draws of one call that are known."""

MOST_DRAWS_EXCHANGED = 8
"""Only the first draws of a call are exchanged."""


@dataclass(frozen=True)
class Draw:
    """One draw: the data of its key in hexadecimal, how many numbers it gives, and its line in the answer (0: unknown)."""

    key: str
    count: int
    line: int = 0


def same_draws(drawn: Sequence[Draw], due: Sequence[Draw]) -> bool:
    """Whether the same keys give as many numbers each, once, or each as often: a derivative may hold its values twice."""
    made, expected = (Counter((one.key, one.count) for one in draws) for draws in (drawn, due))
    return made.keys() == expected.keys() and len({made[one] / expected[one] for one in made}) == 1


def other_inputs(drawn: Sequence[Draw], due: Sequence[Draw]) -> Named | None:
    """The first difference between the draws of an answer and those of the reference, at the same call.

    The order of the draws does not count. A key of the reference that the answer does not draw from is no mistake of the
    inputs by itself: the answer may leave out a term. So another key, or one key for two arrays, is named only if a key of
    the reference is left over.
    """
    keys = {one.key for one in due}
    if keys - {one.key for one in drawn}:
        if other := [one for one in drawn if one.key not in keys]:
            return _another_key(other)
        times, expected = Counter(one.key for one in drawn), Counter(one.key for one in due)
        if reused := [key for key in times if times[key] > expected[key]]:
            return _one_key([one for one in drawn if one.key == reused[0]])
    counts: dict[str, list[int]] = defaultdict(list)
    for one in due:
        counts[one.key].append(one.count)
    as_due = {one.key for one in drawn if one.count in counts.get(one.key, ())}
    odd = [one for one in drawn if one.key in keys - as_due]  # a layer may draw once more, and throw the numbers away
    if len(odd) > 1 and Counter(one.count for one in odd) == Counter(counts[one.key][0] for one in odd):
        return _others(odd)
    return _size(odd[0], counts[odd[0].key][0]) if odd else None


def _named(why: str, hint: str, lines: Sequence[int]) -> Named:
    """The mistake at some lines; none if they are not known."""
    return Named(NAME, why, hint, told_lines(lines), located=bool(lines))


def _another_key(draws: Sequence[Draw]) -> Named:
    return _named(
        f"{_drawing(draws)} with a key that is not the statement's, so the numbers are different.",
        "From which seed does the statement make each key, and how?",
        _lines(draws),
    )


def _one_key(draws: Sequence[Draw]) -> Named:
    return _named(
        f"{_drawing(draws)} with the same key, and another key of the statement is not used, so the numbers are different.",
        "How many arrays are drawn, and does each have a key of its own?",
        _lines(draws),
    )


def _others(draws: Sequence[Draw]) -> Named:
    return _named(
        f"{_drawing(draws)} with keys that the statement gives to each other's arrays, so the numbers are different.",
        "In which order does the statement hand out the keys, and in which do you?",
        _lines(draws),
    )


def _size(draw: Draw, due: int) -> Named:
    numbers = f"{draw.count} number{'s' * (draw.count != 1)}"
    return _named(
        f"{_drawing([draw])} {numbers} with a key that the statement draws {due} with.",
        "Which array does each key belong to, and which shape has it?",
        _lines([draw]),
    )


def exchanged_keys(drawn: Sequence[Draw], keys: Sequence[str]) -> Named:
    """The mistake of draws with each other's keys: with these `keys` exchanged, the reference gives the answer's values."""
    lines = _lines([one for one in drawn if one.key in keys])
    drawn_at = f", drawn at {in_lines(map(Line, lines))}," if lines else ""
    return _named(
        f"{_COUNTS[len(keys)]} of the arrays{drawn_at} have changed places, in the order of their keys or where they are "
        "used. The rest is right.",
        "Which array does the statement draw with which key, and what is each array used for?",
        lines,
    )


_COUNTS = {2: "Two", 3: "Three"}


def _drawing(draws: Sequence[Draw]) -> str:
    """The beginning of a sentence on draws: Lines 7 and 8 draw; Line 7 draws; Line 7 draws 2 arrays."""
    lines = _lines(draws)
    if len(lines) > 1:
        return f"L{in_lines(map(Line, lines))[1:]} draw"
    if lines:
        arrays = f" {len(draws)} arrays" if len(draws) > 1 else ""
        return f"Line {lines[0]} draws{arrays}"
    return "Some lines draw" if len(draws) > 1 else "One line draws"


def _lines(draws: Sequence[Draw]) -> tuple[int, ...]:
    """The lines of some draws; none if one of them is not known, for a sentence names all or none."""
    lines = {one.line for one in draws}
    return () if 0 in lines else tuple(sorted(lines))


def exchanges(draws: Sequence[Sequence[Draw]]) -> list[tuple[int, ...]]:
    """The exchanges of keys to try: the places of two draws, or of three, each of which takes the key of the next.

    Args:
        draws: the draws of the reference, case by case.
    """
    places = range(min(min(map(len, draws), default=0), MOST_DRAWS_EXCHANGED))
    pairs = list(itertools.combinations(places, 2))
    if len(places) > 4:
        return pairs
    threes = itertools.combinations(places, 3)
    return [*pairs, *(order for a, b, c in threes for order in ((a, b, c), (a, c, b)))]
