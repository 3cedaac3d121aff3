"""The places of a mistake for people: the lines, the expression underlined, its values beside those that are needed."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from rich.text import Text

from grader.kit.text import clean, number, plain
from grader.locale.language import gettext, pgettext
from grader.marking.verdict import CaseResult, ValueBlock, Where, smallest_failing
from grader.report.source import INDENT, source
from grader.values.message import Line, Lines, Message, message, plural_message, sentences
from grader.values.places import NO_DERIVATIVES, VALUE_ALONE, Edit, PlaceKind, Relation
from grader.values.relations import differing

BEYOND = 3
"""Blanks before values, beyond those of a line's number."""
GAP = 4
"""Columns between two blocks of values."""
UNTOLD = "·"
"""What stands for a value that is not told."""
MOST_BESIDE = 6
"""The most values that stand beside a line of an editor."""
NOTHING = 1e-9
"""A number that is no larger may be shown as 0."""

_REPAIRED = {
    Edit.CONSTANT: message("With another number in place of `{code}`, {right}."),
    Edit.OPERATION: message("With another operation in place of `{code}`, {right}."),
    Edit.DROPPED: message("Without `{code}`, {right}."),
    Edit.OPERANDS: message("With the operands of `{code}` in another order, {right}."),
    Edit.CHOICES: message("With the two choices of `{code}` exchanged, {right}."),
    Edit.START: message("With another start value in `{code}`, {right}."),
    Edit.AXES_OF_OPERAND: message("With the axes of one operand of `{code}` in another order, {right}."),
    Edit.AXIS: message("With another axis of `{code}`, {right}."),
    Edit.SPEC: message("With another spec in place of `{code}`, {right}."),
    Edit.MESH_AXES: message("With other axes of the mesh in `{code}`, {right}."),
    Edit.PAIRS: message("With sender and receiver exchanged in `{code}`, {right}."),
}
"""`{right}` is a clause: "all 6 cases are right"."""
_REPAIRED_ON = {
    Edit.CONSTANT: message("with another number in place of `{code}` on {line}"),
    Edit.OPERATION: message("with another operation in place of `{code}` on {line}"),
    Edit.DROPPED: message("without `{code}` on {line}"),
    Edit.OPERANDS: message("with the operands of `{code}` in another order on {line}"),
    Edit.CHOICES: message("with the two choices of `{code}` exchanged on {line}"),
    Edit.START: message("with another start value in `{code}` on {line}"),
    Edit.AXES_OF_OPERAND: message("with the axes of one operand of `{code}` in another order on {line}"),
    Edit.AXIS: message("with another axis of `{code}` on {line}"),
    Edit.SPEC: message("with another spec in place of `{code}` on {line}"),
    Edit.MESH_AXES: message("with other axes of the mesh in `{code}` on {line}"),
    Edit.PAIRS: message("with sender and receiver exchanged in `{code}` on {line}"),
    None: message("with the values needed on {line}"),
}
"""The changes of two places that are proven together: they become `{changes}` of one sentence."""
_RELATED = {
    Relation.INVERSE: message("Each value needed is 1 divided by yours."),
    Relation.NEGATED: message("Each value needed is yours with the other sign."),
    Relation.SQUARE: message("Each value needed is the square of yours."),
    Relation.ROOT: message("Each value needed is the square root of yours."),
    Relation.TWICE: message("Each value needed is twice yours."),
    Relation.HALF: message("Each value needed is half of yours."),
    Relation.COMPLEMENT: message("Each value needed is 1 minus yours."),
    Relation.REORDERED: message("The values needed are yours in another order."),
}


def heading(where: Sequence[Where], *, explained: bool) -> str:
    """The sentence before the places. `explained` says whether named mistakes stand before it.

    What cannot be fixed at a place is not said to be: the mistake may stand on a line before, or in a call.
    """
    several, fixable = len(where) > 1, all(place.fixable for place in where)
    if fixable and explained:
        return gettext("It can be fixed at these places:") if several else gettext("It can be fixed here:")
    if fixable:
        return gettext("But it can be fixed at these places:") if several else gettext("But it can be fixed here:")
    derivative = any(place.derivative for place in where)
    if several and derivative:
        return gettext("Values are wrong at these places. The mistakes may also be on other lines:")
    if several:
        return gettext("The mistakes are at these places, or in what goes in there:")
    if derivative:
        return gettext("The derivative is wrong here. The mistake may be on this line, before it or after it:")
    if where[0].proof.onward:
        return gettext("From here on it is right. The mistake is at or before this line:")
    return gettext("The mistake is here, or in what goes in here:")


