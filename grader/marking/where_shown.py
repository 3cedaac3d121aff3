"""The place of a mistake, as a verdict tells it. NumPy only."""

from __future__ import annotations

from dataclasses import dataclass

from grader.marking.judge import Array
from grader.marking.verdict import Where


@dataclass(frozen=True)
class Located:
    """A place that was found and proven: the fields of `grader.where.found.Found`, with the place as four numbers.

    Lines count from 1, columns count bytes of UTF-8 from 0.
    """

    kind: str
    line: int
    column: int
    end_line: int
    end_column: int
    operation: str
    step: str
    case: int
    rounds: int
    yours: Array
    needed: Array
    changed: str = ""


def shown(found: Located, text: str, *, cases: int, of: int, places: int, derivative: str) -> Where | None:
    """What a verdict says of a place; None if its lines are not in the text.

    Args:
        cases: on how many cases it was proven, `of` all.
        places: how many were found together.
        derivative: the parameter of the derivative whose program it is in; empty for the program of the value.
    """
    lines = text.splitlines()
    if not 1 <= found.line <= found.end_line <= len(lines):
        return None
    message = f"With the values needed here, all {of} cases come out right: what follows this line is right."
    first, last = lines[found.line - 1].encode(), lines[found.end_line - 1].encode()
    return Where(
        found.line,
        len(first[: found.column].decode(errors="replace")),
        found.end_line,
        len(last[: found.end_column].decode(errors="replace")),
        tuple(lines[found.line - 1 : found.end_line]),
        found.kind,
        found.operation,
        found.step,
        "",
        found.case,
        found.rounds,
        found.yours.shape,
        found.changed,
        None,
        message,
    )
