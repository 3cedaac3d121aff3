"""What an answer's text says of an expression: what it depends on, how it is spelled, whether it is differentiated."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from grader.marking.verdict import Computed
from grader.values.message import Line
from grader.values.places import LONGEST_TEXT, Edit, Expressions, Node, Place, parsed, place_of

DERIVATIVES = frozenset(
    (
        *("grad", "value_and_grad", "vjp", "jvp", "linearize", "linear_transpose"),
        *("jacfwd", "jacrev", "jacobian", "hessian", "custom_vjp", "custom_jvp"),
    )
)
"""The functions of JAX and Flax that differentiate, by the last part of their names."""

_DefinedFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def differentiated(text: str) -> set[int]:
    """The lines, from 1, of functions that the answer differentiates, with those of its own functions that these may call.

    Which function a variable holds is not known: if one is called, each `__call__` of a class counts. Where the function
    that is differentiated is none of the text, all lines count.
    """
    if len(text) > LONGEST_TEXT:
        return set(range(1, text.count("\n") + 2))
    try:
        nodes = list(ast.walk(parsed(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    defined: dict[str, list[_DefinedFunction]] = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defined.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    defined.setdefault(target.id, []).append(node.value)
    waiting: list[_DefinedFunction] = []
    for given in _given(nodes):
        if isinstance(given, _DefinedFunction):
            waiting.append(given)
        elif isinstance(given, ast.Name) and given.id in defined:
            waiting += defined[given.id]
        else:
            return set(range(1, text.count("\n") + 2))
    seen: list[_DefinedFunction] = []
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.append(function)
            waiting += [called for name in _named(function, defined) for called in defined[name]]
    return {line for function in seen for line in range(function.lineno, (function.end_lineno or function.lineno) + 1)}


def derivative_rule(expressions: Expressions, place: Place) -> tuple[str, Place] | None:
    """The name of the function that is called at a place, and the expression that its derivative rule returns last.

    The rule is the backward one of `defvjp`, or that of `defjvp`. None where no function with such a rule is called there.
    """
    called = expressions.at(place)
    if called is None or not isinstance(called.node, ast.Call) or not isinstance(called.node.func, ast.Name):
        return None
    name = called.node.func.id
    defined = {node.name: node for node in expressions.nodes if isinstance(node, ast.FunctionDef)}
    for node in expressions.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="defvjp" | "defjvp")) if owner == name:
                given = [*node.args, *(keyword.value for keyword in node.keywords)][-1:]
                rules = [defined.get(rule.id) if isinstance(rule, ast.Name) else rule for rule in given]
            case ast.FunctionDef(decorator_list=[ast.Attribute(value=ast.Name(id=owner), attr="defjvp")]) if (
                owner == name
            ):
                rules = [node]
            case _:
                continue
        for rule in rules:
            if (end := _end_of(rule)) is not None:
                return name, place_of(end)
    return None


def _end_of(rule: ast.AST | None) -> ast.expr | None:
    """What the last `return` of a function gives back."""
    match rule:
        case ast.Lambda(body=body):
            return body
        case ast.FunctionDef():
            ends = [node.value for node in ast.walk(rule) if isinstance(node, ast.Return) and node.value is not None]
            return max(ends, key=lambda end: end.lineno, default=None)
        case _:
            return None


def _given(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """What is differentiated: the first argument of each call, and each function with such a decorator."""
    for node in nodes:
        if isinstance(node, ast.Call) and _differentiates(node.func):
            yield node.args[0] if node.args else node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                inner = decorator.args[0] if isinstance(decorator, ast.Call) and decorator.args else called
                if _differentiates(called) or _differentiates(inner):  # @partial(jax.grad, argnums=1) too
                    yield node


def _differentiates(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in DERIVATIVES


def _named(function: _DefinedFunction, defined: dict[str, list[_DefinedFunction]]) -> set[str]:
    """The functions of the text whose names stand in a function, and `__call__` if it calls something else."""
    names: set[str] = set()
    for node in ast.walk(function):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name in defined:
            names.add(name)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and "__call__" in defined:
            names.add("__call__")
    return names


_OF_JAX = frozenset(("jnp", "jax", "lax", "nn", "nnx", "linen", "optax", "flax"))
_METHODS_OF_AN_ARRAY = frozenset(name for name in dir(np.ndarray) if not name.startswith("_")) | {"at"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class TextDependencies:
    """The text of an answer, and its lines that hold an operation of its program (see `Found.traced`)."""

    expressions: Expressions
    traced: Set[int]

    def computed(self, node: Node, numbers: Sequence[float], *, table: bool) -> list[Computed]:
        """The numbers and tables that an expression reads and that Python or NumPy computed on another line.

        Args:
            numbers: those that the expression reads. A value is told where there is one such name and one such number, and
                the name is an operand of the expression itself: Python may compute with it otherwise.
            table: whether it reads an array that was made outside the program.
        """
        written = {abs(number) for inner in ast.walk(node) for number in _numbers(inner)}
        left = [number for number in numbers if abs(number) not in written]
        read = [*_operands(node)]
        arguments = self._arguments_of_problem() & {name for name, _ in read}
        if len(left) <= len(arguments) and not table:
            return []
        found = {name: line for name, at in read if (line := self._line(name, at))}
        own = {ast.unparse(operand) for operand in _own_operands(node)}
        value = left[0] if len(left) == len(found) == 1 and not arguments and own >= found.keys() else None
        return [Computed(name, Line(line), value) for name, line in found.items()]

    def _arguments_of_problem(self) -> set[str]:
        """The parameters of the functions that nothing in the text calls: the problem's own function is one of them."""
        called = {node.func.id for node in self.expressions.nodes if isinstance(node, ast.Call) and _is_name(node.func)}
        functions = [
            node for node in self.expressions.nodes if isinstance(node, ast.FunctionDef) and not node.col_offset
        ]
        return {
            parameter.arg
            for function in functions
            if function.name not in called
            for parameter in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        }

    def _line(self, name: str, at: int) -> int:
        """The last line before another one that computes a value of Python with a name; 0 if there is none."""
        nodes = self.expressions.nodes
        assigned = [node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign) and name in _targets(node)]
        before = [statement for statement in assigned if statement.lineno < at or "." in name]
        last = max(before, key=lambda statement: statement.lineno, default=None)
        return 0 if last is None or self._of_jax(last) else last.lineno

    def _of_jax(self, node: ast.Assign | ast.AnnAssign) -> bool:
        """Whether a statement makes an array of JAX, as far as can be seen: itself, or in a function that it calls."""
        value = node.value
        if value is None or isinstance(value, ast.Name | ast.Lambda | ast.Subscript) or self._traced(node):
            return True
        names = {inner.id for inner in ast.walk(value) if isinstance(inner, ast.Name)}
        called = [
            function
            for function in self.expressions.nodes
            if isinstance(function, _Function) and function.name in names
        ]
        return not names.isdisjoint(_OF_JAX) or any(map(self._traced, called))

    def _traced(self, node: ast.stmt) -> bool:
        return not self.traced.isdisjoint(range(node.lineno, (node.end_lineno or node.lineno) + 1))

    def is_called(self, line: int) -> bool:
        """Whether a line is in a lambda, a method, or a function that the text names: lines below it may run before it."""
        nodes = self.expressions.nodes
        read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        around = [
            node
            for node in nodes
            if isinstance(node, ast.Lambda | _Function) and node.lineno <= line <= (node.end_lineno or 0)
        ]
        return any(not isinstance(function, ast.FunctionDef) or function.name in read for function in around)

    def of_others(self, node: Node) -> bool:
        """Whether an expression depends on what it does not read by a name: values in an object that it calls, such as
        `attention(x)`, or what is given to the lambda around it. Two of these may be exchanged, or be one.
        """
        lambdas = [expression for expression in self.expressions.nodes if isinstance(expression, ast.Lambda)]
        if any(node is inner for function in lambdas for inner in ast.walk(function.body)):
            return True
        made = {name for expression in self.expressions.nodes for name in _made(expression)}
        return any(isinstance(inner, ast.Call) and _is_object(inner.func, made) for inner in ast.walk(node))

    def calls(self, line: int) -> tuple[str, tuple[Line, ...]]:
        """The innermost function around a line, and the lines that call it; no name where there is one call or none."""
        around = [
            node
            for node in self.expressions.nodes
            if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
        ]
        name = around[-1].name if around else ""
        calls = [
            node
            for node in self.expressions.nodes
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
        ]
        lines = tuple(map(Line, sorted({call.lineno for call in calls})))
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