def messages(where: Sequence[Where]) -> list[Message]:
    """What is said below each place. What is proven of all places together is said once, below the last."""
    own = [sentences(*_said(place)) for place in where]
    if len(where) < 2:
        return own
    right = _right(where[-1])
    if any(map(_repaired, where)):
        changes = tuple(
            _REPAIRED_ON[_repaired(place)].with_fields(
                code=place.repair.written, line=Lines((Line(place.span.line, place.span.cell),))
            )
            for place in where
        )
        together = message("{changes}, {right}.", changes=changes, right=right)
    elif where[0].kind is PlaceKind.HIDDEN:
        together = message("With other values at both places, {right}.", right=right)
    else:
        together = message("With the values needed at both places, {right}.", right=right)
    return [*own[:-1], sentences(together, own[-1])]


def _repaired(where: Where) -> Edit | None:
    """What a repair changes; None for a value."""
    return where.repair.change if where.kind is PlaceKind.REPAIR else None


def _said(where: Where) -> Iterator[Message]:
    """The sentences of number place."""
    if where.of == VALUE_ALONE:
        yield message("This is about the value alone, and not about its derivative.")
    elif where.of == NO_DERIVATIVES:
        yield message("This is about the numbers that are no derivatives.")
    elif where.of:
        yield message("This is in the derivative with respect to `{parameter}`.", parameter=where.of)
    if where.rule_of:
        yield message("This is the derivative rule of `{function}`.", function=where.rule_of)
    if where.proof.places == 1:
        yield _with_change(where).with_fields(
            code=where.repair.written,
            right=_right(where),
            run=where.values.alone,
            runs=where.values.rounds,
            needed=str(where.values.needed),
            shape=str(where.values.shape),
        )
    if where.relation is not None:
        yield _RELATED[where.relation]
    if where.computed:
        named = tuple(
            f"`{number.name}`" if number.value is None else f"`{number.name}` = {number.value:.6g}"
            for number in where.computed
        )
        yield plural_message(
            "It reads {names}, computed on {lines}.",
            "It reads {names}, computed on {lines}.",
            len(named),
            names=named,
            lines=Lines(tuple(dict.fromkeys(number.line for number in where.computed))),
        )
    if where.helper:
        called = message(
            "`{function}` is called on {lines}: the mistake may also be there.", function=where.helper.name
        )
        yield called.with_fields(lines=Lines(where.helper.calls))


def _with_change(where: Where) -> Message:
    """The sentence on what a change proves, with its fields."""
    match _repaired(where), where.values.alone:
        case None, _:
            return _with_other_values(where)
        case Edit.SPEC, run if run:
            return message("With another spec in place of `{code}` in run {run} of {runs}, {right}.")
        case edit, _:
            return _REPAIRED[edit]


def _with_other_values(where: Where) -> Message:
    """The sentence on what other values prove, with its fields. `{right}` is a clause: "all 6 cases are right"."""
    at = where.values
    match where.kind is PlaceKind.HIDDEN, at.inner, bool(at.alone), at.needed != at.shape:
        case True, False, False, _:
            return message("With other values here, {right}.")
        case True, False, True, _:
            return message("With other values here in run {run} of {runs}, {right}.")
        case True, True, False, _:
            return message("With other values inside this expression, {right}.")
        case True, True, True, _:
            return message("With other values inside this expression in run {run} of {runs}, {right}.")
        case _, False, False, False:
            return message("With the values needed here, {right}.")
        case _, False, False, True:
            return message("With the values needed here, of shape {needed} and not {shape}, {right}.")
        case _, False, True, False:
            return message("With the values needed here in run {run} of {runs}, {right}.")
        case _, False, True, True:
            return message(
                "With the values needed here in run {run} of {runs}, of shape {needed} and not {shape}, {right}."
            )
        case _, True, False, False:
            return message("With the values needed inside this expression, {right}.")
        case _, True, False, True:
            return message("With the values needed inside this expression, of shape {needed} and not {shape}, {right}.")
        case _, True, True, False:
            return message("With the values needed inside this expression in run {run} of {runs}, {right}.")
        case _:
            return message(
                "With the values needed inside this expression in run {run} of {runs}, of shape {needed} and not {shape}, "
                "{right}."
            )


