"""Draws of random numbers: whether an answer draws its inputs from the keys that its problem draws from. NumPy only."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence

from grader.marking.verdict import Named
from grader.values.message import Message, lines_field, message, plural_message, sentences
from grader.values.outline import Draw

OTHER_INPUTS = "other-inputs"

MOST_DRAWS_EXCHANGED = 8
"""Only the first draws of a call are exchanged."""


def same_draws(drawn: Sequence[Draw], due: Sequence[Draw]) -> bool:
    """Whether the same keys give as many numbers each, once, or each as often: a derivative may hold its values twice."""
    made, expected = (Counter((draw.key, draw.count) for draw in draws) for draws in (drawn, due))
    return made.keys() == expected.keys() and len({made[draw] / expected[draw] for draw in made}) == 1


def other_inputs(drawn: Sequence[Draw], due: Sequence[Draw]) -> Named | None:
    """The first difference between the draws of an answer and those of the reference, at the same call.

    The order of the draws does not count. A key of the reference that the answer does not draw from is no mistake of the
    inputs by itself: the answer may leave out a term. So another key, or one key for two arrays, is named only if a key of
    the reference is left over.
    """
    keys = {draw.key for draw in due}
    if keys - {draw.key for draw in drawn}:
        if other := [draw for draw in drawn if draw.key not in keys]:
            return _another_key(other)
        times, expected = Counter(draw.key for draw in drawn), Counter(draw.key for draw in due)
        if reused := [key for key in times if times[key] > expected[key]]:
            return _one_key([draw for draw in drawn if draw.key == reused[0]])
    counts: dict[str, list[int]] = defaultdict(list)
    for draw in due:
        counts[draw.key].append(draw.count)
    as_due = {draw.key for draw in drawn if draw.count in counts.get(draw.key, ())}
    # A layer may draw once more, and throw the numbers away.
    odd = [draw for draw in drawn if draw.key in keys - as_due]
    if len(odd) > 1 and Counter(draw.count for draw in odd) == Counter(counts[draw.key][0] for draw in odd):
        return _others(odd)
    return _size(odd[0], counts[odd[0].key][0]) if odd else None


def _named(why: Message, hint: Message, lines: Sequence[int]) -> Named:
    """The mistake at some lines; none if they are not known."""
    return Named(OTHER_INPUTS, why.with_fields(lines=lines_field(lines)), hint, located=bool(lines))


def _of_draws(draws: Sequence[Draw], in_lines: Message, in_one_line: Message, unknown: Message, hint: Message) -> Named:
    """The mistake of some draws: in several lines, in one, or in lines that are not known."""
    lines = _lines(draws)
    why = in_lines if len(lines) > 1 else in_one_line if lines else unknown
    return _named(why.with_fields(count=len(draws)), hint, lines)


def _another_key(draws: Sequence[Draw]) -> Named:
    return _of_draws(
        draws,
        message("{lines} draw with a key that is not the statement's, so the numbers are different."),
        plural_message(
            "{lines} draws with a key that is not the statement's, so the numbers are different.",
            "{lines} draws {count} arrays with a key that is not the statement's, so the numbers are different.",
            len(draws),
        ),
        plural_message(
            "One line draws with a key that is not the statement's, so the numbers are different.",
            "Some lines draw with a key that is not the statement's, so the numbers are different.",
            len(draws),
        ),
        message("From which seed does the statement make each key, and how?"),
    )


def _one_key(draws: Sequence[Draw]) -> Named:
    return _of_draws(
        draws,
        message(
            "{lines} draw with the same key, and another key of the statement is not used, so the numbers are "
            "different."
        ),
        plural_message(
            "{lines} draws with the same key, and another key of the statement is not used, so the numbers are "
            "different.",
            "{lines} draws {count} arrays with the same key, and another key of the statement is not used, so the "
            "numbers are different.",
            len(draws),
        ),
        plural_message(
            "One line draws with the same key, and another key of the statement is not used, so the numbers are different.",
            "Some lines draw with the same key, and another key of the statement is not used, so the numbers are "
            "different.",
            len(draws),
        ),
        message("How many arrays are drawn, and does each have a key of its own?"),
    )


def _others(draws: Sequence[Draw]) -> Named:
    return _of_draws(
        draws,
        message(
            "{lines} draw with keys that the statement gives to each other's arrays, so the numbers are different."
        ),
        message(
            "{lines} draws {count} arrays with keys that the statement gives to each other's arrays, so the numbers "
            "are different."
        ),
        message(
            "Some lines draw with keys that the statement gives to each other's arrays, so the numbers are different."
        ),
        message("In which order does the statement hand out the keys, and in which do you?"),
    )


def _size(draw: Draw, due: int) -> Named:
    lines = _lines([draw])
    if lines:
        why = plural_message(
            "{lines} draws {count} number with a key that the statement draws {due} with.",
            "{lines} draws {count} numbers with a key that the statement draws {due} with.",
            draw.count,
        )
    else:
        why = plural_message(
            "One line draws {count} number with a key that the statement draws {due} with.",
            "One line draws {count} numbers with a key that the statement draws {due} with.",
            draw.count,
        )
    hint = message("Which array does each key belong to, and which shape has it?")
    return _named(why.with_fields(due=due), hint, lines)


def exchanged_keys(drawn: Sequence[Draw], keys: Sequence[str]) -> Named:
    """The mistake of draws with each other's keys: with these `keys` exchanged, the reference gives the answer's values."""
    lines, two = _lines([draw for draw in drawn if draw.key in keys]), len(keys) == 2
    if two and lines:
        changed = message(
            "Two of the arrays, drawn at {lines}, have changed places, in the order of their keys or where they are used."
        )
    elif lines:
        changed = message(
            "Three of the arrays, drawn at {lines}, have changed places, in the order of their keys or where they are used."
        )
    elif two:
        changed = message("Two of the arrays have changed places, in the order of their keys or where they are used.")
    else:
        changed = message("Three of the arrays have changed places, in the order of their keys or where they are used.")
    hint = message("Which array does the statement draw with which key, and what is each array used for?")
    why = sentences(changed.with_fields(lines=lines_field(lines)), message("The rest is right."))
    return Named(OTHER_INPUTS, why, hint, located=bool(lines))


def _lines(draws: Sequence[Draw]) -> tuple[int, ...]:
    """The lines of some draws; none if one of them is not known, for a sentence names all or none."""
    lines = {draw.line for draw in draws}
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
