"""The question where a program goes wrong: how it is asked, how the evaluator answers it, and what of that is believed.

The evaluator works on data of an answer that nobody trusts, so its reply is checked as such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_type_hints

import numpy as np

from grader.kit.decode import Malformed, decode
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

_HINTS = {
    name: hint
    for name, hint in get_type_hints(Found, localns={"Array": Array}, include_extras=True).items()
    if name not in ("yours", "needed")  # they are sent as arrays
}
_OPERATION = re.compile(r"[a-z][\w-]{0,59}")
_STEP = re.compile(r"(\d{1,6}:\d{1,6}:[a-z][\w-]{0,59}:(literal)?\d{1,4}:\d{1,4})?")


def question(
    steps: Packed, due: Sequence[Array], allowed: Sequence[Array], *, part: float, together: bool
) -> tuple[dict[str, Any], list[Array]]:
    """The question as a header and arrays.

    Args:
        due, allowed: the right values of every case, and how far each value may be from them, both in one dimension.
        part: of the time that a search may take.
        together: whether two places that are wrong together are looked for.
    """
    values = [one[case] for case in steps.cases for one in (due, allowed)]
    header = {"ask": "where", "cases": list(steps.cases), "part": part, "together": together}
    return header, [np.frombuffer(steps.data, np.uint8), *values]


def answer(
    header: Mapping[str, Any],
    arrays: Sequence[Array],
    programs: Sequence[Program],
    draws: Sequence[Mapping[str, Array]],
) -> tuple[dict[str, Any], list[Array]]:
    """What the search finds, as a header and arrays; nothing if the question holds no steps."""
    from grader.where.case import Case
    from grader.where.search import locate, of_part

    packed, *values = arrays
    try:
        steps = unpacked(packed.tobytes())
        asked = zip(header["cases"], values[::2], values[1::2], steps, strict=True)
        cases = [Case(programs[index], draws[index], due, allowed, made) for index, due, allowed, made in asked]
        with quiet():
            found = locate(cases, of_part(header["part"]), together=header["together"])
    except Exception:  # a program that nobody trusts may make the search fail in any way: it finds nothing then
        found = []
    listed = [replace(one, case=header["cases"][one.case]) for one in found]
    told = [{name: getattr(one, name) for name in _HINTS} for one in listed]
    return {"found": told}, [array for one in found for array in (one.yours, one.needed)]


def located(header: Mapping[str, Any], arrays: Sequence[Array], cases: Sequence[int], text: str) -> list[Found]:
    """The places of a reply; each stands in the text of the answer.

    Args:
        cases: those that were asked about.

    Raises:
        Malformed: if it is no such reply.
    """
    lines = text.encode("utf-8", "surrogatepass").splitlines()
    listed = decode(list[dict[str, Any]], header.get("found"))
    if len(listed) > MOST_PLACES or len(arrays) != 2 * len(listed):
        raise Malformed("not as many arrays as places")
    return [_found(*one, cases, lines) for one in zip(listed, arrays[::2], arrays[1::2], strict=True)]


def _found(one: dict[str, Any], yours: Array, needed: Array, cases: Sequence[int], lines: Sequence[bytes]) -> Found:
    if one.keys() != _HINTS.keys():
        raise Malformed("not the names of a place")
    known = {name: decode(hint, one[name], name) for name, hint in _HINTS.items()}
    found = Found(**known, yours=yours, needed=needed)
    # Without a number of an evaluation, the first axis counts all of them.
    several = found.rounds != 1 and not yours.shape[:1] == needed.shape[:1] == (found.rounds,)
    fits = (
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
    if not fits:
        raise Malformed("this is no place")
    return found
