"""A verdict on an answer that was taken from a notebook, told with the notebook's cells and the lines in them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from grader.marking.advice import in_cells
from grader.marking.verdict import Frame, Insight, Raised, Verdict, Where
from grader.values.decode import from_json
from grader.values.message import NO_MESSAGE, Line, Message, verbatim

SEVERAL = "several-cells"
"""The insight that says which of several definitions is graded."""

_LINE = re.compile(r"\bline (\d+)\b")
"""In a sentence of Python's parser."""

_UNKNOWN = re.compile(r"name '(\w+)' is not defined")
_OF_SYNTAX = ("SyntaxError", "IndentationError", "TabError")


@dataclass(frozen=True)
class CellOrigin:
    """Where a text was taken from.

    Attributes:
        places: for each line of the text, its cell and the number of the line in that cell, both from 1. The cell is 0 if
            the text was taken out of a file that has no cells.
        outside: for each name that the text needs and that is made where nothing can be taken, a sentence that says so.
        unknown: the same for each name that nothing in the notebook makes.
        note: which of several definitions was taken; empty if there is one.
    """

    places: tuple[tuple[int, int], ...]
    outside: dict[str, Message]
    unknown: dict[str, Message]
    note: Message = NO_MESSAGE

    def line(self, line: Line) -> Line:
        """A line of the text, as the notebook counts it; a line that the text does not have stays as it is."""
        if not 1 <= line.number <= len(self.places):
            return line
        cell, number = self.places[line.number - 1]
        return Line(number, cell)

    def as_text(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def of_text(text: str) -> CellOrigin:
        """The inverse of `as_text`. Raises Malformed if it is no such text."""
        return from_json(CellOrigin, text.encode())


def placed(verdict: Verdict, origin: CellOrigin) -> Verdict:
    """A verdict in which each line is one of the notebook. A remark says which definition counts, if there are several."""
    named = tuple(replace(mistake, why=mistake.why.with_lines(origin.line)) for mistake in verdict.diagnosis.named)
    insights = tuple(replace(insight, message=insight.message.with_lines(origin.line)) for insight in verdict.insights)
    return replace(
        verdict,
        message=verdict.message.with_lines(origin.line),
        diagnosis=replace(verdict.diagnosis, named=named),
        where=tuple(_place(place, origin.line) for place in verdict.where),
        insights=(*insights, *([Insight(SEVERAL, origin.note)] if origin.note else [])),
        raised=verdict.raised and _raised(verdict.raised, origin),
        stopped_at=verdict.stopped_at and _frame(verdict.stopped_at, origin.line),
    )


def _raised(raised: Raised, origin: CellOrigin) -> Raised:
    said = raised.message
    if raised.kind in _OF_SYNTAX:
        said = verbatim(_LINE.sub(lambda found: _of_python(origin.line(Line(int(found[1])))), str(said)))
    unknown = _UNKNOWN.match(str(said)) if raised.kind == "NameError" else None
    name = unknown[1] if unknown else ""
    advice = origin.outside.get(name) or raised.advice or origin.unknown.get(name, NO_MESSAGE)
    if any(cell for cell, _ in origin.places):
        advice = in_cells(advice)
    return replace(
        raised, message=said, frames=tuple(_frame(frame, origin.line) for frame in raised.frames), advice=advice
    )


def _frame(frame: Frame, change: Callable[[Line], Line]) -> Frame:
    line = change(Line(frame.line))
    return replace(frame, line=line.number, cell=line.cell)


def _place(place: Where, change: Callable[[Line], Line]) -> Where:
    span, helper = place.span, place.helper
    first = change(Line(span.line))
    return replace(
        place,
        span=replace(span, line=first.number, end_line=first.number + span.end_line - span.line, cell=first.cell),
        computed=tuple(replace(computed, line=change(computed.line)) for computed in place.computed),
        helper=helper and replace(helper, calls=tuple(map(change, helper.calls))),
    )


def _of_python(line: Line) -> str:
    """A line in a sentence of Python's, which is in English."""
    return f"cell {line.cell}, line {line.number}" if line.cell else f"line {line.number}"
