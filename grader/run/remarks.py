"""Insights that the text of an answer gives without a run."""

from __future__ import annotations

import ast

from grader.locale.language import gettext
from grader.marking.places import Line, in_lines
from grader.marking.verdict import PRINTS, UNUSED_UPDATE, XOR
from grader.run.result import Remark

_PRINTING = ("print", "pprint", "breakpoint")
_PRINTING_METHODS = ("print", "pprint")


def remarks(text: str) -> list[Remark]:
    """Insights: whether the answer prints, where it uses `^`, and where it drops a changed array.

    Raises:
        SyntaxError: if the text is not Python.
    """
    nodes = list(ast.walk(ast.parse(text)))
    found: list[Remark] = []
    if printing := next((name for name in map(_printing, nodes) if name), ""):
        said = gettext(
            "It uses `{name}`. Its cases ran as written, one by one without jax.jit, so that each prints its own numbers."
        )
        found.append(Remark(PRINTS, said.format(name=printing)))
    operations = [node for node in nodes if isinstance(node, ast.BinOp | ast.AugAssign)]
    if lines := [node.lineno for node in operations if isinstance(node.op, ast.BitXor)]:
        said = gettext("The code at {line} uses `^`. In Python this is bitwise exclusive or; a power is written `**`.")
        found.append(Remark(XOR, said.format(line=in_lines([Line(min(lines))])), min(lines)))
    if lines := [node.lineno for node in nodes if isinstance(node, ast.Expr) and _updates(node.value)]:
        said = gettext(
            "The result of {line} is not used. `.at[].set()` changes nothing: it returns a new array. Assign it, as in "
            "x = x.at[i].set(value)."
        )
        found.append(Remark(UNUSED_UPDATE, said.format(line=in_lines([Line(min(lines))])), min(lines)))
    return found


def _printing(node: ast.AST) -> str:
    """The name of what prints, such as `print` or `jax.debug.print`; empty if this is none."""
    match node:
        case ast.Name(id=name) if name in _PRINTING:
            return name
        case ast.Attribute(attr=name) if name in _PRINTING_METHODS:
            whole = ast.unparse(node)
            return whole if whole.replace(".", "").isidentifier() else name
        case _:
            return ""


def _updates(node: ast.expr) -> bool:
    """Whether it is a call like `x.at[i].set(value)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at")), attr=name)):
            return name != "get"
        case _:
            return False
