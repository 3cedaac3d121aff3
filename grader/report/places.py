"""The places of a mistake for people: the lines, the expression underlined, its values beside those that are needed."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from rich.text import Text

from grader.kit.text import clean, number, plain
from grader.locale.language import N_, gettext, ngettext, pgettext
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

BEYOND = 3
"""Blanks before values, beyond those of a line's number."""
GAP = 4
"""Columns between two blocks of values."""
NOTHING = 1e-9
"""A number that is no larger may be shown as 0."""


_REPAIRED = {
    Edit.CONSTANT: N_("With another number in place of `{code}`, {right}."),
    Edit.OPERATION: N_("With another operation in place of `{code}`, {right}."),
    Edit.DROPPED: N_("Without `{code}`, {right}."),
    Edit.OPERANDS: N_("With the operands of `{code}` in another order, {right}."),
    Edit.CHOICES: N_("With the two choices of `{code}` exchanged, {right}."),
    Edit.START: N_("With another start value in `{code}`, {right}."),
    Edit.AXES_OF_OPERAND: N_("With the axes of one operand of `{code}` in another order, {right}."),
    Edit.AXIS: N_("With another axis of `{code}`, {right}."),
}
"""`{right}` is a clause: "all 6 cases are right"."""
_REPAIRED_ON = {
    Edit.CONSTANT: N_("with another number in place of `{code}` on {line}"),
    Edit.OPERATION: N_("with another operation in place of `{code}` on {line}"),
    Edit.DROPPED: N_("without `{code}` on {line}"),
    Edit.OPERANDS: N_("with the operands of `{code}` in another order on {line}"),
    Edit.CHOICES: N_("with the two choices of `{code}` exchanged on {line}"),
    Edit.START: N_("with another start value in `{code}` on {line}"),
    Edit.AXES_OF_OPERAND: N_("with the axes of one operand of `{code}` in another order on {line}"),
    Edit.AXIS: N_("with another axis of `{code}` on {line}"),
    None: N_("with the values needed on {line}"),
}
"""The changes of two places that are proven together: they become `{changes}` of one sentence."""
_RELATED = {
    Relation.INVERSE: N_("Each value needed is 1 divided by yours."),
    Relation.NEGATED: N_("Each value needed is yours with the other sign."),
    Relation.SQUARE: N_("Each value needed is the square of yours."),
    Relation.ROOT: N_("Each value needed is the square root of yours."),
    Relation.TWICE: N_("Each value needed is twice yours."),
    Relation.HALF: N_("Each value needed is half of yours."),
    Relation.COMPLEMENT: N_("Each value needed is 1 minus yours."),
    Relation.REORDERED: N_("The values needed are yours in another order."),
}


def heading(where: Sequence[Where], *, explained: bool) -> str:
    """The sentence before the places. `explained` says whether named mistakes stand before it.

    What cannot be fixed at a place is not said to be: the mistake may stand on a line before, or in a call.
    """
    several, fixable = len(where) > 1, all(one.fixable for one in where)
    if fixable and explained:
        return gettext("It can be fixed at these places:") if several else gettext("It can be fixed here:")
    if fixable:
        return gettext("But it can be fixed at these places:") if several else gettext("But it can be fixed here:")
    if several:
        return gettext("The mistakes are at these places, or in what goes in there:")
    if where[0].onward:
        return gettext("From here on it is right. The mistake is at or before this line:")
    return gettext("The mistake is here, or in what goes in here:")


def messages(where: Sequence[Where]) -> list[str]:
    """What is said below each place. What is proven of all places together is said once, below the last."""
    own = [" ".join(_said(one)) for one in where]
    if len(where) < 2:
        return own
    if any(map(_repaired, where)):
        together = gettext("{changes}, {right}.")
    elif where[0].kind is Kind.HIDDEN:
        together = gettext("With other values at both places, {right}.")
    else:
        together = gettext("With the values needed at both places, {right}.")
    changes = listed(
        gettext(_REPAIRED_ON[_repaired(one)]).format(code=one.written, line=in_lines([Line(one.line, one.cell)]))
        for one in where
    )
    together = together.format(changes=changes[:1].upper() + changes[1:], right=_right(where[-1]))
    return [*own[:-1], f"{together} {own[-1]}".strip()]


def lines_of_messages(where: Sequence[Where]) -> list[ToldLines]:
    """The lines that each of the `messages` tells, in its order."""
    own = [
        tuple(
            filter(None, (tuple(dict.fromkeys(other.line for other in one.computed)), one.calls if one.helper else ()))
        )
        for one in where
    ]
    if len(where) < 2 or not any(map(_repaired, where)):
        return own
    return [*own[:-1], (*((Line(one.line, one.cell),) for one in where), *own[-1])]


