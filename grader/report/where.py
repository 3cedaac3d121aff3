"""The places of a mistake for people: the lines, the expression underlined, its values beside those that are needed."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from rich.text import Text

from grader.marking.verdict import Block, CaseResult, Where
from grader.marking.where_shown import differing
from grader.report.source import INDENT, source
from grader.report.text import clean, number, plain

BEYOND = 3
"""Blanks before values, beyond those of a line's number."""
GAP = 4
"""Columns between two blocks of values."""


def heading(where: Sequence[Where], *, explained: bool) -> str:
    """The sentence before the places. `explained` says whether named mistakes stand before it."""
    if explained:
        return "It can be fixed here:" if len(where) == 1 else "It can be fixed at these places:"
    return "But it can be fixed here:" if len(where) == 1 else "But it can be fixed at these places:"


def case_of(where: Where, cases: Sequence[CaseResult]) -> str:
    """The arguments of the case whose values a place has; empty if that is the first that fails, which a report names."""
    first = next((index for index, case in enumerate(cases) if case.status != "pass"), where.case)
    if where.case == first or where.case >= len(cases):
        return ""
    shared = len({case.args.get("seed") for case in cases}) == 1 and len(cases[first].args) > 1
    told = ((name, value) for name, value in cases[where.case].args.items() if name != "seed" or not shared)
    return ", ".join(f"{name}={value}" for name, value in told)


def rows(where: Where, cases: Sequence[CaseResult], width: int, *, unicode: bool) -> Iterator[Text]:
    """The lines of one place, each in at most `width` columns: the source, carets, and the values if they are shown.

    Args:
        cases: those of the verdict.
    """
    if where.cell:
        yield Text(f"{'':{INDENT}}cell {where.cell}", "dim")
    for shown in source(where.text, where.line, where.column, where.end_column, width, unicode=unicode):
        yield Text(shown.line)
        if shown.carets:
            yield Text(shown.carets, "red")
    margin = " " * (INDENT + BEYOND)
    for line in values(where, width - len(margin), case_of(where, cases)):
        yield Text(margin + (line if unicode else plain(line)))


def question(where: Where) -> str:
    """A question that helps to find what is wrong there; empty if there is none that always fits."""
    masked = where.block is not None and where.block.kind == "mask"
    return "Where is this expression true, and where should it be?" if masked else ""


def values(where: Where, width: int, case: str = "") -> list[str]:
    """The values and those needed, in lines: side by side if they fit in a width, else one below the other.

    Args:
        case: the arguments of their case, if the reader has to be told.
    """
    if where.block is None:
        return []
    title = _title(where, case)
    yours, needed = _columns(where.block, width)
    size = max(map(len, yours))
    beside = [f"{one:{size + GAP}}{other}" for one, other in zip(yours, needed, strict=True)]
    if max(map(len, beside)) + len(title) + GAP <= width:
        titles = [title, *[""] * (len(beside) - 1)]
        return [f"{name:{len(title) + GAP}}{row}".rstrip() for name, row in zip(titles, beside, strict=True)]
    chosen = beside if max(map(len, beside)) <= width else [*yours, *needed]
    return [*textwrap.wrap(title, width), *(row.rstrip() for row in chosen)]


def _title(where: Where, case: str) -> str:
    """What the values are: `scores[2:8] of shape (9, 3), evaluation 1 of 4, at T=9`."""
    assert where.block is not None
    name = f"inside it, `{where.operation}`" if where.inner else clean(where.name)
    title = f"{name}{where.block.part} of shape {where.shape}".strip()
    again = where.block.evaluation
    title = f"{title}, evaluation {again} of {where.rounds}" if again else title
    return f"{title}, at {case}" if case else title


def _columns(block: Block, width: int) -> tuple[list[str], list[str]]:
    """Both blocks as lines of equal columns, each below its name."""
    shape = _format(block)
    cells = [[[shape(value + 0.0) for value in row] for row in rows] for rows in (block.yours, block.needed)]
    size = max(len(cell) for rows in cells for row in rows for cell in row)
    count, far = len(block.yours[0]), differing(np.array(block.yours), np.array(block.needed))
    fit = max(1, (width - len("... ") - len(" ...")) // (size + 1)) if count * (size + 1) - 1 > width else count
    start = max(0, int(np.argmax(far.any(axis=0))) - fit + 1)
    before, after = "... " if start else "", " ..." if start + fit < count else ""

    def line(row: Sequence[str]) -> str:
        return f"{before}{' '.join(cell.rjust(size) for cell in row[start : start + fit])}{after}"

    yours, needed = ([line(row) for row in rows] for rows in cells)
    return ["yours", *yours], ["needed", *needed]


def _format(block: Block) -> Callable[[float], str]:
    """How a value is written: with the fewest digits that show every difference; whole numbers without a point."""
    yours, needed = np.array(block.yours), np.array(block.needed)
    finite = np.concatenate([yours, needed])
    finite = finite[np.isfinite(finite)]
    far = differing(yours, needed)
    for digits in range(0 if np.array_equal(finite, np.round(finite)) else 3, 10):

        def fixed(value: float, digits: int = digits) -> str:
            return number(value, digits)

        if all(fixed(one) != fixed(other) for one, other in zip(yours[far], needed[far], strict=True)):
            return fixed
    return "{:.12g}".format
