"""Near misses: the worked answer with one float constant changed in the fifth digit. Each should be wrong on some case."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.author.calls import Call, calls_on_other_seeds
from grader.author.mutation_score import explanations, given_lines
from grader.kit.files import Unreadable, read_text
from grader.kit.problem import Case, Problem
from grader.kit.problem_error import ProblemError
from grader.kit.solution import Solution, bare
from grader.marking.expressions import lines_of
from grader.oracle.expect import trace, uncertain

RELATIVE_CHANGE = 1e-5
"""The relative change of a constant."""

EXPLAINED = "near-miss"
"""The name in the comment `# survives near-miss: why`."""


@dataclass(frozen=True)
class NearMiss:
    """An answer with one changed constant: where the constant is, its right value, and the text with the wrong one."""

    line: int
    column: int
    value: float
    text: str


def near_misses(text: str) -> Iterator[NearMiss]:
    """The answer with one of its float constants changed, for each of them that is not zero."""
    lines = [one.rstrip("\r\n") for one in lines_of(text)]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and type(node.value) is float and node.value:
            line = lines[node.lineno - 1].encode()  # the columns of a syntax tree count bytes
            changed = line[: node.col_offset] + repr(wrong(node.value)).encode() + line[node.end_col_offset :]
            whole = [*lines[: node.lineno - 1], changed.decode(), *lines[node.lineno :]]
            yield NearMiss(node.lineno, node.col_offset, node.value, "\n".join(whole))


def wrong(value: float) -> float:
    """A constant with another fifth digit."""
    return float(f"{value * (1 + RELATIVE_CHANGE):.12g}")


def examine_near_misses(problem: Problem, file: str, stub: str = "") -> dict[str, Any]:
    """Find the near misses of the worked answer that no case tells from the truth, though another seed of a case does.

    Args:
        file: the path of the worked answer.
        stub: the text of the stub. Lines that it has need no near misses.

    Returns:
        a document for JSON: `near_misses`, each `line`, `text`, and `probe`, a case that would tell it.
    """
    path = Path(file)
    try:
        text = read_text(path)
        explained = {line for line, name in explanations(text) if name == EXPLAINED}
        given = given_lines(text, stub)
        text = bare(text, numbered=True)
    except (Unreadable, SyntaxError):
        return {"near_misses": []}  # reported when the answer is run
    calls = _Calls(problem)
    found: list[dict[str, Any]] = []
    for near in near_misses(text):
        if near.line in given or not explained.isdisjoint((near.line, near.line - 1)):
            continue
        if probe := calls.probe(near, str(path)):
            found.append({"line": near.line, "text": f"{wrong(near.value)}` for `{near.value}", "probe": list(probe)})
    return {"near_misses": found}


class _Calls:
    """The cases and other seeds of them, to try near misses on."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._chosen = [Call(problem, case) for case in problem.cases]

    @cached_property
    def _others(self) -> list[Call]:
        return calls_on_other_seeds(self._problem, self._chosen)

    def probe(self, near: NearMiss, file: str) -> Case | None:
        """A call that tells a near miss, if no case does; None where some case does, or no call."""
        problem = self._problem
        try:
            answer = replace(problem, solution=Solution(problem.name, file, near.text, ()))
        except Exception:  # the answer's own code may raise anything, and that is reported when the answer is run
            return None
        if any(_told(answer, call) for call in self._chosen):
            return None
        return next((call.case for call in self._others if _told(answer, call) and call.may_be_case), None)


def _told(answer: Problem, call: Call) -> bool:
    try:
        traced = trace(answer, call.case)
        values = traced.exact
    except ProblemError:
        return True  # what has no program is judged by its values alone
    return call.program_differs(values, lambda: uncertain(traced))