def _repaired(where: Where) -> Edit | None:
    """What a repair changes; None for a value."""
    return where.change if where.kind is Kind.REPAIR else None


def _said(where: Where) -> Iterator[str]:
    """The sentences of one place."""
    if where.of == VALUE_ALONE:
        yield gettext("This is about the value alone, and not about its derivative.")
    elif where.of:
        yield gettext("This is in the derivative with respect to `{parameter}`.").format(parameter=where.of)
    if where.places == 1:
        edit = _repaired(where)
        yield (gettext(_REPAIRED[edit]) if edit else _with_other_values(where)).format(
            code=where.written,
            right=_right(where),
            run=where.alone,
            runs=where.rounds,
            needed=where.needed,
            shape=where.shape,
        )
    if where.relation is not None:
        yield gettext(_RELATED[where.relation])
    if where.computed:
        named = [f"`{one.name}`" if one.value is None else f"`{one.name}` = {one.value:.6g}" for one in where.computed]
        yield ngettext(
            "It reads {names}, computed on {lines}.", "It reads {names}, computed on {lines}.", len(named)
        ).format(names=listed(named), lines=in_lines(dict.fromkeys(one.line for one in where.computed)))
    if where.helper:
        called = gettext("`{function}` is called on {lines}: the mistake may also be there.")
        yield called.format(function=where.helper, lines=in_lines(where.calls))


def _with_other_values(where: Where) -> str:
    """The sentence on what other values prove, with its fields. `{right}` is a clause: "all 6 cases are right"."""
    match where.kind is Kind.HIDDEN, where.inner, bool(where.alone), where.needed != where.shape:
        case True, False, False, _:
            return gettext("With other values here, {right}.")
        case True, False, True, _:
            return gettext("With other values here in run {run} of {runs}, {right}.")
        case True, True, False, _:
            return gettext("With other values inside this expression, {right}.")
        case True, True, True, _:
            return gettext("With other values inside this expression in run {run} of {runs}, {right}.")
        case _, False, False, False:
            return gettext("With the values needed here, {right}.")
        case _, False, False, True:
            return gettext("With the values needed here, of shape {needed} and not {shape}, {right}.")
        case _, False, True, False:
            return gettext("With the values needed here in run {run} of {runs}, {right}.")
        case _, False, True, True:
            return gettext(
                "With the values needed here in run {run} of {runs}, of shape {needed} and not {shape}, {right}."
            )
        case _, True, False, False:
            return gettext("With the values needed inside this expression, {right}.")
        case _, True, False, True:
            return gettext("With the values needed inside this expression, of shape {needed} and not {shape}, {right}.")
        case _, True, True, False:
            return gettext("With the values needed inside this expression in run {run} of {runs}, {right}.")
        case _:
            return gettext(
                "With the values needed inside this expression in run {run} of {runs}, of shape {needed} and not {shape}, "
                "{right}."
            )


def _right(where: Where) -> str:
    """On which cases it is proven: a clause of a sentence, after what is changed."""
    if where.proven < where.cases:
        return ngettext(
            "the {proven} of {count} cases that were tried are right",
            "the {proven} of {count} cases that were tried are right",
            where.proven,
        ).format(proven=where.proven, count=where.cases)
    return ngettext("the case is right", "all {count} cases are right", where.cases).format(count=where.cases)


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
        cell = gettext("cell {cell}").format(cell=where.cell)
        yield Text(" " * INDENT + (cell if unicode else plain(cell)), "dim")
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
    return gettext("Where is this expression true, and where should it be?") if masked else ""


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
    name, block = clean(where.name).strip(), where.block
    if where.inner:
        title = gettext("inside it, `{operation}` of shape {shape}")
    else:
        title = gettext("{name} of shape {shape}") if name else gettext("of shape {shape}")
    titles = [title.format(operation=where.operation, name=name, shape=where.shape)]
    if block.part:
        titles.append(gettext("part {part}").format(part=block.part))
    if block.evaluation:
        titles.append(gettext("run {run} of {runs}").format(run=block.evaluation, runs=where.rounds))
    if case:
        titles.append(gettext("at {case}").format(case=case))
    return ", ".join(titles)


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
    return [pgettext("values", "yours"), *yours], [pgettext("values", "needed"), *needed]


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
