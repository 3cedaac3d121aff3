"""The question where a program goes wrong: how it is asked, how the evaluator answers it, and what of that is believed.

The evaluator works on data of an answer that nobody trusts, so its reply is checked as such.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from typing import Any

import numpy as np

from grader.marking.expressions import Place
from grader.marking.judge import Array
from grader.marking.where import MOST_NUMBERS, Edit, Found, Kind, Reads, Relation
from grader.program.data import Program
from grader.program.rules import quiet
from grader.where.packed import Packed, unpacked

MOST_PLACES = 2
"""The most places that are told together."""
LARGEST = 1 << 18
"""The most values of one place."""
MOST_ROUNDS = 100_000
"""The most evaluations of one expression (see `grader.program.limits.MOST_STEPS`)."""

_OF_PLACE = tuple(one.name for one in fields(Place))
_FIELDS = frozenset(one.name for one in fields(Found)) - {"yours", "needed", "place"} | {*_OF_PLACE}
_TEXTS = {
    "operation": re.compile(r"[a-z][\w-]{0,59}"),
    "step": re.compile(r"(\d{1,6}:\d{1,6}:[a-z][\w-]{0,59}:(literal)?\d{1,4}:\d{1,4})?"),
}
_WORDS: Mapping[str, type[StrEnum]] = {"kind": Kind, "reads": Reads, "related": Relation, "change": Edit}
_COUNTS = ("case", "rounds", "evaluation", *_OF_PLACE)
_TRUTHS = ("alone", "inner", "table")


def question(
    steps: Packed, due: Sequence[Array], allowed: Sequence[Array], part: float
) -> tuple[dict[str, Any], list[Array]]:
    """The question as a header and arrays.

    Args:
        due, allowed: the right values of every case, and how far each value may be from them, both in one dimension.
        part: of the time that a search may take.
    """
    values = [one[case] for case in steps.cases for one in (due, allowed)]
    return {"ask": "where", "cases": list(steps.cases), "part": part}, [np.frombuffer(steps.data, np.uint8), *values]


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
            found = locate(cases, of_part(header["part"]))
    except Exception:  # a program that nobody trusts may make the search fail in any way: it finds nothing then
        found = []
    listed = [
        {name: value for name, value in {**vars(one), **vars(one.place)}.items() if name in _FIELDS}
        | {"case": header["cases"][one.case]}
        for one in found
    ]
    return {"found": listed}, [array for one in found for array in (one.yours, one.needed)]


def located(header: Mapping[str, Any], arrays: Sequence[Array], cases: Sequence[int], text: str) -> list[Found]:
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


def _place(one: Any, yours: Array, needed: Array, cases: Sequence[int], lines: Sequence[bytes]) -> Found:
    _require(isinstance(one, dict) and one.keys() == _FIELDS)
    _require(all(isinstance(one[name], str) and pattern.fullmatch(one[name]) for name, pattern in _TEXTS.items()))
    _require(all(type(one[name]) is bool for name in _TRUTHS))
    _require(all(type(one[name]) is int and one[name] >= 0 for name in _COUNTS))
    _require(all(one[name] in (*words, None) for name, words in _WORDS.items()))
    _require(bool(one["kind"] and one["reads"]))
    numbers, traced = one["numbers"], one["traced"]
    _require(isinstance(numbers, list) and isinstance(traced, list) and len(numbers) <= MOST_NUMBERS)
    _require(all(type(number) is float for number in (one["constant"], *numbers)))
    _require(len(traced) <= len(lines) and all(type(line) is int for line in traced))
    _require(1 <= one["line"] <= one["end_line"] <= len(lines))
    _require((one["line"], one["column"]) < (one["end_line"], one["end_column"]))
    _require(one["column"] <= len(lines[one["line"] - 1]) and one["end_column"] <= len(lines[one["end_line"] - 1]))
    _require(one["case"] in cases and one["evaluation"] <= one["rounds"] <= MOST_ROUNDS and one["rounds"] >= 1)
    # Without a number of an evaluation, the first axis counts all of them.
    of_all = not one["alone"] and (one["rounds"] == 1 or yours.shape[:1] == needed.shape[:1] == (one["rounds"],))
    _require(one["evaluation"] > 0 or of_all)
    # The shapes may differ: a sum along another axis, a value that is spread only where it is used.
    _require(all(array.size <= LARGEST and array.dtype.kind in "fiubc" for array in (yours, needed)))
    known = {
        **{name: None if one[name] is None else words(one[name]) for name, words in _WORDS.items()},
        "numbers": tuple(numbers),
        "traced": tuple(traced),
        "place": Place(*(one[name] for name in _OF_PLACE)),
    }
    rest = {name: value for name, value in one.items() if name not in _OF_PLACE and name not in known}
    return Found(**known, **rest, yours=yours, needed=needed)


def _require(fits: bool) -> None:
    if not fits:
        raise ValueError("this is no place")
