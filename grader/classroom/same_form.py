"""Whether two statements compute the same, written in different forms: `1 / 10000**e` and `jnp.exp(-e * math.log(10000))`.

Nothing is executed. Arithmetic is done on random numbers in the place of names. What is no arithmetic is a random number
too, the same for the same operation on the same numbers. So what counts as the same is the same, up to chance.
"""

from __future__ import annotations

import ast
import cmath
import hashlib
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

DEPTH = 3
"""How many definitions of names are written out, one in the other."""

_OPERATORS: Mapping[type[ast.operator], Callable[[complex, complex], complex]] = {
    **{ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: pow},
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{"exp": cmath.exp, "log": cmath.log, "sqrt": cmath.sqrt, "sin": cmath.sin, "cos": cmath.cos},
    **{"square": lambda x: x * x, "reciprocal": lambda x: 1 / x, "negative": operator.neg},
    **{"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv},
    **{"power": pow, "pow": pow, "float": complex, "float_power": pow, "true_divide": operator.truediv},
}


class _Unclear(Exception):
    """What an expression computes is not known."""


@dataclass(frozen=True)
class _Text:
    """A function, as far as it is looked at.

    Attributes:
        parameters: in order; empty for one that is bound again.
        bound: all names that it binds.
        known: what each name is that is bound once, at the top of the function or of the file.
        modules: the names of modules, as they are imported.
    """

    parameters: Sequence[str]
    bound: frozenset[str]
    known: Mapping[str, ast.expr]
    modules: frozenset[str]


def same_form(step: ast.stmt, theirs: ast.Module, ours: ast.Module, name: str) -> ast.stmt | None:
    """The statement of our function that computes what a statement of theirs does; None if none is known to.

    Parameters are the same by their places, and other names if they are called alike, or if there is one of each.
    """
    mine, yours = _text(theirs, name), _text(ours, name)
    expression = _computed(step)
    if mine is None or yours is None or expression is None:
        return None
    shared = mine.bound & yours.bound
    found = [_Value(mine, depth, shared).of(expression) for depth in range(DEPTH)]
    for function in (one for one in ours.body if isinstance(one, ast.FunctionDef) and one.name == name):
        for other in function.body:
            if (known := _computed(other)) is not None:
                values = [_Value(yours, depth, shared).of(known) for depth in range(DEPTH)]
                if any(one is not None and one in values for one in found):
                    return other
    return None


def _computed(step: ast.stmt) -> ast.expr | None:
    return step.value if isinstance(step, ast.Assign | ast.AnnAssign | ast.Return) else None


def _text(tree: ast.Module, name: str) -> _Text | None:
    function = next((one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == name), None)
    if function is None:
        return None
    bound = [one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    known = {
        one.targets[0].id: one.value
        for one in (*tree.body, *function.body)
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name)
    }
    aliases = [each for one in ast.walk(tree) if isinstance(one, ast.Import | ast.ImportFrom) for each in one.names]
    return _Text(
        ["" if one.arg in bound else one.arg for one in function.args.args],
        frozenset(bound),
        {one: value for one, value in known.items() if bound.count(one) == 1},
        frozenset((one.asname or one.name).partition(".")[0] for one in aliases),
    )


@dataclass(frozen=True)
class _Value:
    """What expressions of a text are worth, with definitions of names written out to a depth.

    A name that is neither a parameter nor written out is worth the same where both texts have it. One other may be there.
    """

    text: _Text
    depth: int
    shared: frozenset[str]

    def of(self, expression: ast.expr) -> str | None:
        """A value to compare; None if it is not known."""
        leaves: set[str] = set()
        try:
            value = self._of(expression, self.depth, leaves)
        except (_Unclear, OverflowError, ZeroDivisionError, ValueError, TypeError, RecursionError):
            return None
        return None if len(leaves) > 1 else _told(value)

    def _of(self, node: ast.AST, depth: int, leaves: set[str]) -> complex:
        match node:
            case ast.Constant(value=int() | float() as number):
                return complex(number)
            case ast.Constant():
                return _random("constant", repr(node.value))
            case ast.Name(id=name):
                if name in self.text.parameters:
                    return _random("parameter", str(self.text.parameters.index(name)))
                known = self.text.known.get(name)
                if known is not None and (depth or isinstance(known, ast.Constant)):
                    return self._of(known, depth - 1, leaves)
                if name in self.text.modules or name in self.shared:
                    return _random("name", name if name in self.shared else "")
                leaves.add(name)
                return _random("other name")
            case ast.BinOp() if type(node.op) in _OPERATORS:
                one, other = (self._of(each, depth, leaves) for each in (node.left, node.right))
                return _OPERATORS[type(node.op)](one, other)
            case ast.UnaryOp(op=ast.USub()):
                return -self._of(node.operand, depth, leaves)
            case ast.Call():
                return self._call(node, depth, leaves)
            case (
                ast.BinOp()
                | ast.UnaryOp()
                | ast.Compare()
                | ast.Subscript()
                | ast.Attribute()
                | ast.Tuple()
                | ast.List()
            ):
                inner = [
                    self._of(one, depth, leaves) for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)
                ]
                signs = [type(one).__name__ for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr)]
                called = node.attr if isinstance(node, ast.Attribute) else ""
                return _random(type(node).__name__, called, *signs, *map(_told, inner))
            case ast.Slice():
                parts = [self._of(one, depth, leaves) if one else 0j for one in (node.lower, node.upper, node.step)]
                return _random("slice", *map(_told, parts))
            case _:
                raise _Unclear

    def _call(self, node: ast.Call, depth: int, leaves: set[str]) -> complex:
        match node.func:
            case ast.Attribute(attr=name, value=ast.Name(id=module)) if module in self.text.modules:
                given: list[ast.expr] = [*node.args]
            case ast.Attribute(attr=name, value=value):
                given = [value, *node.args]  # a method is the function of the same name
            case ast.Name(id=name):
                given = [*node.args]
            case _:
                raise _Unclear
        values = [self._of(one, depth, leaves) for one in given]
        if name in _FUNCTIONS and not node.keywords:
            return complex(_FUNCTIONS[name](*values))
        named = [f"{one.arg}={_told(self._of(one.value, depth, leaves))}" for one in node.keywords]
        return _random("call", name, *map(_told, values), *sorted(named))


def _random(*of: str) -> complex:
    digest = hashlib.sha256("\n".join(of).encode("utf-8", "surrogatepass")).digest()
    return complex(0.5 + int.from_bytes(digest[:6]) / 2**48)


def _told(value: complex) -> str:
    parts = [part if abs(part) > 1e-9 * abs(value) else 0.0 for part in (value.real, value.imag)]
    return " ".join(f"{part:.9g}" for part in parts)
