"""Which lines of an answer's text JAX differentiates at the answer's own request. The text is read, and never run.

Of such a line, a trace holds the derivative as operations of their own. A changed operation in a trace is then no change of
the text, which would change the derivative with it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.marking.expressions import LONGEST_TEXT

DERIVATIVES = frozenset(
    (
        *("grad", "value_and_grad", "vjp", "jvp", "linearize", "linear_transpose"),
        *("jacfwd", "jacrev", "jacobian", "hessian", "custom_vjp", "custom_jvp"),
    )
)
"""The functions of JAX and Flax that differentiate, by the last part of their names."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def differentiated(text: str) -> set[int]:
    """The lines, from 1, of functions that the answer differentiates, with those of its own functions that these may call.

    Which function a variable holds is not known: if one is called, each `__call__` of a class counts. Where the function
    that is differentiated is none of the text, all lines count.
    """
    if len(text) > LONGEST_TEXT:
        return set(range(1, text.count("\n") + 2))
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    defined: dict[str, list[_Function]] = {}
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defined.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    defined.setdefault(target.id, []).append(node.value)
    waiting: list[_Function] = []
    for given in _given(nodes):
        if isinstance(given, _Function):
            waiting.append(given)
        elif isinstance(given, ast.Name) and given.id in defined:
            waiting += defined[given.id]
        else:
            return set(range(1, text.count("\n") + 2))
    seen: list[_Function] = []
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.append(function)
            waiting += [one for name in _named(function, defined) for one in defined[name]]
    return {line for one in seen for line in range(one.lineno, (one.end_lineno or one.lineno) + 1)}


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


def _named(function: _Function, defined: dict[str, list[_Function]]) -> set[str]:
    """The functions of the text whose names stand in a function, and `__call__` if it calls something else."""
    names: set[str] = set()
    for node in ast.walk(function):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name in defined:
            names.add(name)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and "__call__" in defined:
            names.add("__call__")
    return names
