"""A verdict on an answer that was taken from a notebook, told with the notebook's cells and the lines in them."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from grader.kit.decode import decode, parse
from grader.marking.error_advice import in_cells
from grader.marking.places import Line, in_lines
from grader.marking.verdict import Insight, Verdict

SEVERAL = "several-cells"
"""The insight that says which of several definitions is graded."""

_LINE = re.compile(r"\bline (\d+)\b")
"""In a sentence of Python's parser."""
_UNKNOWN = re.compile(r"name '(\w+)' is not defined")
_OF_SYNTAX = ("SyntaxError", "IndentationError", "TabError")

Told = TypeVar("Told", Verdict, dict[str, Any])


@dataclass(frozen=True)
class Origin:
    """Where a text was taken from.

    Attributes:
        places: for each line of the text, its cell and the number of the line in that cell, both from 1. The cell is 0 if
            the text was taken out of a file that has no cells.
        outside: for each name that the text needs and that is made where nothing can be taken, a sentence that says so.
        unknown: the same for each name that nothing in the notebook makes.
        note: which of several definitions was taken; empty if there is one.
    """

    places: tuple[tuple[int, int], ...]
    outside: dict[str, str]
    unknown: dict[str, str]
    note: str = ""

    def as_text(self) -> str:
        return json.dumps(asdict(self))


def origin_of(text: str) -> Origin:
    """The inverse of `Origin.as_text`.

    Raises:
        Malformed: if it is no such text.
    """
    origin: Origin = decode(Origin, parse(text.encode()))
    return origin


def placed(verdict: Told, origin: Origin) -> Told:
    """A verdict, or its JSON, with cells. What a level of feedback hid from it is still hidden."""
    changes: dict[str, Any] = {}
    if raised := _get(verdict, "raised"):
        changes["raised"] = _raised(raised, origin)
    if ran := _get(verdict, "stopped_at"):
        changes["stopped_at"] = _at_cell(ran, origin)
    changes["where"] = _many(_get(verdict, "where"), lambda one: _of_place(_at_cell(one, origin), origin))
    changes["insights"] = _many(_get(verdict, "insights"), lambda one: _with_said(one, "message", origin))
    if isinstance(verdict, dict):
        changes["mistakes"] = _many(verdict["mistakes"], lambda one: _with_said(one, "why", origin))
        return {**verdict, **changes}  # without the note: a rule of points may count insights
    named = _many(verdict.diagnosis.named, lambda one: _with_said(one, "why", origin))
    changes["diagnosis"] = replace(verdict.diagnosis, named=named)
    if origin.note:
        changes["insights"] = (*changes["insights"], Insight(SEVERAL, origin.note))
    return replace(verdict, **changes)


def _raised(raised: Any, origin: Origin) -> Any:
    # Its dataclass and its JSON name the type of the exception otherwise.
    kind, message = raised["type"] if isinstance(raised, dict) else raised.kind, str(_get(raised, "message"))
    changes: dict[str, Any] = {"frames": _many(_get(raised, "frames"), lambda one: _at_cell(one, origin))}
    if kind in _OF_SYNTAX:
        changes["message"] = _LINE.sub(lambda found: _of_python(_line(Line(int(found[1])), origin)), message)
    unknown = _UNKNOWN.match(message)
    name = unknown[1] if unknown and kind == "NameError" else ""
    advice = origin.outside.get(name) or str(_get(raised, "advice")) or origin.unknown.get(name, "")
    changes["advice"] = in_cells(advice) if any(cell for cell, _ in origin.places) else advice
    return _with(raised, **changes)


def _at_cell(one: Any, origin: Origin) -> Any:
    """A frame or a place with the number of its line in its cell."""
    line = int(_get(one, "line"))
    if not 1 <= line <= len(origin.places):
        return one
    cell, inner = origin.places[line - 1]
    changes: dict[str, Any] = {"cell": cell, "line": inner}
    if (last := _get(one, "end_line")) is not None:
        changes["end_line"] = inner + last - line
    return _with(one, **changes)


def _of_place(one: Any, origin: Origin) -> Any:
    """A place whose other lines are told with cells too: those of its message in JSON, else those that it holds."""
    if isinstance(one, dict):
        return _with_said(one, "message", origin)
    computed = tuple(replace(other, line=_line(other.line, origin)) for other in one.computed)
    return replace(one, computed=computed, calls=tuple(_line(other, origin) for other in one.calls))


def _line(line: Line, origin: Origin) -> Line:
    if not 1 <= line.number <= len(origin.places):
        return line
    cell, inner = origin.places[line.number - 1]
    return Line(inner, cell)


def _of_python(line: Line) -> str:
    """A line in a sentence of Python's, which is in English."""
    return f"cell {line.cell}, line {line.number}" if line.cell else f"line {line.number}"


def _many(rows: Any, change: Any) -> Any:
    return None if rows is None else type(rows)(change(one) for one in rows)


def _with_said(one: Any, name: str, origin: Origin) -> Any:
    """A text with cells in the place of the lines that it tells."""
    told: list[tuple[Line, ...]] = []
    done, rest = "", str(_get(one, name) or "")
    for lines in _get(one, "lines") or ():
        before = tuple(Line(line["line"]) if isinstance(line, dict) else line for line in lines)
        told.append(tuple(_line(line, origin) for line in before))
        said, now = in_lines(before), in_lines(told[-1])
        start = rest.lower().find(said)
        if start >= 0:
            now = now if rest[start].islower() else now[0].upper() + now[1:]
            done, rest = done + rest[:start] + now, rest[start + len(said) :]
    if isinstance(one, dict):
        lines = [[{"line": line.number, "cell": line.cell or None} for line in several] for several in told]
        return {**one, "lines": lines, **({name: done + rest} if one[name] else {})}
    return replace(one, lines=tuple(told), **{name: done + rest})


def _get(one: Any, name: str) -> Any:
    return one.get(name) if isinstance(one, dict) else getattr(one, name, None)


def _with(one: Any, **changes: Any) -> Any:
    return {**one, **changes} if isinstance(one, dict) else replace(one, **changes)
