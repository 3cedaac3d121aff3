"""The question where a program goes wrong: how it is asked, how the evaluator answers it, and what of that is believed.

The evaluator works on data of an answer that nobody trusts, so its reply is checked as such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.marking.judge import Array
from grader.marking.where_shown import Located
from grader.program.data import Program
from grader.program.rules import quiet
from grader.where.packed import Packed, unpacked

MOST_PLACES = 2
"""The most places that are told together."""
LARGEST = 1 << 18
"""The most values of one place."""
MOST_ROUNDS = 100_000
"""The most evaluations of one expression (see `grader.program.limits.MOST_STEPS`)."""

_FIELDS = (
    *("kind", "line", "column", "end_line", "end_column", "operation", "step", "case", "rounds", "changed"),
    *("evaluation", "alone", "inner"),
)
_OPERATION = re.compile(r"[a-z][\w-]{0,59}")
_STEP = re.compile(r"(\d{1,6}:\d{1,6}:[a-z][\w-]{0,59}:(literal)?\d{1,4}:\d{1,4})?")
_CHANGED = re.compile(r"[\x20-\x7e]{0,120}")


def question(steps: Packed, due: Sequence[Array], allowed: Sequence[Array]) -> tuple[dict[str, Any], list[Array]]:
    """The question as a header and arrays.

    Args:
        due, allowed: the right values of every case, and how far each value may be from them, both in one dimension.
    """
    values = [one[case] for case in steps.cases for one in (due, allowed)]
    return {"ask": "where", "cases": list(steps.cases)}, [np.frombuffer(steps.data, np.uint8), *values]


def answer(
    header: Mapping[str, Any],
    arrays: Sequence[Array],
    programs: Sequence[Program],
    draws: Sequence[Mapping[str, Array]],
) -> tuple[dict[str, Any], list[Array]]:
    """What the search finds, as a header and arrays; nothing if the question holds no steps."""
    from grader.where.found import Case
    from grader.where.search import locate

    packed, *values = arrays
    try:
        steps = unpacked(packed.tobytes())
        asked = zip(header["cases"], values[::2], values[1::2], steps, strict=True)
        cases = [Case(programs[index], draws[index], due, allowed, made) for index, due, allowed, made in asked]
        with quiet():
            found = locate(cases)
    except Exception:  # a program that nobody trusts may make the search fail in any way: it finds nothing then
        found = []
    listed = [
        {
            "kind": one.kind,
            **vars(one.place),
            "operation": one.operation,
            "step": one.step,
            "case": header["cases"][one.case],
            "rounds": one.rounds,
            "changed": one.changed,
            "evaluation": one.evaluation,
            "alone": one.alone,
            "inner": one.inner,
        }
        for one in found
    ]
    return {"found": listed}, [array for one in found for array in (one.yours, one.needed)]


def located(header: Mapping[str, Any], arrays: Sequence[Array], cases: Sequence[int], text: str) -> list[Located]:
    """The places of a reply; each stands in the text of the answer.

    Args:
        cases: those that were asked about.

    Raises:
        ValueError: if it is no such reply.
    """
    listed, lines = header.get("found"), text.encode("utf-8", "surrogatepass").splitlines()
    _require(isinstance(listed, list) and len(listed) <= MOST_PLACES and len(arrays) == 2 * len(listed))
    return [
        _place(one, yours, needed, cases, lines)
        for one, yours, needed in zip(listed or (), arrays[::2], arrays[1::2], strict=True)
    ]


def _place(one: Any, yours: Array, needed: Array, cases: Sequence[int], lines: Sequence[bytes]) -> Located:
    _require(isinstance(one, dict) and one.keys() == {*_FIELDS})
    line, column, end_line, end_column = (_count(one[name]) for name in _FIELDS[1:5])
    _require(1 <= line <= end_line <= len(lines) and (line, column) < (end_line, end_column))
    _require(column <= len(lines[line - 1]) and end_column <= len(lines[end_line - 1]))
    _require(_count(one["case"]) in cases and 1 <= _count(one["rounds"]) <= MOST_ROUNDS)
    _require(_count(one["evaluation"]) <= one["rounds"] and all(type(one[name]) is bool for name in ("alone", "inner")))
    of_all = not one["alone"] and (one["rounds"] == 1 or yours.shape[:1] == (one["rounds"],))
    _require(one["evaluation"] > 0 or of_all)
    _require(one["kind"] in ("value", "repair"))
    patterns = {"operation": _OPERATION, "step": _STEP, "changed": _CHANGED}
    _require(all(isinstance(one[name], str) and pattern.fullmatch(one[name]) for name, pattern in patterns.items()))
    # A repair may give another shape: a sum along another axis.
    _require(yours.shape == needed.shape or one["kind"] == "repair")
    _require(all(array.size <= LARGEST and array.dtype.kind in "fiubc" for array in (yours, needed)))
    return Located(**one, yours=yours, needed=needed)


def _count(number: Any) -> int:
    _require(type(number) is int and number >= 0)
    return number


def _require(fits: bool) -> None:
    if not fits:
        raise ValueError("this is no place")
