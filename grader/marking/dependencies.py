"""What an expression of an answer depends on that stands on other lines: numbers of Python, and calls of its function."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from grader.marking.expressions import Expressions, Node
from grader.marking.places import Computed
from grader.values.message import Line

_OF_JAX = frozenset(("jnp", "jax", "lax", "nn", "nnx", "linen", "optax", "flax"))

_METHODS_OF_AN_ARRAY = frozenset(name for name in dir(np.ndarray) if not name.startswith("_")) | {"at"}

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Elsewhere:
    """The text of an answer, and its lines that hold an operation of its program (see `Found.traced`)."""

    expressions: Expressions
    traced: Set[int]

    def computed(self, node: Node, numbers: Sequence[float], *, table: bool) -> list[Computed]:
        """The numbers and tables that an expression reads and that Python or NumPy computed on another line.

        Args:
            numbers: those that the expression reads. A value is told where there is one such name and one such number.
            table: whether it reads an array that was made outside the program.
        """
        written = {abs(number) for one in ast.walk(node) for number in _numbers(one)}
        left = [number for number in numbers if abs(number) not in written]
        read = [*_operands(node)]
        arguments = self._arguments_of_problem() & {name for name, _ in read}
        if len(left) <= len(arguments) and not table:
            return []
        found = {name: line for name, at in read if (line := self._line(name, at))}
        value = left[0] if len(left) == len(found) == 1 and not arguments else None
        return [Computed(name, Line(line), value) for name, line in found.items()]

    def _arguments_of_problem(self) -> set[str]:
        """The parameters of the functions that nothing in the text calls: the problem's own function is one of them."""
        called = {one.func.id for one in self.expressions.nodes if isinstance(one, ast.Call) and _is_name(one.func)}
        functions = [one for one in self.expressions.nodes if isinstance(one, ast.FunctionDef) and not one.col_offset]
        return {
            parameter.arg
            for one in functions
            if one.name not in called
            for parameter in (*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs)
        }

    def _line(self, name: str, at: int) -> int:
        """The last line before another one that computes a value of Python with a name; 0 if there is none."""
        nodes = self.expressions.nodes
        assigned = [one for one in nodes if isinstance(one, ast.Assign | ast.AnnAssign) and name in _targets(one)]
        before = [one for one in assigned if one.lineno < at or "." in name]
        last = max(before, key=lambda one: one.lineno, default=None)
        return 0 if last is None or self._of_jax(last) else last.lineno

    def _of_jax(self, node: ast.Assign | ast.AnnAssign) -> bool:
        """Whether a statement makes an array of JAX, as far as can be seen: itself, or in a function that it calls."""
        value = node.value
        if value is None or isinstance(value, ast.Name | ast.Lambda | ast.Subscript) or self._traced(node):
            return True
        names = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)}
        called = [one for one in self.expressions.nodes if isinstance(one, _Function) and one.name in names]
        return not names.isdisjoint(_OF_JAX) or any(map(self._traced, called))

    def _traced(self, node: ast.stmt) -> bool:
        return not self.traced.isdisjoint(range(node.lineno, (node.end_lineno or node.lineno) + 1))

    def is_called(self, line: int) -> bool:
        """Whether a line is in a lambda, a method, or a function that the text names: lines below it may run before it."""
        nodes = self.expressions.nodes
        read = {one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        around = [
            one
            for one in nodes
            if isinstance(one, ast.Lambda | _Function) and one.lineno <= line <= (one.end_lineno or 0)
        ]
        return any(not isinstance(one, ast.FunctionDef) or one.name in read for one in around)

    def of_others(self, node: Node) -> bool:
        """Whether an expression depends on what it does not read by a name: values in an object that it calls, such as
        `attention(x)`, or what is given to the lambda around it. Two of these may be exchanged, or be one.
        """
        lambdas = [one for one in self.expressions.nodes if isinstance(one, ast.Lambda)]
        if any(node is inner for one in lambdas for inner in ast.walk(one.body)):
            return True
        made = {name for one in self.expressions.nodes for name in _made(one)}
        return any(isinstance(one, ast.Call) and _is_object(one.func, made) for one in ast.walk(node))

    def calls(self, line: int) -> tuple[str, tuple[Line, ...]]:
        """The innermost function around a line, and the lines that call it; no name where there is one call or none."""
        around = [
            one
            for one in self.expressions.nodes
            if isinstance(one, ast.FunctionDef) and one.lineno <= line <= (one.end_lineno or 0)
        ]
        name = around[-1].name if around else ""
        calls = [
            one
            for one in self.expressions.nodes
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == name
        ]
        lines = tuple(map(Line, sorted({one.lineno for one in calls})))
        return (name, lines) if len(calls) > 1 else ("", ())


def _made(node: ast.AST) -> Iterator[str]:
    """The names that a node gives to values: all but those of modules, functions and classes."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case _:
            pass


def _is_object(called: ast.expr, made: Set[str]) -> bool:
    """Whether what is called is an object with values of its own, such as a layer, and no method of an array."""
    match called:
        case ast.Name(id=name):
            return name in made
        case ast.Attribute(attr=name) if name in _METHODS_OF_AN_ARRAY:
            return False
        case ast.Attribute(value=within) | ast.Subscript(value=within):
            return _is_object(within, made)
        case _:
            return False


def _is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _numbers(node: ast.AST) -> Iterator[float]:
    """The number that a node writes down, if it is one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        with contextlib.suppress(OverflowError):
            yield float(node.value)


def _operands(node: Node) -> Iterator[tuple[str, int]]:
    """The names and attributes that operators and calls of an expression read as they are, with their lines."""
    for one in ast.walk(node):
        match one:
            case ast.BinOp(left=left, right=right):
                read: list[ast.expr] = [left, right]
            case ast.AugAssign(value=value):
                read = [value]
            case ast.Compare(left=left, comparators=others):
                read = [left, *others]
            case ast.Call(args=args, keywords=keywords):
                read = [*args, *(keyword.value for keyword in keywords)]
            case ast.UnaryOp(operand=value):
                read = [value]
            case _:
                read = []
        for value in read:
            match value:
                case ast.Name(id=name):
                    yield name, value.lineno
                case ast.Attribute(value=ast.Name(id="self"), attr=name):
                    yield f"self.{name}", value.lineno
                case _:
                    pass


def _targets(node: ast.Assign | ast.AnnAssign) -> set[str]:
    """The names and attributes that a statement assigns to."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    whole = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return {ast.unparse(one) for one in whole if isinstance(one, ast.Name | ast.Attribute)}
