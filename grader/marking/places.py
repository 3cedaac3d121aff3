"""The place of a mistake: as it was found and proven, and as a verdict keeps it. The words are in `report/places.py`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from grader.marking.expressions import Place
from grader.values.message import Line

if TYPE_CHECKING:
    from grader.marking.comparison import Array

MAY_BE_INFINITE = "may be infinite or NaN"
Real = Annotated[float, MAY_BE_INFINITE]
"""A number of an answer, or a difference from one."""
NEVER_SAVED = "never saved"
"""Marks a field that is None in what is saved or sent."""


VALUE_ALONE = "value"
"""The program of the value alone, where the problem asks for a derivative too."""
MOST_NUMBERS_READ = 16
"""The most numbers that a place holds of what its expression reads."""


class Kind(StrEnum):
    """What is proven of a place.

    VALUE: with another value there, every case is right. REPAIR: a small change of the operation makes every case right.
    HIDDEN: a level of feedback does not say.
    """

    VALUE = "value"
    REPAIR = "repair"
    HIDDEN = ""


class Edit(StrEnum):
    """What a repair changes of an operation."""

    CONSTANT = "constant"
    OPERATION = "operation"
    DROPPED = "dropped"
    OPERANDS = "operands"
    CHOICES = "choices"
    START = "start"
    AXES_OF_OPERAND = "axes of an operand"
    AXIS = "axis"


class Reads(StrEnum):
    """What an expression reads: what a right answer has too, something else, or nothing but arrays made outside JAX."""

    RIGHT = "right"
    OTHER = "other"
    TABLE = "table"


class Relation(StrEnum):
    """How the values needed follow from those that are there, at every element; or that only their order is another."""

    INVERSE = "inverse"
    NEGATED = "negated"
    SQUARE = "square"
    ROOT = "root"
    TWICE = "twice"
    HALF = "half"
    COMPLEMENT = "complement"
    REORDERED = "reordered"


@dataclass(frozen=True)
class Found:
    """An expression of an answer that is wrong: with another value there, or a small change, all cases come out right.

    Attributes:
        operation: the operation of the expression that makes the value.
        step: the step of the reference that gives the value needed; empty for a repair that takes nothing from it.
        case: the index of the case that `yours` and `needed` belong to.
        rounds: how often the operation is evaluated there. `yours` and `needed` have an axis for several, or `evaluation`.
        yours, needed: the value of the expression, and the one with which the cases come out right.
        related: how the values needed follow from those that are there, where all evaluations of some cases agree.
        change: what a repair changes; None for a value.
        constant: of a change of a constant, the constant that is there.
        numbers: the numbers that the expression reads beside arrays: constants of its text, and what Python computed.
        table: whether it reads an array that was made outside the program.
        traced: the lines of the answer that hold an operation of the program.
        evaluation: the number of the evaluation that the values belong to, from 1; 0 if they are those of all.
        alone: whether this is the only evaluation that changes.
        inner: whether the value is read only inside its own expression: it is not the value of the expression then.
    """

    kind: Kind
    place: Place
    operation: str
    step: str
    case: int
    rounds: int
    yours: Array
    needed: Array
    reads: Reads = Reads.OTHER
    related: Relation | None = None
    change: Edit | None = None
    constant: Real = 0.0
    numbers: tuple[Real, ...] = ()
    table: bool = False
    traced: tuple[int, ...] = ()
    evaluation: int = 0
    alone: bool = False
    inner: bool = False


@dataclass(frozen=True)
class Computed:
    """A number or a table that Python or NumPy computed, and an expression reads: its name, its line, a number's value."""

    name: str
    line: Line
    value: Real | None


@dataclass(frozen=True)
class Block:
    """Some values of an expression beside the values needed there: `yours` and `needed` in rows, all of one length.

    `kind` is "mask" for truth values (0 and 1), "integer", or "real". `part` is an index that selects these values, such as
    `[0, 3:9]`; empty if they are all. `evaluation` is the number of the evaluation that gives them, from 1; 0 if there is
    only one.
    """

    yours: tuple[tuple[Real, ...], ...]
    needed: tuple[tuple[Real, ...], ...]
    kind: str
    part: str = ""
    evaluation: int = 0


@dataclass(frozen=True)
class Where:
    """An expression of the learner's file at which the answer goes wrong.

    Lines count from 1. Columns count characters from 0, and `end_column` is the first one after the expression.

    Attributes:
        text: the lines of the file from `line` to `end_line`.
        operation: the operation that makes the values, by JAX's name.
        step: the step of the reference that gives the values needed; empty for a repair that takes nothing from it, and
            where it is hidden.
        name: the variable that the expression is assigned to; empty if there is none, or if the values are not those of the
            whole expression.
        case: the index of the case that the values belong to.
        proven: on how many cases this is proven, of `cases`.
        places: how many places were found together: only all of them make the cases right.
        rounds: how often the operation is evaluated there on this case.
        alone: the number of the only evaluation that changes; 0 if all do.
        inner: whether the values are those of a step inside the expression, and not its own.
        shape: that of the values of one evaluation, and `needed` that of the values needed.
        block: the values; None where they are hidden, or cannot be compared one by one.
        reads: what goes into the expression.
        fixable: whether a change of this expression can make the answer right.
        onward: whether it is proven that the lines that follow, and what they compute, need no change.
        change: what a repair changes, and `written` the operation or the constant as the learner wrote it.
        relation: how the values needed follow from those that are there.
        computed: the numbers and tables of Python that it reads, and that another line computes.
        helper: the function that it is in, if the answer calls that function in several places: at the lines `calls`.
        of: what the program is of that it was found in: "" for the values, "value" for the value alone where the problem
            asks for a derivative too, or the parameter of a derivative.
        cell: in a notebook, the cell that the lines count in; elsewhere 0.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    text: tuple[str, ...]
    kind: Kind
    operation: str
    step: str
    name: str
    case: int
    proven: int
    cases: int
    places: int
    rounds: int
    alone: int
    inner: bool
    shape: tuple[int, ...]
    needed: tuple[int, ...]
    block: Block | None
    reads: Reads
    fixable: bool
    onward: bool
    change: Edit | None = None
    written: str = ""
    relation: Relation | None = None
    computed: tuple[Computed, ...] = ()
    helper: str = ""
    calls: tuple[Line, ...] = ()
    of: str = ""
    cell: int = 0
