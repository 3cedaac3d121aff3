"""A place of a verdict, for tests that need one."""

from __future__ import annotations

from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from grader.marking.verdict import PlaceProof, PlaceValues, Span, ValueBlock, Where
from grader.values.places import PlaceKind, Reads

BLOCK = ValueBlock(((0.5,),), ((1.0,),), "real")


def place(line: int, column: int, end_line: int, end_column: int, *text: str, **fields: Any) -> Where:
    """A place at which one value is wrong, on the one case that there is, unless `fields` say otherwise."""
    usual = Where(
        Span(line, column, end_line, end_column, text),
        PlaceKind.VALUE,
        "mul",
        "",
        "",
        PlaceValues(0, 1, 0, inner=False, shape=(1,), needed=(1,), block=BLOCK),
        PlaceProof(1, 1, 1, onward=True),
        Reads.RIGHT,
        fixable=True,
    )
    return changed(usual, **fields)


def changed(place: Where, **fields: Any) -> Where:
    """A place with other fields, which may be those of its parts."""
    for part in ("span", "values", "proof", "repair"):
        own = {field.name for field in fields_of(getattr(place, part))} & fields.keys()
        fields[part] = replace(getattr(place, part), **{name: fields.pop(name) for name in own})
    return replace(place, **fields)