def _right(where: Where) -> Message:
    """On which cases it is proven: a clause of a sentence, after what is changed."""
    part, of = where.of == NO_DERIVATIVES, where.proof
    if part and of.proven < of.cases:
        return plural_message(
            "they are right in the {count} of {cases} cases that were tried",
            "they are right in the {count} of {cases} cases that were tried",
            of.proven,
            cases=of.cases,
        )
    if part:
        return plural_message("they are right in the case", "they are right in all {count} cases", of.cases)
    if of.proven < of.cases:
        return plural_message(
            "the {count} of {cases} cases that were tried are right",
            "the {count} of {cases} cases that were tried are right",
            where.proof.proven,
            cases=where.proof.cases,
        )
    return plural_message("the case is right", "all {count} cases are right", where.proof.cases)


def case_of(where: Where, cases: Sequence[CaseResult]) -> str:
    """The arguments of the case whose values a place has; empty if a report names that case as the smallest that fails."""
    case = where.values.case
    if case >= len(cases) or case == smallest_failing(cases):
        return ""
    shared = len({one.args.get("seed") for one in cases}) == 1 and len(cases[case].args) > 1
    told = ((name, value) for name, value in cases[case].args.items() if name != "seed" or not shared)
    return ", ".join(f"{name}={value}" for name, value in told)


def rows(where: Where, cases: Sequence[CaseResult], width: int, *, unicode: bool) -> Iterator[Text]:
    """The lines of one place, each in at most `width` columns: the source, carets, and the values if they are shown.

    Args:
        cases: those of the verdict.
    """
    span = where.span
    if span.cell:
        cell = gettext("cell {cell}").format(cell=span.cell)
        yield Text(" " * INDENT + (cell if unicode else plain(cell)), "dim")
    for shown in source(span.text, span.line, span.column, span.end_column, width, unicode=unicode):
        yield Text(shown.line)
        if shown.carets:
            yield Text(shown.carets, "red")
    margin = " " * (INDENT + BEYOND)
    for line in values(where, width - len(margin), case_of(where, cases)):
        yield Text(margin + (line if unicode else plain(line)))


def question(where: Where) -> str:
    """A question that helps to find what is wrong there; empty if there is none that always fits."""
    block = where.values.block
    masked = block is not None and block.kind == "mask"
    return gettext("Where is this expression true, and where should it be?") if masked else ""


def values(where: Where, width: int, case: str = "") -> list[str]:
    """The values and those needed, in lines: side by side if they fit in a width, else one below the other.

    Args:
        case: the arguments of their case, if the reader has to be told.
    """
    block = where.values.block
    if block is None:
        return []
    title = _title(where, block, case)
    yours, needed = _columns(where, block, width)
    size = max(map(len, yours))
    beside = [f"{your:{size + GAP}}{other}" for your, other in zip(yours, needed, strict=True)]
    if max(map(len, beside)) + len(title) + GAP <= width:
        titles = [title, *[""] * (len(beside) - 1)]
        return [f"{name:{len(title) + GAP}}{row}".rstrip() for name, row in zip(titles, beside, strict=True)]
    chosen = beside if max(map(len, beside)) <= width else [*yours, *needed]
    return [*textwrap.wrap(title, width), *(row.rstrip() for row in chosen)]


