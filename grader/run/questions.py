"""Questions of places and lines: how the evaluator answers where a program goes wrong and what each line makes, and what
the judging side believes of the replies.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.program.arithmetic import quiet
from grader.program.data import DTYPES, MOST_AXES, Place, Program
from grader.program.operations import MOST_DEVICES
from grader.values.arrays import Array
from grader.values.decode import Real
from grader.values.places import MOST_NUMBERS_READ, FoundPlace, PlaceKind
from grader.where.steps import WITHOUT_DERIVATIVES, Occurring, Packed, Steps, unpacked
from grader.where.trial import Budget, Site, Trial

MOST_PLACES = 2
"""The most places that are told together."""

MOST_VALUES_OF_A_PLACE = 1 << 18
"""The most values of one place."""

MOST_EVALUATIONS = 100_000
"""The most evaluations of one expression (see `grader.program.operations.MOST_STEPS`)."""

_OPERATION = re.compile(r"[a-z][\w-]{0,59}")
_STEP = re.compile(r"(\d{1,6}:\d{1,6}:[a-z][\w-]{0,59}:(literal)?\d{1,4}:\d{1,4})?")


def find_places(
    programs: Sequence[tuple[Program, Mapping[str, Array]]],
    steps: Packed,
    due: Sequence[Array],
    allowed: Sequence[Array],
    *,
    part: float,
    together: bool,
) -> tuple[FoundPlace, ...]:
    """What the search finds; nothing if the steps are none. It runs in the evaluator.

    Args:
        programs: those of all cases, with the draws that are known.
        due, allowed: the right values of each case of the steps, and how far each value may be from them, both in one
            dimension.
        part: of the time that a search may take.
        together: whether two places that are wrong together are looked for, if no one place is found.
    """
    from grader.where.search import locate, of_part
    from grader.where.trial import SearchCase

    try:
        asked = zip(steps.cases, due, allowed, unpacked(steps.data), strict=True)
        cases = [SearchCase(*programs[index], values, bounds, *_without(made)) for index, values, bounds, made in asked]
        with quiet():
            listed = locate(cases, of_part(part), together=together)
    except Exception:  # a program that nobody trusts may make the search fail in any way: it finds nothing then
        return ()
    return tuple(
        replace(place, case=steps.cases[place.case], yours=np.asarray(place.yours), needed=np.asarray(place.needed))
        for place in listed
    )


def _without(steps: Steps) -> tuple[Steps, Array | None]:
    """The steps of a case, and which of the results depend on no derivative; None where the reference takes none."""
    made = dict(steps)
    mask = made.pop(WITHOUT_DERIVATIVES, None)
    return made, None if mask is None else mask[0]


def believed_places(listed: Sequence[FoundPlace], cases: Sequence[int], text: str) -> bool:
    """Whether places can be what a search finds: each stands in the text of the answer, and is of bounded size.

    Args:
        cases: those that were asked about.
    """
    lines = text.encode("utf-8", "surrogatepass").splitlines()
    return len(listed) <= MOST_PLACES and all(_place_fits(place, cases, lines) for place in listed)


def _place_fits(found: FoundPlace, cases: Sequence[int], lines: Sequence[bytes]) -> bool:
    yours, needed = found.yours, found.needed
    # Without a number of an evaluation, the first axis counts all of them.
    several = found.rounds != 1 and not yours.shape[:1] == needed.shape[:1] == (found.rounds,)
    return bool(
        found.kind is not PlaceKind.HIDDEN
        and found.place.stands_in(lines)
        and _OPERATION.fullmatch(found.operation)
        and _STEP.fullmatch(found.step)
        and len(found.numbers) <= MOST_NUMBERS_READ
        and 0 <= found.devices <= MOST_DEVICES
        and (found.argument == (0, 0) or 0 <= found.argument[0] < found.argument[1])
        and len(found.traced) <= len(lines)
        and found.case in cases
        and 0 <= found.evaluation <= found.rounds
        and 1 <= found.rounds <= MOST_EVALUATIONS
        and (found.evaluation > 0 or not (found.alone or several))
        # The shapes may differ: a sum along another axis, a value that is spread only where it is used.
        and all(array.size <= MOST_VALUES_OF_A_PLACE and array.dtype.kind in "fiubc" for array in (yours, needed))
    )


WORK, SECONDS = 1e7, 10.0
"""The work of one walk, about in microseconds, and the most seconds of processor time."""

MOST_EXPRESSIONS = 500
"""The most expressions that are told."""

MOST_VALUES_OF_A_LINE = 32
"""The most values of one expression that are told."""


@dataclass(frozen=True)
class Made:
    """What one expression of an answer makes.

    Attributes:
        place: where it stands.
        count: how often it is evaluated, as far as that is known.
        dtype: by a name of `grader.program.data.DTYPES`; "key" for PRNG keys.
        shape: of the last evaluation, as the range and the values.
        low, high: the least and the greatest value; None where there is none.
        values: the first values.
        occurs: whether the reference computes these values too; None if that is not known, or if all values are equal.
        doubted: whether it does not, although it computes all that the expression reads.
    """

    place: Place
    count: int
    dtype: str
    shape: tuple[int, ...]
    low: Real | None
    high: Real | None
    values: tuple[Real, ...]
    occurs: bool | None
    doubted: bool


def values_of_lines(program: Program, draws: Mapping[str, Array], steps: Packed | None, case: int) -> tuple[Made, ...]:
    """What each expression makes, in the order of the first evaluation; nothing if it is too much work.

    It runs in the evaluator.

    Args:
        draws: those that are known.
        steps: those of the reference; None if they are not to be compared.
        case: the case of the problem that the program is for.
    """
    try:
        at = steps.cases.index(case) if steps is not None and case in steps.cases else -1
        known = Occurring(unpacked(steps.data)[at]) if steps is not None and at >= 0 else None
        trial = Trial(program, draws, Budget(WORK, SECONDS))
        rows = (_row(trial, sites, known) for sites in _by_place(trial).values())
        return tuple(itertools.islice(rows, MOST_EXPRESSIONS))
    except Exception:  # a program that nobody trusts may make the walk fail in any way: there are no lines then
        return ()


def _by_place(trial: Trial) -> dict[Any, list[Site]]:
    found: dict[Any, list[Site]] = {}
    for site, made in trial.made.items():
        if made[-1]:
            found.setdefault(site.place, []).append(site)
    return found


def _row(trial: Trial, sites: Sequence[Site], known: Occurring | None) -> Made:
    """The value of an expression: the last one that is read elsewhere, or is a result.

    In an expression that nothing uses, it is the one that most of the others go into.

    What a backward pass makes at the place of the expression is no value of it, nor what that alone reads.
    """
    place = sites[0].place
    sites = [site for site in sites if not site.backward] or sites
    outputs = [(site, at) for site in sites for at in range(len(trial.made[site][-1]))]

    def leaves(site: Site, at: int) -> bool:
        value = trial.made[site][-1][at]
        return trial.leaves(place, [value]) and (site.backward or not trial.is_slope(place, value))

    left = [output for output in outputs if leaves(*output)]
    site, at = left[-1] if left else max(outputs, key=lambda output: trial.ancestors(place, output[0], -1))
    evaluations = trial.made[site]
    value, form = evaluations[-1][at], trial.equations[site][-1].forms[at]
    plain = form.dtype != "key" and value.dtype.kind in "fiub"
    wide = value.astype(np.float64).reshape(-1) if plain else np.zeros(0)
    finite = wide[~np.isnan(wide)]
    told = known if plain and wide.size and not bool(np.all(wide == wide[0])) else None
    occurs = None if told is None else all(told.holds(made[at]) for made in evaluations if at < len(made))
    expression = trial.expressions[place]
    own = {id(input_) for other in sites for inputs in trial.inputs[other] for input_ in inputs}
    read = [array for key, array in expression.read.items() if key not in expression.made and key in own]
    doubted = told is not None and not occurs and all(map(told.holds, read))
    return Made(
        place,
        # One evaluation may make several values with one operation.
        count=min(len(trial.made[site]) for site in sites),
        dtype=form.dtype,
        shape=value.shape,
        low=float(finite.min()) if finite.size else None,
        high=float(finite.max()) if finite.size else None,
        values=tuple(float(element) for element in wide[:MOST_VALUES_OF_A_LINE]),
        occurs=occurs,
        doubted=doubted,
    )


def believed_lines(listed: Sequence[Made], text: str) -> bool:
    """Whether rows can be what lines make: each stands in the text of the answer, and is of bounded size."""
    source = text.encode("utf-8", "surrogatepass").splitlines()
    return len(listed) <= MOST_EXPRESSIONS and all(_line_fits(made, source) for made in listed)


def _line_fits(made: Made, lines: Sequence[bytes]) -> bool:
    sizes = made.count, *made.shape
    return (
        made.place.stands_in(lines)
        and made.dtype in DTYPES
        and len(made.values) <= MOST_VALUES_OF_A_LINE
        and all(size >= 0 for size in sizes)
        and len(made.shape) <= MOST_AXES
        and math.prod(made.shape) < 1 << 40
    )
