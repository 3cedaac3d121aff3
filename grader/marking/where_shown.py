"""The place of a mistake, as a verdict tells it: its lines, its name, its values, and what is proven of it. NumPy only."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grader.marking.differentiated import differentiated
from grader.marking.expressions import Expressions
from grader.marking.judge import Array
from grader.marking.repair_words import what_changes
from grader.marking.verdict import Block, Where

MOST_ROWS = 8
MOST_COLUMNS = {"mask": 16, "integer": 10, "real": 6}
"""How many rows and columns of an array are shown. The columns fit a terminal of 80 columns in most cases."""
SAME = 1e-6
"""Two values count as the same if they differ by no more than this part of the largest value: constants have 32 bits."""


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
    evaluation: int = 0
    alone: bool = False
    inner: bool = False


def shown(
    found: Located,
    text: str,
    *,
    cases: int,
    of: int,
    places: int,
    derivative: str,
    value_alone: bool = False,
    mistakes: int = 0,
) -> Where | None:
    """What a verdict says of a place; None if there is no expression in the text there, or if nothing is said of it.

    Beside named mistakes, a place is left out that says less than they do.

    Args:
        text: the answer.
        cases: on how many cases it is proven, `of` all.
        places: how many places were found together.
        derivative: the parameter of the derivative whose program it is in; empty for the program of the value.
        value_alone: whether the problem asks for a derivative too, and nothing is proven of that.
        mistakes: how many are named. If there are more than places, nothing is said of what follows.
    """
    lines = text.encode("utf-8", "replace").splitlines()
    span = (found.line, found.column, found.end_line, found.end_column)
    if not 1 <= found.line <= found.end_line <= len(lines) or not _text_at(lines, span).strip():
        return None
    derived = not derivative and found.line in differentiated(text)
    if (derived and not stands_in_derivatives(found.kind, found.changed)) or (
        mistakes and places == 1 and _says_less(found)
    ):
        return None
    # In the program of a derivative, an operation may be one that no line of the answer is written for.
    expression = None if derivative else Expressions(text).at(span)
    words = what_changes(found.changed, found.operation, expression.node if expression else None)
    block = _block(found)
    if found.kind == "repair" and not words and block is not None:
        found = replace(found, kind="value")
    start = f"This is in the derivative with respect to `{derivative}`. " if derivative else ""
    if value_alone:
        start = "This is about the value alone, and not about its derivative. "
    stacked = found.rounds > 1 and not found.evaluation
    return Where(
        found.line,
        len(lines[found.line - 1][: found.column].decode(errors="replace")),
        found.end_line,
        len(lines[found.end_line - 1][: found.end_column].decode(errors="replace")),
        tuple(line.decode(errors="replace") for line in lines[found.line - 1 : found.end_line]),
        found.kind if found.kind == "repair" else "value",
        found.operation,
        found.step,
        expression.name if expression and not found.inner else "",
        found.case,
        cases,
        found.rounds,
        found.inner,
        found.yours.shape[1:] if stacked else found.yours.shape,
        block,
        start
        + _message(
            found, words or "A small change inside this expression", cases, of, places, mistakes, derived=derived
        ),
    )


def _says_less(found: Located) -> bool:
    """Whether a place says less than a named mistake: the mistake may also lie elsewhere, or another shape is needed."""
    return found.kind in ("whole", "through") or found.yours.shape != found.needed.shape


def stands_in_derivatives(kind: str, changed: str) -> bool:
    """Whether a place is also told on lines that the answer differentiates.

    A constant stands in the derivative too. Another change of an operation would change the derivative, and was not tried.
    """
    return kind != "repair" or changed.startswith("another constant")


def without_values(where: Where, *, of: int, places: int) -> Where:
    """The same place without anything that was computed from an expected value.

    Args:
        of: how many cases the problem has.
        places: how many places were found together.
    """
    here = "here" if places == 1 else "at both places"
    message = f"With other values {here}, {_cases(where.proven, of)} out right."
    return replace(where, kind="", step="", block=None, message=message)


def _text_at(lines: list[bytes], span: tuple[int, int, int, int]) -> bytes:
    line, column, end_line, end_column = span
    if line == end_line:
        return lines[line - 1][column:end_column]
    return b"".join([lines[line - 1][column:], *lines[line : end_line - 1], lines[end_line - 1][:end_column]])


def _message(found: Located, words: str, cases: int, of: int, places: int, mistakes: int, *, derived: bool) -> str:
    if found.kind == "repair":
        also = "" if places == 1 else ", together with a change at the other place"
        return f"{words} makes {_cases(cases, of, verb='')} right{also}."
    here = "here" if not found.inner else "inside this expression"
    if found.alone:
        here += f" in evaluation {found.evaluation} of {found.rounds}"
    here = here if places == 1 else "at both places"
    proven = f"With the values needed {here}, {_cases(cases, of)} out right"
    other_shape = found.yours.shape != found.needed.shape
    if other_shape:
        proven += f" (they are of shape {found.needed.shape}, and yours of shape {found.yours.shape})"
    if found.kind == "whole":
        return (
            f"{proven}. All that this expression reads occurs in a right answer too, perhaps in another order or with "
            "another sign."
        )
    if _reordered(found):
        return f"{proven}. They are your values in another order: change the order here, or where they are read."
    if found.kind == "through":
        return (
            f"{proven}. Something that follows gives these same values again: the mistake may also be between the two."
        )
    once = (found.rounds == 1 or found.alone) and not derived
    if cases == of and mistakes <= places and once and not other_shape:
        return f"{proven}: what is computed from them needs no change."
    return f"{proven}."


def _reordered(found: Located) -> bool:
    """Whether the values needed are those that are there, in another order or shape."""
    if not {found.yours.dtype.kind, found.needed.dtype.kind} <= set("fiu"):
        return False
    yours, needed = (np.sort(one.astype(np.float64), axis=None) for one in (found.yours, found.needed))
    if yours.size != needed.size or yours.size < 2 or yours[0] == yours[-1]:
        return False
    return bool(np.allclose(yours, needed, rtol=SAME, atol=0.0, equal_nan=True))


def _cases(cases: int, of: int, *, verb: str = "come") -> str:
    """The cases on which something is proven, with the verb that belongs to them."""
    if of == 1:
        return f"the case {verb}s" if verb else "the case"
    which = f"all {of} cases" if cases == of else f"the {cases} of {of} cases that were tried"
    return f"{which} {verb}".strip()


def _block(found: Located) -> Block | None:
    """The values as rows: of the first evaluation that differs, one slice of it, around its first difference."""
    yours, needed, evaluation = found.yours, found.needed, found.evaluation
    if yours.shape != needed.shape or not yours.size or "c" in (yours.dtype.kind, needed.dtype.kind):
        return None
    if found.rounds > 1 and not evaluation:
        first = int(np.argmax(differing(yours, needed).reshape(found.rounds, -1).any(axis=1)))
        yours, needed, evaluation = yours[first], needed[first], first + 1
    kind = {"b": "mask", "i": "integer", "u": "integer"}.get(yours.dtype.kind, "real")
    shape = yours.shape
    index = np.unravel_index(int(np.argmax(differing(yours, needed))), shape) if shape else ()
    axes = _rows_and_columns(shape)
    cuts = [slice(int(at), int(at) + 1) for at in index]
    for axis, limit in zip(reversed(axes), (MOST_COLUMNS[kind], MOST_ROWS), strict=False):
        cuts[axis] = _window(cuts[axis].start, shape[axis], limit)
    sizes = [cuts[axis].stop - cuts[axis].start for axis in axes]
    grids = (np.atleast_2d(one[tuple(cuts)].reshape(sizes)) for one in (yours, needed))
    mine, due = (tuple(tuple(map(float, row)) for row in grid) for grid in grids)
    return Block(mine, due, kind, _part(shape, axes, cuts), evaluation)


@np.errstate(all="ignore")
def differing(yours: Array, needed: Array) -> Array:
    """Which values differ by more than rounding; those that differ at all if none does."""
    one, other = (np.asarray(value, np.float64) for value in (yours, needed))
    unlike = ~((one == other) | (np.isnan(one) & np.isnan(other)))
    largest = np.max(np.abs(other), initial=0.0, where=np.isfinite(other))
    far = unlike & ~(np.abs(one - other) <= SAME * largest)
    return far if far.any() else unlike


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
