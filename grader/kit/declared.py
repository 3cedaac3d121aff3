"""The lines of a worked answer at which its cases are declared."""

from __future__ import annotations

import ast


def case_lines(text: str) -> list[int]:
    """The line of each case, in order; empty where the cases are not written out as a list."""
    return [
        one.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Problem"
        for given in node.keywords
        if given.arg == "cases" and isinstance(given.value, (ast.List, ast.Tuple))
        for one in given.value.elts
    ]
