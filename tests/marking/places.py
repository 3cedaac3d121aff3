"""A place of a verdict, for tests that need one."""

from __future__ import annotations

from typing import Any

from grader.marking.verdict import ValueBlock, Where
from grader.values.places import PlaceKind, Reads

BLOCK = ValueBlock(((0.5,),), ((1.0,),), "real")


def place(line: int, column: int, end_line: int, end_column: int, *text: str, **fields: Any) -> Where:
    """A place at which one value is wrong, on the one case that there is, unless `fields` say otherwise."""
    usual = {
        **{
            "kind": PlaceKind.VALUE,
            "operation": "mul",
            "step": "",
            "name": "",
            "case": 0,
            "proven": 1,
            "cases": 1,
            "places": 1,
        },
        **{
            "rounds": 1,
            "alone": 0,
            "inner": False,
            "shape": (1,),
            "needed": (1,),
            "block": BLOCK,
            "reads": Reads.RIGHT,
        },
        **{"fixable": True, "onward": True},
    }
    return Where(line, column, end_line, end_column, text, **{**usual, **fields})
