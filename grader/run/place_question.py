"""The question where a program goes wrong: how the evaluator answers it, and what of that is believed.

The evaluator works on data of an answer that nobody trusts, so its reply is checked as such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from grader.marking.comparison import Array
from grader.marking.places import MOST_NUMBERS_READ, Found, Kind
from grader.program.arithmetic import quiet
from grader.program.data import Program
from grader.where.packed_steps import Packed, unpacked

MOST_PLACES = 2
"""The most places that are told together."""
MOST_VALUES = 1 << 18
"""The most values of one place."""
MOST_EVALUATIONS = 100_000
"""The most evaluations of one expression (see `grader.program.limits.MOST_STEPS`)."""

_OPERATION = re.compile(r"[a-z][\w-]{0,59}")
_STEP = re.compile(r"(\d{1,6}:\d{1,6}:[a-z][\w-]{0,59}:(literal)?\d{1,4}:\d{1,4})?")


def found(
    programs: Sequence[tuple[Program, Mapping[str, Array]]],
    steps: Packed,
    due: Sequence[Array],
    allowed: Sequence[Array],
    *,
    part: float,
    together: bool,
) -> tuple[Found, ...]:
    """What the search finds; nothing if the steps are none. It runs in the evaluator.

    Args:
        programs: those of all cases, with the draws that are known.
        due, allowed: the right values of each case of the steps, and how far each value may be from them, both in one
            dimension.
        part: of the time that a search may take.
        together: whether two places that are wrong together are looked for, if no one place is found.
    """
    from grader.where.case import Case
    from grader.where.search import locate, of_part

    try:
        asked = zip(steps.cases, due, allowed, unpacked(steps.data), strict=True)
        cases = [Case(*programs[index], values, bounds, made) for index, values, bounds, made in asked]
        with quiet():
            listed = locate(cases, of_part(part), together=together)
    except Exception:  # a program that nobody trusts may make the search fail in any way: it finds nothing then
        return ()
    return tuple(
        replace(one, case=steps.cases[one.case], yours=np.asarray(one.yours), needed=np.asarray(one.needed))
        for one in listed
    )


def believed(listed: Sequence[Found], cases: Sequence[int], text: str) -> bool:
    """Whether places can be what a search finds: each stands in the text of the answer, and is of bounded size.

    Args:
        cases: those that were asked about.
    """
    lines = text.encode("utf-8", "surrogatepass").splitlines()
    return len(listed) <= MOST_PLACES and all(_fits(one, cases, lines) for one in listed)


def _fits(found: Found, cases: Sequence[int], lines: Sequence[bytes]) -> bool:
    yours, needed = found.yours, found.needed
    # Without a number of an evaluation, the first axis counts all of them.
    several = found.rounds != 1 and not yours.shape[:1] == needed.shape[:1] == (found.rounds,)
    return bool(
        found.kind is not Kind.HIDDEN
        and found.place.stands_in(lines)
        and _OPERATION.fullmatch(found.operation)
        and _STEP.fullmatch(found.step)
        and len(found.numbers) <= MOST_NUMBERS_READ
        and len(found.traced) <= len(lines)
        and found.case in cases
        and 0 <= found.evaluation <= found.rounds
        and 1 <= found.rounds <= MOST_EVALUATIONS
        and (found.evaluation > 0 or not (found.alone or several))
        # The shapes may differ: a sum along another axis, a value that is spread only where it is used.
        and all(array.size <= MOST_VALUES and array.dtype.kind in "fiubc" for array in (yours, needed))
    )
