"""Places in an answer's text: its expressions, and what was found to be wrong there. The text is read, and never run."""

from __future__ import annotations

import ast
import functools
import io
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock
from typing import TYPE_CHECKING

from grader.values.decode import Real

if TYPE_CHECKING:  # what only declares a place needs no NumPy
    from grader.values.arrays import Array

LONGEST_TEXT = 50_000
"""Of a text with more bytes, no expression is looked up: its tree would take much memory."""


_parsing = Lock()


def parsed(text: str | bytes) -> ast.Module:
    """The tree of a text, one text at a time.

    Before 3.11.8 and 3.12.2, Python counts the depth of all trees together, so that two threads disturb each other: one of
    them raises SystemError (CPython issue 106905).
    """
    with _parsing:
        return ast.parse(text)


def parsed_expression(text: str) -> ast.Expression:
    """The tree of one expression, as by `parsed`."""
    with _parsing:
        return ast.parse(text, mode="eval")


@dataclass(frozen=True)
class Place:
    """Where an expression stands in a file: lines from 1, columns in bytes of UTF-8 from 0, the end not included."""

    line: int
    column: int
    end_line: int
    end_column: int

    def contains(self, inner: Place) -> bool:
        """Whether another place stands inside this one, or is this one."""
        start, end = (self.line, self.column), (self.end_line, self.end_column)
        return start <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= end

    def stands_in(self, lines: Sequence[bytes]) -> bool:
        """Whether there is such a place in a file with these lines."""
        begin, end = (self.line, self.column), (self.end_line, self.end_column)
        return (
            1 <= self.line <= self.end_line <= len(lines)
            and begin < end
            and 0 <= self.column <= len(lines[self.line - 1])
            and 0 <= self.end_column <= len(lines[self.end_line - 1])
        )


Node = ast.expr | ast.AugAssign


@dataclass(frozen=True)
class Expression:
    """One expression. `name` is the variable that its value is assigned to; empty if there is none."""

    node: Node
    name: str


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, as Python counts them: a form feed does not end a line."""
    return list(io.StringIO(text, newline=""))


@functools.lru_cache(maxsize=4)  # many expressions of one text are looked at, one after another
def encoded(text: str) -> tuple[bytes, Sequence[int]]:
    """A text in UTF-8, and where each of its lines begins, in bytes."""
    lines = [line.encode() for line in lines_of(text)]
    return b"".join(lines), [0, *itertools.accumulate(map(len, lines))]


def span(text: str, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
    """Where an expression or a statement begins and ends, in bytes of the text."""
    _, starts = encoded(text)
    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return starts[node.lineno - 1] + node.col_offset, starts[end_line - 1] + end_column


def segment(text: str, node: ast.expr | ast.keyword) -> str:
    """What stands in a text where an expression is."""
    start, end = span(text, node)
    return encoded(text)[0][start:end].decode()


def replaced(text: str, node: ast.expr | ast.stmt, new: str) -> str:
    """The text with `new` in the place of an expression or a statement. All else stays, blanks and comments too."""
    (start, end), (data, _) = span(text, node), encoded(text)
    return f"{data[:start].decode()}{new}{data[end:].decode()}"


class Expressions:
    """The expressions of a text, and all its `nodes`; none if it is not Python, or is very long."""

    def __init__(self, text: str) -> None:
        self.nodes: Sequence[ast.AST] = ()
        self._found: dict[Place, Expression] = {}
        data = text.encode("utf-8", "replace")
        if len(data) > LONGEST_TEXT:
            return
        try:
            self.nodes = nodes = list(ast.walk(parsed(data)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        names: dict[int, str] = {}
        for node in nodes:
            for name, value in _assigned(node):
                names.setdefault(id(value), name)
        for node in nodes:
            if isinstance(node, Node):
                for place in _places(node):
                    self._found.setdefault(place, Expression(node, names.get(id(node), "")))

    def at(self, place: Place) -> Expression | None:
        """The expression at a place; None if none has exactly this place."""
        return self._found.get(place)


def while_around(text: str, line: int) -> int:
    """The line at which the innermost `while` loop around a line begins; 0 if there is none, or the text is not Python."""
    if len(text) > LONGEST_TEXT:
        return 0
    try:
        nodes = ast.walk(parsed(text))
        loops = [node.lineno for node in nodes if isinstance(node, ast.While) and _spans_line(node, line)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    return max(loops, default=0)


def _spans_line(node: ast.While, line: int) -> bool:
    """Whether a line is in the condition or the body of a loop: what follows its `else` runs once."""
    return node.lineno <= line <= (node.body[-1].end_lineno or 0)


def _assigned(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The names that a statement gives to values, each with the expression of the value."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _pairs(target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            yield from _pairs(target, value)
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name, node
        case _:
            pass


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.AST]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for part, part_value in zip(targets, values, strict=True):
                yield from _pairs(part, part_value)
        case ast.Tuple(elts=targets), _ if all(isinstance(part, ast.Name) for part in targets):
            # An array that is taken apart: its rows are made at the place of the targets.
            yield ", ".join(part.id for part in targets if isinstance(part, ast.Name)), target
        case _:
            pass


def place_of(node: Node) -> Place:
    """Where an expression stands."""
    return Place(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)


def _places(node: Node) -> Iterator[Place]:
    """The places at which a trace may say that an expression is."""
    whole = place_of(node)
    yield whole
    match node:
        case ast.Call(func=ast.Attribute(attr=name, end_lineno=int(line), end_col_offset=int(column))):
            yield Place(line, column - len(name.encode()), whole.end_line, whole.end_column)  # its name begins a line
        case _:
            pass


VALUE_ALONE, NO_DERIVATIVES = "value", "no derivatives"
"""The program of the value alone, where the problem asks for a derivative too; and the numbers of an answer that depend on
no derivative that it takes."""

MOST_NUMBERS_READ = 16
"""The most numbers that a place holds of what its expression reads."""


class PlaceKind(StrEnum):
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
    SPEC = "spec"
    MESH_AXES = "axes of a mesh"
    PAIRS = "pairs of devices"


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
class FoundPlace:
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
        derivative: whether the value is one of a derivative that the answer takes, at the place of the expression.
        part: whether the cases come out right only in the numbers that depend on no such derivative.
        devices: the number of devices that hold `yours` and `needed`: their first axis after that of several evaluations. It
            is 0 where the expression has no such axis, and 1 in a kernel.
        argument: of a spec, which argument or result of the `shard_map` it is of, and of how many.
    """

    kind: PlaceKind
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
    derivative: bool = False
    part: bool = False
    devices: int = 0
    argument: tuple[int, int] = (0, 0)
