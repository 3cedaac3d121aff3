"""The JSON document of a verdict of a gradebook, with the cells of the notebook that a student's answer was taken from."""

from __future__ import annotations

from typing import Any

from grader.kit.notebook_verdict import Origin, placed
from grader.marking.verdict import Raised, Status, Verdict
from grader.values.message import Line, Lines, Message

Document = dict[str, Any]


def placed_document(told: Document, origin: Origin) -> Document:
    """A document at full feedback with cells. It has no note on several definitions: a rule of points may count insights."""
    changes: Document = {
        "where": [_with_cells(_at_cell(place, origin), "message", origin) for place in told["where"]],
        "insights": [_with_cells(insight, "message", origin) for insight in told["insights"]],
        "mistakes": [_with_cells(mistake, "why", origin) for mistake in told["mistakes"]],
    }
    if (raised := told["raised"]) is not None:
        advice = Raised(raised["type"], raised["message"], (), Message(raised["advice"]))
        of_cells = placed(Verdict("", Status.ERROR, Message(""), raised=advice), origin).raised
        assert of_cells is not None
        frames = [_at_cell(frame, origin) for frame in raised["frames"]]
        changes["raised"] = {**raised, "message": of_cells.message, "frames": frames, "advice": str(of_cells.advice)}
    if (ran := told["stopped_at"]) is not None:
        changes["stopped_at"] = _at_cell(ran, origin)
    return {**told, **changes}


def _at_cell(place: Document, origin: Origin) -> Document:
    """A frame or a place with the number of its line in its cell."""
    first = origin.line(Line(place["line"]))
    end = {"end_line": first.number + place["end_line"] - place["line"]} if "end_line" in place else {}
    return {**place, "line": first.number, "cell": first.cell or None, **end}


def _with_cells(told: Document, name: str, origin: Origin) -> Document:
    """A text with cells in the place of the lines that it tells."""
    done, rest = "", told[name] or ""
    placed_lines: list[Lines] = []
    for lines in told["lines"]:
        before = Lines(tuple(Line(line["line"]) for line in lines))
        placed_lines.append(Lines(tuple(map(origin.line, before.lines))))
        said, now = str(before), str(placed_lines[-1])
        if (start := rest.lower().find(said)) >= 0:
            now = now if rest[start].islower() else now[0].upper() + now[1:]
            done, rest = done + rest[:start] + now, rest[start + len(said) :]
    cells = [[{"line": line.number, "cell": line.cell or None} for line in each.lines] for each in placed_lines]
    return {**told, "lines": cells, name: done + rest if told[name] is not None else None}
