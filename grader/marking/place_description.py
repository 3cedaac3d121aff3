"""The place of a mistake, as a verdict tells it: its lines, its name, its values, and what is proven of it. NumPy only."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.marking.answer_text import TextDependencies, derivative_rule, differentiated, spec_of, spelling_of
from grader.marking.verdict import Computed, Helper, PlaceProof, PlaceRepair, PlaceValues, Span, ValueBlock, Where
from grader.values.arrays import EQUAL_IN_PRINT
from grader.values.places import (
    NO_DERIVATIVES,
    VALUE_ALONE,
    Edit,
    Expressions,
    FoundPlace,
    Node,
    Place,
    PlaceKind,
    Reads,
    Relation,
    place_of,
)
from grader.values.relations import differing

MOST_ROWS_SHOWN = 8

MOST_COLUMNS_SHOWN = {"mask": 16, "integer": 10, "real": 6}
"""How many rows and columns of an array are shown. The columns fit a terminal of 80 columns in most cases."""


def described_places(
    found: Sequence[FoundPlace],
    text: str,
    *,
    cases: int,
    of: int,
    derivative: str,
    value_alone: bool = False,
    mistakes: int = 0,
    given: str = "",
) -> tuple[Where, ...]:
    """What a verdict says of the places that were found together; nothing if it would say nothing of one of them.

    Args:
        text: the answer.
        given: the text that the learner began with. What its lines say is no mistake of the learner.
        cases: on how many cases they are proven, `of` all.
        derivative: the parameter of the derivative whose program they are in; empty for the program of the value.
        value_alone: whether the problem asks for a derivative too, and nothing is proven of that.
        mistakes: how many are named. Each of them has one place, or none has.
    """
    if mistakes and mistakes != len(found):
        return ()
    program = VALUE_ALONE if value_alone else derivative
    told = [
        _described(
            place, text, cases, of, len(found), NO_DERIVATIVES if place.part else program, derived=not derivative
        )
        for place in found
    ]
    own = {line.strip() for line in given.splitlines()}
    left_out = [
        where is None
        or own.issuperset(map(str.strip, where.span.text))
        or (mistakes == len(found) == 1 and _says_less(where))
        for where in told
    ]
    return () if any(left_out) else tuple(where for where in told if where is not None)


def _says_less(where: Where) -> bool:
    """Whether a place says less than a named mistake, which may also lie elsewhere."""
    match where.repair.change:
        case Edit.SPEC:
            return False
        case Edit.CONSTANT if where.reads is not Reads.RIGHT:
            return True
        case _:
            return where.values.shape != where.values.needed


def _described(
    found: FoundPlace, text: str, cases: int, of: int, places: int, program: str, *, derived: bool
) -> Where | None:
    lines, place = text.encode("utf-8", "replace").splitlines(), found.place
    derived = derived and not found.part and place.line in differentiated(text)
    if not _says_something(found, lines) or (derived and not stands_in_derivatives(found)):
        return None
    # In a derivative, an operation may be one that no line of the answer is written for.
    in_derivative = found.derivative or program not in ("", VALUE_ALONE, NO_DERIVATIVES)
    expressions = Expressions(text)
    # JAX says of the operations of a rule that they stand where its function is called.
    rule = derivative_rule(expressions, place) if in_derivative else None
    expression = None if in_derivative else expressions.at(place)
    node = expression.node if expression else None
    place, node, spelled = _written(found, expressions, node, text)
    if found.kind is PlaceKind.REPAIR and not spelled:
        if found.change is Edit.SPEC:
            return None
        found = replace(found, kind=PlaceKind.VALUE, change=None)
    elsewhere, repair = TextDependencies(expressions, frozenset(found.traced)), found.kind is PlaceKind.REPAIR
    computed = tuple(elsewhere.computed(node, found.numbers, table=found.table)) if node and not repair else ()
    helper, calls = ("", ()) if repair and not found.alone else elsewhere.calls(place.line)
    values, several = _values(found), found.rounds > 1 and found.alone
    # A change of the text changes every evaluation.
    within = not several and not _in_a_call(found, node) and not (node and elsewhere.of_others(node))
    fixable = (repair and not several) or (
        within and _reads_right(found, computed) and (not in_derivative or rule is not None)
    )
    called = elsewhere.is_called(place.line)
    if found.related is Relation.REORDERED and called and not helper and not fixable:
        return None  # who calls the function may have to put its values into another order
    return Where(
        _span(rule[1] if rule else place, lines),
        found.kind,
        found.operation,
        found.step,
        expression.name if expression and not found.inner else "",
        values,
        PlaceProof(
            cases,
            of,
            places,
            onward=cases == of
            and (found.rounds == 1 or found.alone)
            and not (derived or in_derivative)
            and values.shape == values.needed
            and not repair
            and not called,
        ),
        found.reads,
        fixable=fixable,
        repair=PlaceRepair(found.change, spelled if repair else ""),
        relation=None if repair else found.related,
        computed=computed,
        helper=Helper(helper, calls) if helper else None,
        of=program,
        derivative=in_derivative,
        rule_of=rule[0] if rule else "",
    )


def _written(
    found: FoundPlace, expressions: Expressions, node: Node | None, text: str
) -> tuple[Place, Node | None, str]:
    """Where the learner wrote what a repair changes, as an expression and as text, which is empty if it is not known."""
    if found.change is not Edit.SPEC:
        spelled = spelling_of(found.operation, node, found.change, found.constant) if found.change else ""
        return found.place, node, spelled
    spec = spec_of(expressions, found.place, found.argument, results=found.operation == "unshard")
    if spec is None:
        return found.place, node, ""
    return place_of(spec), spec, ast.get_source_segment(text, spec) or ""


def _values(found: FoundPlace) -> PlaceValues:
    stacked = found.rounds > 1 and not found.evaluation
    shape, needed = (array.shape[int(stacked) :] for array in (found.yours, found.needed))
    held = bool(found.devices) and shape[:1] == needed[:1] == (found.devices,)
    return PlaceValues(
        found.case,
        found.rounds,
        found.evaluation if found.rounds > 1 and found.alone else 0,
        found.inner,
        shape[int(held) :],
        needed[int(held) :],
        _block(found, held=held),
        found.devices if held and found.devices > 1 else 0,
    )


def _says_something(found: FoundPlace, lines: Sequence[bytes]) -> bool:
    """Whether a place is one of the lines, holds text, and has other values than those needed."""
    place = found.place
    inside = 1 <= place.line <= place.end_line <= len(lines)
    return inside and bool(_text(lines[place.line - 1 : place.end_line], place).strip()) and not _equal(found)


def _span(place: Place, lines: Sequence[bytes]) -> Span:
    """A place in characters, and its whole lines."""
    first, last = lines[place.line - 1], lines[place.end_line - 1]
    return Span(
        place.line,
        len(first[: place.column].decode(errors="replace")),
        place.end_line,
        len(last[: place.end_column].decode(errors="replace")),
        tuple(line.decode(errors="replace") for line in lines[place.line - 1 : place.end_line]),
    )


def _reads_right(found: FoundPlace, computed: Sequence[Computed]) -> bool:
    """Whether what an expression reads is as it should be."""
    turned = found.related is Relation.REORDERED
    return (found.reads is Reads.RIGHT and not computed) or (found.reads is Reads.TABLE and turned)


def _in_a_call(found: FoundPlace, node: Node | None) -> bool:
    """Whether the operation is inside a function that the expression calls, and not written in it."""
    return found.inner and not spelling_of(found.operation, node, Edit.OPERATION)


def stands_in_derivatives(found: FoundPlace) -> bool:
    """Whether a place is also told on lines that the answer differentiates.

    A constant stands in the derivative too. Another change of an operation would change the derivative, and was not tried.
    """
    return found.kind is not PlaceKind.REPAIR or (found.change is Edit.CONSTANT and not found.derivative)


def without_values(where: Where) -> Where:
    """A place without anything that was computed from an expected value."""
    return replace(
        where,
        kind=PlaceKind.HIDDEN,
        step="",
        values=replace(where.values, block=None, needed=where.values.shape),
        repair=PlaceRepair(),
        relation=None,
    )


def _text(spanned: Sequence[bytes], place: Place) -> bytes:
    if place.line == place.end_line:
        return spanned[0][place.column : place.end_column]
    return b"".join([spanned[0][place.column :], *spanned[1:-1], spanned[-1][: place.end_column]])


@np.errstate(all="ignore")
def _equal(found: FoundPlace) -> bool:
    """Whether the values needed are those that are there."""
    yours, needed = found.yours, found.needed
    return yours.shape == needed.shape and bool(
        np.allclose(yours, needed, rtol=EQUAL_IN_PRINT, atol=0.0, equal_nan=True)
    )


def _block(found: FoundPlace, *, held: bool) -> ValueBlock | None:
    """The values as rows: of the first evaluation that differs, one slice of it, around its first difference.

    Args:
        held: whether devices hold the values: those of the first device that differ are chosen.
    """
    yours, needed, evaluation = found.yours, found.needed, found.evaluation
    if yours.shape != needed.shape or not yours.size or "c" in (yours.dtype.kind, needed.dtype.kind):
        return None
    if found.rounds > 1 and not evaluation:
        first = int(np.argmax(differing(yours, needed).reshape(found.rounds, -1).any(axis=1)))
        yours, needed, evaluation = yours[first], needed[first], first + 1
    device = int(np.argmax(differing(yours, needed).reshape(len(yours), -1).any(axis=1))) if held else 0
    if held:
        yours, needed = yours[device], needed[device]
    kind = {"b": "mask", "i": "integer", "u": "integer"}.get(yours.dtype.kind, "real")
    shape = yours.shape
    index = np.unravel_index(int(np.argmax(differing(yours, needed))), shape) if shape else ()
    axes = _rows_and_columns(shape)
    cuts = [slice(int(at), int(at) + 1) for at in index]
    for axis, limit in zip(reversed(axes), (MOST_COLUMNS_SHOWN[kind], MOST_ROWS_SHOWN), strict=False):
        cuts[axis] = _window(cuts[axis].start, shape[axis], limit)
    sizes = [cuts[axis].stop - cuts[axis].start for axis in axes]
    grids = (np.atleast_2d(array[tuple(cuts)].reshape(sizes)) for array in (yours, needed))
    mine, due = (tuple(tuple(map(float, row)) for row in grid) for grid in grids)
    return ValueBlock(mine, due, kind, _part(shape, axes, cuts), evaluation, device)


def _rows_and_columns(shape: tuple[int, ...]) -> list[int]:
    """The axes that are shown as rows and columns: the last two, of those that are longer than one if there are more."""
    axes = list(range(len(shape)))
    while len(axes) > 2:
        axes.remove(next((axis for axis in axes if shape[axis] == 1), axes[0]))
    return axes


def _window(at: int, size: int, limit: int) -> slice:
    start = 0 if at < limit else min(at - 1, max(0, size - limit))
    return slice(start, min(start + limit, size))


def _part(shape: tuple[int, ...], axes: list[int], cuts: list[slice]) -> str:
    """The index that selects what is shown; empty if that is all."""
    parts: list[str] = []
    for axis, (size, cut) in enumerate(zip(shape, cuts, strict=True)):
        whole = ":" if cut == slice(0, size) else f"{cut.start}:{cut.stop}"
        parts.append(whole if axis in axes else str(cut.start))
    if all(cut == slice(0, size) for size, cut in zip(shape, cuts, strict=True)):
        return ""
    while parts[-1] == ":":
        parts.pop()
    return f"[{', '.join(parts)}]"
