"""Calls beyond the cases that may show what no case does: those near the cases, and earlier cases."""

from __future__ import annotations

import ast
import contextlib
import random
from collections.abc import Iterator
from pathlib import Path

from grader.kit.problem import Case, Problem, arguments_of, fault_of
from grader.kit.repository import ask_git
from grader.oracle.calls import cost

PROBES_PROPOSED, PROBES_MADE = 60, 16
"""How many calls are proposed, and about how many are made. JAX compiles a draw once for each size, so few are made."""

MOST_TIMES_THE_COST = 4
"""A probe may cost this many times as much as the most expensive case; see `COST_OF_TINY_CASES`."""

COST_OF_TINY_CASES = 400
"""Where all cases are tiny, a probe may cost at least as much as this."""


def probe_cases(problem: Problem) -> Iterator[Case]:
    """Other legal arguments, cheap ones first, none of them a case.

    A combination that makes no sense, and that the problem does not declare as such, is left to the reference to refuse.
    """
    arguments = arguments_of(problem)
    seeds, *sizes = zip(*problem.cases, strict=True)
    near = (each.near(column) for each, column in zip(arguments.values(), sizes, strict=True))
    columns = [sorted({*seeds, 1, 2, 3}), *near]
    largest = max(COST_OF_TINY_CASES, MOST_TIMES_THE_COST * max(cost(case) for case in problem.cases))
    drawn = random.Random(0)
    found: set[Case] = set()
    for case in problem.cases:
        for index, column in enumerate(columns):
            found.update(
                (*case[:index], value, *case[index + 1 :]) for value in drawn.sample(column, min(3, len(column)))
            )
    for _ in range(PROBES_PROPOSED):
        found.add(tuple(drawn.choice(column) for column in columns))
    cheap = (probe for probe in found - set(problem.cases) if cost(probe) <= largest and not fault_of(problem, probe))
    fitting = sorted(cheap, key=cost)
    yield from fitting[:: max(1, len(fitting) // PROBES_MADE)]


MOST_REVISIONS = 8
"""How many commits of a worked answer are looked at for earlier cases."""


def earlier_cases(problem: Problem, file: str) -> list[Case]:
    """The cases of the newest commit that has one which the problem lacks, without those that it has.

    Such a case may have shown what no case shows now. There are none where git knows of no such commit.

    Args:
        file: the path of the worked answer.
    """
    folder, name = Path(file).parent, Path(file).name
    commits = ask_git(folder, "log", f"-{MOST_REVISIONS}", "--format=%H", "--", name) or ""
    for commit in commits.split():
        cases = cases_in(ask_git(folder, "show", f"{commit}:./{name}") or "")
        if lacking := [case for case in cases if case not in problem.cases and not fault_of(problem, case)]:
            return lacking
    return []


def cases_in(text: str) -> list[Case]:
    """The cases that a worked answer declares; none where they are computed, or where the text is not Python."""
    with contextlib.suppress(SyntaxError, ValueError, TypeError):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.keyword) and node.arg == "cases":
                return [tuple(case) for case in ast.literal_eval(node.value)]
    return []
