"""Interactive figures of a lesson, as `problems/NAME/figure.py` declares them.

Such a file has a function `figures(reference)` that returns a list of `Figure`. It runs in a process of its own, which has
loaded the reference: what it shows is what the reference gives, or a formula that is `proven` equal to that. Its texts are
looked up with `gettext` in that function, which is called once for each language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

import numpy as np

from grader.kit.problem_error import ProblemError
from grader.kit.statement import Heading
from grader.marking.words import counted

Array = np.ndarray[Any, Any]
Reference = Callable[..., Array]
"""The worked answer: `reference(seed, sizes...)` is its array, flattened, in float64. With `mistake="name"`, it makes it."""

CLOSE = 2e-4
"""The largest difference between a formula in float64 and the reference in float32, for values of about one."""

_FUNCTIONS: dict[str, Any] = {
    **{name: getattr(np, name) for name in ("sin", "cos", "exp", "log", "sqrt", "floor", "abs", "sign")},
    **{"pow": np.power, "max": np.maximum, "min": np.minimum, "PI": np.pi},
}
"""What a formula may use: functions and constants that Vega has too, under the same names."""


@dataclass(frozen=True)
class Table:
    """The numbers of a figure for those who do not see it.

    Attributes:
        of: the settings that they are for, such as `"d_model = 64"`: the controls of the figure do not change the table.
        columns: what heads each column.
        rows: the first cell of each row names the row.
    """

    of: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str | int | float]]


@dataclass(frozen=True)
class Pick:
    """What a click on a mark does, or the pointer over one: parameters take the values of fields of the mark.

    Attributes:
        on: `click` or `pointermove`; a click counts in both.
        fields: the field that each parameter takes.
    """

    on: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class Walk:
    """A sentence of the reader's own, token by token: the row of the vocabulary, the encoding, and their sum.

    Attributes:
        sentence: what stands there at first.
        vocabulary: the vectors, of shape (V, d_model), scaled.
        positions: the encodings, of shape (T, d_model).
        words: what is told at each step, and (`cut`) of a sentence with more tokens than positions; `{n}` and the like are
            put in by the script.
    """

    sentence: str
    vocabulary: Array
    positions: Array
    words: Mapping[str, str]


@dataclass(frozen=True)
class Figure:
    """A figure that a reader can change.

    Attributes:
        title: what it shows, in a few words.
        spec: a chart of Altair, or a `Walk`. A width of "container" fits the page, also inside of others.
        sentence: what one sees in it, for those who do not.
        table: its most telling numbers.
        reads: the name of a parameter of the chart whose text is shown below the chart and read aloud when it changes.
        pick: what a click or the pointer does.
        ends: sliders that end where another parameter says: their names, each with the name of that parameter. Where the
            end moves below a slider's value, the value moves with it.
        section: the heading of the section that it stands in, in English.
    """

    title: str
    spec: Any
    sentence: str
    table: Table
    reads: str = ""
    pick: Pick | None = None
    ends: Mapping[str, str] = field(default_factory=dict[str, str])
    section: str = Heading.IDEA


def proven(formula: str, due: Array, **variables: Any) -> str:
    """A formula that Vega and Python read alike, after comparing its values with those of the reference.

    Args:
        formula: such as `"sin(position / pow(base, 2 * pair / d_model))"`.
        due: what the reference gives.
        variables: the values of the names in the formula. They are broadcast against each other; the result, row by row, is
            compared with `due`.

    Returns:
        the formula, in brackets.

    Raises:
        ProblemError: if it gives something else.
    """
    given = np.asarray(eval(formula, {"__builtins__": {}}, _FUNCTIONS | variables), np.float64)
    same(given, due, f"the formula {formula}")
    return f"({formula})"


def on(formula: str, **fields: str) -> str:
    """A formula with other names in it: `on("p * 2", p="datum.p")` is about the field `p` of a chart."""
    return re.sub(r"[A-Za-z_]\w*", lambda found: fields.get(found[0], found[0]), formula)


def expression(message: str, /, **fields: str) -> str:
    """A message as an expression of Vega, whose fields are expressions too: a translation has them where it needs them.

    `expression(gettext("Dimensions {first} to {end}"), first="at", end="at + 1")` is
    `("Dimensions " + (at) + " to " + (at + 1))`. A message without fields is a text, in quotation marks.
    """
    parts: list[str] = []
    for text, name, _, _ in Formatter().parse(message):
        parts.append(json.dumps(text, ensure_ascii=False))  # empty between fields: numbers would be added up
        if name is not None:
            parts.append(f"({fields[name]})")
    return f"({' + '.join(parts)})"


def same(given: Array, due: Array, what: str = "what the figure shows") -> None:
    """Check that a figure shows what the reference gives.

    Raises:
        ProblemError: if it shows something else.
    """
    given, due = np.asarray(given, np.float64).reshape(-1), np.asarray(due, np.float64).reshape(-1)
    if given.shape != due.shape:
        raise ProblemError(f"{what} has {counted(given.size, 'value')}, and the reference {due.size}")
    with np.errstate(invalid="ignore"):
        off = np.abs(np.where(given == due, 0.0, given - due))
    if not np.all(off <= CLOSE * np.maximum(1.0, np.abs(due))):
        at = int(np.nanargmax(np.where(np.isnan(off), np.inf, off)))
        raise ProblemError(f"{what} gives {given[at]:.6g} where the reference gives {due[at]:.6g}")


def rounded(values: Array, digits: int = 4) -> Any:
    """Values as nested lists, rounded, for a chart: shorter, and the same on every machine. What is not finite is None."""
    numbers = np.round(np.asarray(values, np.float64), digits) + 0.0
    listed = numbers.astype(object)
    listed[~np.isfinite(numbers)] = None
    return listed.tolist()
