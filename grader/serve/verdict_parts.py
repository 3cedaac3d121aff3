"""What the window shows of a verdict beside its report: marks in the editor, the cases, what the answer printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.kit.text import clean
from grader.marking.verdict import Frame, Verdict
from grader.report import places
from grader.values.places import lines_of

Document = dict[str, Any]


def marks(verdict: Verdict, text: str) -> Iterator[Document]:
    """The parts of a text that its verdict names, each with a sentence, and with values where they are known.

    Lines count from 1, and columns count characters from 0. A mark without columns is about its whole line.
    """
    lines = lines_of(text)
    if verdict.raised is not None:
        said = clean(f"{verdict.raised.kind}: {verdict.raised.message}".rstrip(": "))
        for frame in verdict.raised.frames[-1:]:
            yield {**_of_frame(frame, lines), "says": said}
    if verdict.stopped_at is not None:
        yield {**_of_frame(verdict.stopped_at, lines), "says": clean(str(verdict.message))}
    for place, message in zip(verdict.where, places.messages(verdict.where), strict=True):
        span, (yours, needed) = place.span, places.beside_line(place)
        found = {"line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column}
        said = f"{places.heading([place], explained=True).rstrip(':')}. {message}".strip()
        values = {"yours": yours, "needed": needed} if yours else {}
        yield {**found, "says": clean(said), **values}


def _of_frame(frame: Frame, lines: list[str]) -> Document:
    if frame.start >= frame.end or frame.line > len(lines):
        return {"line": frame.line}
    line = lines[frame.line - 1]
    indent = len(line) - len(line.lstrip())  # a frame has its line without
    return {
        "line": frame.line,
        "column": indent + frame.start,
        "end_line": frame.line,
        "end_column": indent + frame.end,
    }


def cases(verdict: Verdict) -> list[Document]:
    """The cases of a verdict: the arguments of each, as they are written in a call, and whether it passed.

    `called` is what tells a case from the others: a seed that all of them have does not.
    """
    failing = verdict.failing
    seeds = {case.args.get("seed") for case in verdict.cases}
    return [
        {
            "arguments": {name: str(value) for name, value in case.args.items()},
            "called": ", ".join(
                f"{name}={value}"
                for name, value in case.args.items()
                if name != "seed" or len(seeds) > 1 or len(case.args) == 1
            ),
            "passed": case.passed,
            "smallest": case is failing,
        }
        for case in verdict.cases
    ]


def printed(verdict: Verdict) -> str:
    """All that an answer printed; empty where that is withheld."""
    return clean(str(verdict.run.output)).rstrip()
