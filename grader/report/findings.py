"""What a verdict says of the text of an answer, place by place: for editors, for assistants, and as one line each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from grader.kit.text import clean, folded, visible
from grader.marking.verdict import Frame, Named, Status, Verdict, Where
from grader.report import places
from grader.values.message import Line
from grader.values.places import LONGEST_TEXT, lines_of, parsed


@dataclass(frozen=True)
class Span:
    """A part of a text. Lines count from 1, and columns count characters from 0; the end is not included.

    Attributes:
        cell: in a notebook, the cell that the lines count in; elsewhere 0.
        whole_line: whether nothing is known but the line. The columns are then those of what stands on it.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    cell: int = 0
    whole_line: bool = False


@dataclass(frozen=True)
class Mark:
    """A part of a text that a verdict names, with a sentence; `place` has its values, where it is one with values."""

    span: Span
    says: str
    place: Where | None = None


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with an answer.

    Attributes:
        span: where it is; the line of `def` where a verdict does not say.
        name: that of the mistake, or of the type of the exception, else the status.
        says: a sentence, on one line.
        hint: a question that helps to find the mistake; empty where there is none.
        place: the place of the verdict, with its values; None where there is none.
    """

    span: Span
    name: str
    says: str
    hint: str = ""
    place: Where | None = None


def marks(verdict: Verdict, text: str) -> Iterator[Mark]:
    """The parts of a text that its verdict names: the line that raised, the one that was stopped, each place."""
    lines = lines_of(text)
    if verdict.raised is not None:
        said = clean(f"{verdict.raised.kind}: {verdict.raised.message}".rstrip(": "))
        for frame in verdict.raised.frames[-1:]:
            yield Mark(_of_frame(frame, lines), said)
    if verdict.stopped_at is not None:
        yield Mark(_of_frame(verdict.stopped_at, lines), clean(str(verdict.message)))
    for place, message in zip(verdict.where, places.messages(verdict.where), strict=True):
        span = place.span
        said = f"{places.heading([place], explained=True).rstrip(':')}. {message}".strip()
        yield Mark(Span(span.line, span.column, span.end_line, span.end_column, span.cell), clean(said), place)


def findings(verdict: Verdict, text: str) -> list[Finding]:
    """What is wrong with an answer: nothing if it is right, or not filled in; else at least one finding.

    A mistake that has no line of its own stands at the first place of the verdict, if these mistakes explain the answer.

    Args:
        verdict: what the level of feedback shows of it.
        text: the answer; empty for a notebook, whose lines count in cells.
    """
    if not verdict.status.failed:
        return []
    found = list(marks(verdict, text))
    if verdict.raised is not None or verdict.status is not Status.WRONG:
        return [_of_failure(verdict, found, text)]
    first = found[0] if found and verdict.diagnosis.explained else None
    told = [_of_mistake(mistake, first, verdict, text) for mistake in verdict.diagnosis.named]
    used = any(finding.place is not None for finding in told)
    rest = found[1:] if used else found
    told += [Finding(mark.span, verdict.status.value, folded(mark.says), place=mark.place) for mark in rest]
    return told or [_of_failure(verdict, [], text)]


def _of_failure(verdict: Verdict, found: list[Mark], text: str) -> Finding:
    span = found[0].span if found else def_line(verdict.problem, text)
    if verdict.raised is None:
        return Finding(span, verdict.status.value, folded(str(verdict.message)))
    said = folded(str(verdict.raised.message)) or folded(str(verdict.message))
    return Finding(span, folded(verdict.raised.kind), said, folded(str(verdict.raised.advice)))


def _of_mistake(mistake: Named, first: Mark | None, verdict: Verdict, text: str) -> Finding:
    says, hint = folded(str(mistake.why)), folded(str(mistake.hint))
    lines = [line for told in mistake.why.lines for line in told] if mistake.located else []
    if lines:
        span, place = _of_line(lines[0], lines_of(text)), None
    elif first is not None:
        span, place = first.span, first.place
    else:
        span, place = def_line(verdict.problem, text), None
    return Finding(span, mistake.name, says or hint, hint if says else "", place)


def concise(finding: Finding, file: str) -> str:
    """A finding on one line, as compilers write theirs: `FILE:LINE:COLUMN: error: NAME: SENTENCE`, columns from 1."""
    span = finding.span
    cell = f":cell {span.cell}" if span.cell else ""
    return f"{visible(file)}{cell}:{span.line}:{span.column + 1}: error: {finding.name}: {finding.says}"


def def_line(name: str, text: str) -> Span:
    """The line of the `def` of a function in a text, the last one if there are several; else the first line."""
    try:
        nodes = parsed(text).body if len(text) <= LONGEST_TEXT else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        nodes = []
    lines = [node.lineno for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name]
    return _of_line(Line(lines[-1] if lines else 1), lines_of(text))


def _of_line(line: Line, lines: list[str]) -> Span:
    text = "" if line.cell or line.number > len(lines) else lines[line.number - 1].rstrip()
    return Span(line.number, len(text) - len(text.lstrip()), line.number, len(text), line.cell, whole_line=True)


def _of_frame(frame: Frame, lines: list[str]) -> Span:
    whole = _of_line(Line(frame.line, frame.cell), lines)
    if frame.start >= frame.end or not whole.end_column:
        return whole
    indent = whole.column  # a frame has its line without
    return replace(whole, column=indent + frame.start, end_column=indent + frame.end, whole_line=False)