def _own_operands(node: Node) -> list[ast.expr]:
    """What the outermost operation of an expression reads by its place."""
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.AugAssign(value=value) | ast.UnaryOp(operand=value):
            return [value]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Call(args=args):
            return args
        case _:
            return []


def _operands(node: Node) -> Iterator[tuple[str, int]]:
    """The names and attributes that operators and calls of an expression read as they are, with their lines."""
    for inner in ast.walk(node):
        keywords = [keyword.value for keyword in inner.keywords] if isinstance(inner, ast.Call) else []
        own = _own_operands(inner) if isinstance(inner, Node) else []
        for value in (*own, *keywords):
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
    whole = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return {ast.unparse(part) for part in whole if isinstance(part, ast.Name | ast.Attribute)}


_OPERATORS: Mapping[str, tuple[type[ast.AST], str]] = {
    "add": (ast.Add, "+"),
    "sub": (ast.Sub, "-"),
    "mul": (ast.Mult, "*"),
    "div": (ast.Div, "/"),
    "pow": (ast.Pow, "**"),
    "integer_pow": (ast.Pow, "**"),
    "square": (ast.Pow, "**"),
    "dot_general": (ast.MatMult, "@"),
    "neg": (ast.USub, "-"),
    "not": (ast.Invert, "~"),
    "and": (ast.BitAnd, "&"),
    "or": (ast.BitOr, "|"),
    "eq": (ast.Eq, "=="),
    "ne": (ast.NotEq, "!="),
    "lt": (ast.Lt, "<"),
    "le": (ast.LtE, "<="),
    "gt": (ast.Gt, ">"),
    "ge": (ast.GtE, ">="),
}

