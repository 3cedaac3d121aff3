"""The expressions of an answer's text, by the places that a trace knows. The text is read, and never run."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LONGEST_TEXT = 50_000
"""Of a text with more bytes, no expression is looked up: its tree would take much memory."""


@dataclass(frozen=True)
class Place:
    """Where an expression stands in a file: lines from 1, columns in bytes of UTF-8 from 0, the end not included."""

    line: int
    column: int
    end_line: int
    end_column: int

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


class Expressions:
    """The expressions of a text, and all its `nodes`; none if it is not Python, or is very long."""

    def __init__(self, text: str) -> None:
        self.nodes: Sequence[ast.AST] = ()
        self._found: dict[Place, Expression] = {}
        data = text.encode("utf-8", "replace")
        if len(data) > LONGEST_TEXT:
            return
        try:
            self.nodes = nodes = list(ast.walk(ast.parse(data)))
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
        nodes = ast.walk(ast.parse(text))
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
            for one, its in zip(targets, values, strict=True):
                yield from _pairs(one, its)
        case ast.Tuple(elts=targets), _ if all(isinstance(one, ast.Name) for one in targets):
            # An array that is taken apart: its rows are made at the place of the targets.
            yield ", ".join(one.id for one in targets if isinstance(one, ast.Name)), target
        case _:
            pass


def _places(node: Node) -> Iterator[Place]:
    """The places at which a trace may say that an expression is."""
    end = node.end_lineno or node.lineno, node.end_col_offset or 0
    yield Place(node.lineno, node.col_offset, *end)
    match node:
        case ast.Call(func=ast.Attribute(attr=name, end_lineno=int(line), end_col_offset=int(column))):
            yield Place(line, column - len(name.encode()), *end)  # a method on a line of its own
        case _:
            pass
