"""How a learner wrote an operation, or a constant of it: as the expression has it, and not as JAX names its operations."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Mapping

from grader.marking.expressions import Node
from grader.marking.places import Edit

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


def written(operation: str, node: Node | None, change: Edit, constant: float = 0.0) -> str:
    """The operation that a repair changes, or the constant: `@`, `jnp.sin`, `.T`, `2`.

    It is empty if the learner did not write it there: a function of a library may hold many.

    Args:
        node: the expression; None if it is not known.
        constant: the one that is changed.
    """
    spelled = _operation(operation, node)
    return _constant(f"{constant:g}", node) if spelled and change is Edit.CONSTANT else spelled


def _constant(number: str, node: Node | None) -> str:
    """A constant as an expression writes it, if it is one of its own operands."""
    for operand in [] if node is None else ast.iter_child_nodes(node):
        inner = operand.operand if isinstance(operand, ast.UnaryOp) else operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            with contextlib.suppress(ValueError, OverflowError):  # such as `not 2`, or a very large integer
                if f"{ast.literal_eval(operand):g}" == number:
                    return ast.unparse(operand)
    return ""
