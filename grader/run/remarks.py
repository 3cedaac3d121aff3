"""Insights that the text of an answer gives without a run."""

from __future__ import annotations

import ast

from grader.marking.verdict import PRINTS, XOR
from grader.run.result import Remark

_PRINTING = ("print", "pprint", "breakpoint")


def remarks(text: str) -> list[Remark]:
    """Insights: whether the answer prints, and where it uses `^`.

    Raises:
        SyntaxError: if the text is not Python.
    """
    nodes = list(ast.walk(ast.parse(text)))
    found: list[Remark] = []
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    if printing := [name for name in _PRINTING if name in names]:
        said = "Its cases ran as written, without jax.jit, so that numbers are printed and not tracers."
        found.append(Remark(PRINTS, f"It uses `{printing[0]}`. {said}"))
    operations = [node for node in nodes if isinstance(node, ast.BinOp | ast.AugAssign)]
    if lines := [node.lineno for node in operations if isinstance(node.op, ast.BitXor)]:
        said = "In Python this is bitwise exclusive or; a power is written `**`."
        found.append(Remark(XOR, f"The code at line {min(lines)} uses `^`. {said}", min(lines)))
    return found