def beside_line(where: Where) -> tuple[str, str]:
    """Values and those needed in a few words: of the first row in which they differ. Both are empty if none are shown."""
    block = where.values.block
    if block is None or where.derivative:  # beside a line, values are those of the line
        return "", ""
    far = differing(np.array(block.yours), np.array(block.needed))
    row = int(np.argmax(far.any(axis=1)))
    start = max(0, int(np.argmax(far[row])) - MOST_BESIDE + 1)
    shape, last = _format(block), start + MOST_BESIDE
    size = len(block.yours[row])

    def line(cells: Sequence[str]) -> str:
        return f"{'... ' if start else ''}{' '.join(cells[start:last])}{' ...' if last < size else ''}"

    yours, needed = _cells(where, block.yours[row], block.needed[row], shape)
    return line(yours), line(needed)


def _cells(
    where: Where, yours: Sequence[float], needed: Sequence[float], shape: Callable[[float], str]
) -> tuple[list[str], list[str]]:
    """A row of values and of those needed, as they are written. A derivative that is not told has a sign."""
    untold = where.of == NO_DERIVATIVES

    def cell(value: float, other: float) -> str:
        return UNTOLD if untold and math.isnan(value) and math.isnan(other) else shape(value + 0.0)

    pairs = list(zip(yours, needed, strict=True))
    return [cell(your, need) for your, need in pairs], [cell(need, your) for your, need in pairs]


def _title(where: Where, block: ValueBlock, case: str) -> str:
    """What the values are: `scores of shape (9, 3), part [2:8], run 1 of 4, at T=9`."""
    name, values = clean(where.name).strip(), where.values
    if where.derivative:
        title = gettext("in the derivative, of shape {shape}")
    elif where.repair.change is Edit.SPEC and values.devices:
        title = gettext("a part of shape {shape}")
    elif values.inner:
        title = gettext("inside it, `{operation}` of shape {shape}")
    else:
        title = gettext("{name} of shape {shape}") if name else gettext("of shape {shape}")
    titles = [title.format(operation=where.operation, name=name, shape=values.shape)]
    if block.part:
        titles.append(gettext("part {part}").format(part=block.part))
    if block.evaluation:
        titles.append(gettext("run {run} of {runs}").format(run=block.evaluation, runs=values.rounds))
    if values.devices:
        titles.append(
            gettext("on device {device} (of 0 to {last})").format(device=block.device, last=values.devices - 1)
        )
    if case:
        titles.append(gettext("at {case}").format(case=case))
    return ", ".join(titles)


def _columns(where: Where, block: ValueBlock, width: int) -> tuple[list[str], list[str]]:
    """Both blocks as lines of equal columns, each below its name."""
    shape = _format(block)
    cells = list(
        zip(*(_cells(where, *rows, shape) for rows in zip(block.yours, block.needed, strict=True)), strict=True)
    )
    size = max(len(cell) for rows in cells for row in rows for cell in row)
    count, far = len(block.yours[0]), differing(np.array(block.yours), np.array(block.needed))
    fit = max(1, (width - len("... ") - len(" ...")) // (size + 1)) if count * (size + 1) - 1 > width else count
    start = max(0, int(np.argmax(far.any(axis=0))) - fit + 1)
    before, after = "... " if start else "", " ..." if start + fit < count else ""

    def line(row: Sequence[str]) -> str:
        return f"{before}{' '.join(cell.rjust(size) for cell in row[start : start + fit])}{after}"

    yours, needed = ([line(row) for row in rows] for rows in cells)
    return [pgettext("values", "yours"), *yours], [pgettext("values", "needed"), *needed]


def _format(block: ValueBlock) -> Callable[[float], str]:
    """How a value is written: with the fewest digits that show every difference; whole numbers without a point."""
    yours, needed = np.array(block.yours), np.array(block.needed)
    finite = np.concatenate([yours, needed])
    finite = finite[np.isfinite(finite)]
    far = differing(yours, needed)
    for digits in range(0 if np.array_equal(finite, np.round(finite)) else 3, 10):

        def fixed(value: float, digits: int = digits) -> str:
            return number(value, digits)

        seen = all(float(fixed(your)) for your in (*yours[far], *needed[far]) if abs(your) > NOTHING)
        if seen and all(fixed(your) != fixed(other) for your, other in zip(yours[far], needed[far], strict=True)):
            return fixed
    return "{:.12g}".format
