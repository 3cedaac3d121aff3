"""The places of a mistake for people: the lines, the expression underlined, its values beside those that are needed."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from rich.text import Text

from grader.marking.places import (
    VALUE_ALONE,
    Block,
    Edit,
    Kind,
    Line,
    Relation,
    ToldLines,
    Where,
    in_lines,
    listed,
)
from grader.marking.relations import differing
from grader.marking.verdict import CaseResult, smallest_failing
from grader.report.source import INDENT, source
from grader.report.text import clean, number, plain

BEYOND = 3
"""Blanks before values, beyond those of a line's number."""
GAP = 4
"""Columns between two blocks of values."""
NOTHING = 1e-9
"""A number that is no larger may be shown as 0."""


_EDITS = {
    Edit.CONSTANT: "with another number in place of `{}`",
    Edit.OPERATION: "with another operation in place of `{}`",
    Edit.DROPPED: "without `{}`",
    Edit.OPERANDS: "with the operands of `{}` in another order",
    Edit.CHOICES: "with the two choices of `{}` exchanged",
    Edit.START: "with another start value in `{}`",
    Edit.AXES_OF_OPERAND: "with the axes of one operand of `{}` in another order",
    Edit.AXIS: "with another axis of `{}`",
}
_RELATED = {
    Relation.INVERSE: "Each value needed is 1 divided by yours.",
    Relation.NEGATED: "Each value needed is yours with the other sign.",
    Relation.SQUARE: "Each value needed is the square of yours.",
    Relation.ROOT: "Each value needed is the square root of yours.",
    Relation.TWICE: "Each value needed is twice yours.",
    Relation.HALF: "Each value needed is half of yours.",
    Relation.COMPLEMENT: "Each value needed is 1 minus yours.",
    Relation.REORDERED: "The values needed are yours in another order.",
}


def heading(where: Sequence[Where], *, explained: bool) -> str:
    """The sentence before the places. `explained` says whether named mistakes stand before it.

    What cannot be fixed at a place is not said to be: the mistake may stand on a line before, or in a call.
    """
    several = len(where) > 1
    if all(one.fixable for one in where):
        said = "t can be fixed at these places:" if several else "t can be fixed here:"
        return f"I{said}" if explained else f"But i{said}"
    if several:
        return "The mistakes are at these places, or in what goes in there:"
    if where[0].onward:
        return "From here on it is right. The mistake is at or before this line:"
    return "The mistake is here, or in what goes in here:"


def messages(where: Sequence[Where]) -> list[str]:
    """What is said below each place. What is proven of all places together is said once, below the last."""
    own = [" ".join(_said(one)) for one in where]
    if len(where) < 2:
        return own
    at = (in_lines([Line(one.line, one.cell)]) for one in where)
    changed = listed(
        f"{_changed(one) or 'with the values needed'} on {line}" for one, line in zip(where, at, strict=True)
    )
    if not any(map(_changed, where)):
        changed = f"with {'other values' if where[0].kind is Kind.HIDDEN else 'the values needed'} at both places"
    return [*own[:-1], f"{_sentence(changed)}, {_right(where[-1])}. {own[-1]}".strip()]


def lines_of_messages(where: Sequence[Where]) -> list[ToldLines]:
    """The lines that each of the `messages` tells, in its order."""
    own = [
        tuple(
            filter(None, (tuple(dict.fromkeys(other.line for other in one.computed)), one.calls if one.helper else ()))
        )
        for one in where
    ]
    if len(where) < 2 or not any(map(_changed, where)):
        return own
    return [*own[:-1], (*((Line(one.line, one.cell),) for one in where), *own[-1])]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _changed(where: Where) -> str:
    """What a repair changes; empty for a value."""
    return _EDITS[where.change].format(where.written) if where.kind is Kind.REPAIR and where.change else ""


def _said(where: Where) -> Iterator[str]:
    """The sentences of one place."""
    here = "inside this expression" if where.inner else "here"
    if where.of:
        alone = "about the value alone, and not about its derivative"
        yield f"This is {alone if where.of == VALUE_ALONE else f'in the derivative with respect to `{where.of}`'}."
    if where.places == 1 and (changed := _changed(where)):
        yield f"{_sentence(changed)}, {_right(where)}."
    elif where.places == 1:
        shapes = f", of shape {where.needed} and not {where.shape}" if where.needed != where.shape else ""
        others = "other values" if where.kind is Kind.HIDDEN else "the values needed"
        at = f" in run {where.alone} of {where.rounds}" if where.alone else ""
        yield f"With {others} {here}{at}{shapes}, {_right(where)}."
    if where.relation is not None:
        yield _RELATED[where.relation]
    if where.computed:
        named = (f"`{one.name}`" if one.value is None else f"`{one.name}` = {one.value:.6g}" for one in where.computed)
        yield f"It reads {listed(named)}, computed on {in_lines(dict.fromkeys(one.line for one in where.computed))}."
    if where.helper:
        yield f"`{where.helper}` is called on {in_lines(where.calls)}: the mistake may also be there."


def _right(where: Where) -> str:
    """On which cases it is proven."""
    if where.proven < where.cases:
        return f"the {where.proven} of {where.cases} cases that were tried are right"
    return f"all {where.cases} cases are right" if where.cases > 1 else "the case is right"


def case_of(where: Where, cases: Sequence[CaseResult]) -> str:
    """The arguments of the case whose values a place has; empty if a report names that case as the smallest that fails."""
    if where.case >= len(cases) or where.case == smallest_failing(cases):
        return ""
    shared = len({case.args.get("seed") for case in cases}) == 1 and len(cases[where.case].args) > 1
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
    """What the values are: `scores of shape (9, 3), part [2:8], run 1 of 4, at T=9`."""
    assert where.block is not None
    name = f"inside it, `{where.operation}`" if where.inner else clean(where.name)
    title = f"{name} of shape {where.shape}".strip()
    title = f"{title}, part {where.block.part}" if where.block.part else title
    again = where.block.evaluation
    title = f"{title}, run {again} of {where.rounds}" if again else title
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

        seen = all(float(fixed(one)) for one in (*yours[far], *needed[far]) if abs(one) > NOTHING)
        if seen and all(fixed(one) != fixed(other) for one, other in zip(yours[far], needed[far], strict=True)):
            return fixed
    return "{:.12g}".format
