"""The lines of a reference at which its pitfalls and its cases are declared."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def pitfall_lines(text: str) -> dict[str, int]:
    """The line at which each pitfall is declared, by its name. Of two with one name, the second."""
    return {
        call.args[0].value: call.lineno
        for call in _calls(text, "Pitfall")
        if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)
    }


def case_lines(text: str) -> list[int]:
    """The line of each case, in order; empty where the cases are not written out as a list."""
    return [
        one.lineno
        for call in _calls(text, "Problem")
        for given in call.keywords
        if given.arg == "cases" and isinstance(given.value, (ast.List, ast.Tuple))
        for one in given.value.elts
    ]


def _calls(text: str, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node