_CALLED: Mapping[str, frozenset[str]] = {
    name: frozenset(called.split())
    for name, called in {
        "add": "add",
        "sub": "subtract",
        "mul": "multiply outer",
        "div": "divide true_divide",
        "pow": "power",
        "integer_pow": "power",
        "neg": "negative",
        "not": "logical_not invert",
        "and": "logical_and",
        "or": "logical_or",
        "eq": "equal",
        "ne": "not_equal",
        "lt": "less",
        "le": "less_equal",
        "gt": "greater",
        "ge": "greater_equal",
        "max": "maximum",
        "min": "minimum",
        "logistic": "sigmoid",
        "select_n": "where select",
        "iota": "arange",
        "dot_general": "dot matmul einsum inner tensordot vdot",
        "transpose": "swapaxes moveaxis permute_dims",
        "rev": "flip flipud fliplr",
        "concatenate": "concat stack hstack vstack array",
        "reduce_sum": "sum",
        "reduce_max": "max amax",
        "reduce_min": "min amin",
        "reduce_prod": "prod",
        "reduce_and": "all",
        "reduce_or": "any",
        "device_psum": "psum",
        "device_pmax": "pmax",
        "device_pmin": "pmin",
        "device_ppermute": "ppermute pshuffle",
        "device_all_gather": "all_gather",
        "device_reduce_scatter": "psum_scatter",
        "device_all_to_all": "all_to_all",
        "device_axis_index": "axis_index",
    }.items()
}
"""The functions and methods that are one operation, or end with it, beside the one of the operation's own name."""


def _operation(operation: str, node: Node | None) -> str:
    """How an expression writes an operation: `@`, `jnp.sin`, `.T`; empty if the expression is something else."""
    kind, sign = _OPERATORS.get(operation, (None, ""))
    match node:
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.UnaryOp(op=op) if kind and isinstance(op, kind):
            return sign
        case ast.Compare(ops=[op]) if kind and isinstance(op, kind):
            return sign
        case ast.Attribute(attr="T" | "mT" as name) if operation == "transpose":
            return f".{name}"
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if _is_call_of(operation, name):
            return _function(node)
        case _:
            return ""


def _is_call_of(operation: str, name: str) -> bool:
    return name == operation or name in _CALLED.get(operation, ())


def _function(node: ast.Call) -> str:
    """The name of a called function: `jnp.sin`; that of a method has a point before it."""
    match node.func:
        case ast.Attribute(value=ast.Name(id="jnp" | "jax" | "np" | "lax" | "nn" as module), attr=name):
            return f"{module}.{name}"
        case ast.Attribute(value=ast.Attribute() as inner, attr=name) if ast.unparse(inner).startswith("jax."):
            return f"{ast.unparse(inner)}.{name}"
        case ast.Attribute(attr=name):
            return f".{name}"
        case _:
            return ast.unparse(node.func)


def spelling_of(operation: str, node: Node | None, change: Edit, constant: float = 0.0) -> str:
    """The operation that a repair changes, or the constant: `@`, `jnp.sin`, `.T`, `2`.

    It is empty if the learner did not write it there: a function of a library may hold many.

    Args:
        node: the expression; None if it is not known.
        constant: the one that is changed.
    """
    spelled = _operation(operation, node)
    return _constant(f"{constant:g}", node) if spelled and change is Edit.CONSTANT else spelled


def spec_of(expressions: Expressions, place: Place, argument: tuple[int, int], *, results: bool) -> ast.expr | None:
    """The spec of an argument or of a result of a `jax.shard_map` that is called at a place.

    None where that argument has no spec of its own: one spec may stand for several, an argument may be a tree, and what the
    function reads from outside is an argument without a spec.

    Args:
        argument: the number of the argument or result, and how many there are.
    """
    which = "out_specs" if results else "in_specs"
    calls = [
        (node, keyword.value)
        for node in expressions.nodes
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == which
    ]
    inside = [value for node, value in calls if place.contains(place_of(node))]
    found = inside or [value for _, value in calls]
    number, count = argument
    match found:
        case [ast.Tuple(elts=elements)] if len(elements) == count:
            return elements[number]
        case [value] if count == 1 and not isinstance(value, ast.Tuple):
            return value
        case _:
            return None


def _constant(number: str, node: Node | None) -> str:
    """A constant as an expression writes it, if it is one of its own operands."""
    for operand in [] if node is None else ast.iter_child_nodes(node):
        inner = operand.operand if isinstance(operand, ast.UnaryOp) else operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            with contextlib.suppress(ValueError, OverflowError):  # such as `not 2`, or a very large integer
                if f"{ast.literal_eval(operand):g}" == number:
                    return ast.unparse(operand)
    return ""
