"""Changes of a worked answer's text that some case should tell: a constant's fifth digit, an argument one more or less."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from grader.author.calls import Calls, CheckedCall, earlier_cases, probe_cases
from grader.kit.arguments import Whole
from grader.kit.files import Unreadable, read_text
from grader.kit.problem import Case, Problem, arguments_of, fault_of
from grader.kit.problem_error import ProblemError
from grader.kit.solution import Solution, bare
from grader.oracle.expect import Raises, trace, uncertain
from grader.values.places import lines_of, parsed, replaced

RELATIVE_CHANGE = 1e-5
"""The relative change of a constant."""

NEAR_MISS, PLUS_ONE, MINUS_ONE = "near-miss", "argument-plus-one", "argument-minus-one"
TEXT_CHANGES = (NEAR_MISS, PLUS_ONE, MINUS_ONE)
"""The kinds of changes, as comments `# survives NAME: why` name them."""


@dataclass(frozen=True)
class TextChange:
    """An answer with one change of its text: its kind, its line, what stands there, what stood there, and the text."""

    name: str
    line: int
    new: str
    old: str
    text: str


def near_misses(text: str) -> Iterator[TextChange]:
    """The answer with one of its float constants changed, for each of them that is not zero."""
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Constant) and type(node.value) is float and node.value:
            yield _changed(text, NEAR_MISS, node, repr(wrong(node.value)), repr(node.value))


def wrong(value: float) -> float:
    """A constant with another fifth digit."""
    return float(f"{value * (1 + RELATIVE_CHANGE):.12g}")


def argument_changes(text: str, arguments: Container[str]) -> Iterator[TextChange]:
    """The answer with one use of an argument that is one more, or one less, for each use of these arguments.

    A mutant changes operations of the program, where the number of rows is gone: it became shapes and constants.
    """
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in arguments:
            yield _changed(text, PLUS_ONE, node, f"({node.id} + 1)", node.id)
            yield _changed(text, MINUS_ONE, node, f"({node.id} - 1)", node.id)


def _changed(text: str, name: str, node: ast.expr, new: str, old: str) -> TextChange:
    return TextChange(name, node.lineno, new, old, replaced(text, node, new))


def given_lines(text: str, stub: str) -> set[int]:
    """The lines of a worked answer that the stub has too: nobody gets them wrong."""
    given = {line.strip() for line in lines_of(stub)} - {""}
    return {number for number, line in enumerate(lines_of(text), start=1) if line.strip() in given}


def explanations(text: str) -> dict[tuple[int, str], str]:
    """The comments `# survives NAME: why` of a reference, by (line, name): on the line of the operation or above it."""
    found: dict[tuple[int, str], str] = {}
    for number, line in enumerate(lines_of(text), start=1):
        if match := re.search(r"#\s*survives ([a-z0-9_-]+): *(\S.*)", line):
            found[number, match[1]] = match[2]
    return found


def examine_text_changes(problem: Problem, file: str, stub: str = "") -> dict[str, Any]:
    """Find the changes of the worked answer's text that no case tells from the truth, though another call does.

    A near miss is tried on other seeds of the cases, and a change of an argument on other sizes too.

    Args:
        file: the path of the worked answer.
        stub: the text of the stub. Lines that it has need no changes.

    Returns:
        a document for JSON: `untold`, each `name`, `line`, `text`, and `probe`, a case that would tell it; `stale`, the
        explanations of changes that some case tells, each `name` and `line`.
    """
    path = Path(file)
    try:
        text = read_text(path)
        explained = {at for at in explanations(text) if at[1] in TEXT_CHANGES}
        given = given_lines(text, stub)
        text = bare(text, numbered=True)
    except (Unreadable, SyntaxError):
        return {"untold": [], "stale": []}  # reported when the answer is run
    calls = _TextCalls(problem, str(path))
    whole = {name for name, argument in arguments_of(problem).items() if isinstance(argument, Whole)}
    found: list[dict[str, Any]] = []
    used: set[tuple[int, str]] = set()
    for change in chain(near_misses(text), argument_changes(text, whole)):
        if change.line in given or not (probe := calls.probe(change)):
            continue
        if here := explained & {(change.line, change.name), (change.line - 1, change.name)}:
            used |= here
            continue
        found.append(
            {"name": change.name, "line": change.line, "text": f"{change.new}` for `{change.old}", "probe": list(probe)}
        )
    stale = [{"line": line, "name": name} for line, name in sorted(explained - used)]
    return {"untold": found, "stale": stale}


class _TextCalls(Calls):
    """The cases and other calls, to try changed texts on."""

    def __init__(self, problem: Problem, file: str) -> None:
        super().__init__(problem)
        self._file = file

    @cached_property
    def _earlier(self) -> list[CheckedCall]:
        return list(self.beyond(earlier_cases(self._problem, self._file)))

    @cached_property
    def _sizes(self) -> list[CheckedCall]:
        return list(self.beyond(probe_cases(self._problem)))

    def _neighbours(self, argument: str) -> list[CheckedCall]:
        """The calls whose argument is one step less or more than in a case: there a mistake at an end shows most often."""
        index, kind = self._problem.parameters.index(argument), arguments_of(self._problem)[argument]
        cases, step = self._problem.cases, kind.step if isinstance(kind, Whole) else 1
        moved = [(*case[:index], case[index] + move, *case[index + 1 :]) for case in cases for move in (-step, step)]
        return list(self.beyond(case for case in moved if case not in cases and not fault_of(self._problem, case)))

    def probe(self, change: TextChange) -> Case | None:
        """A call that tells a change, if no case does; None where some case does, or no call.

        An error in a case tells nothing by itself: an answer that guards against it may have the mistake.
        """
        problem = self._problem
        try:
            answer = replace(problem, solution=Solution(problem.name, self._file, change.text, ()))
        except Exception:  # the answer's own code may raise anything, and that is reported when the answer is run
            return None
        raised = 0
        for call in self.chosen:
            told = _told(answer, call)
            if told:
                return None
            raised += told is None
        if raised == len(self.chosen):
            return None
        return next((call.case for call in self._other_calls(change) if _told(answer, call) and call.may_be_case), None)

    def _other_calls(self, change: TextChange) -> Iterator[CheckedCall]:
        yield from self._earlier
        if change.name == NEAR_MISS:
            yield from self.on_other_seeds
        else:
            yield from self._neighbours(change.old)
            yield from self._sizes


def _told(answer: Problem, call: CheckedCall) -> bool | None:
    """Whether a call tells a changed answer by what it gives; None where the answer raises."""
    try:
        traced = trace(answer, call.case)
        values = traced.exact
    except Raises:
        return None
    except ProblemError:
        return True  # what has no program is judged by its values alone
    return call.program_differs(values, lambda: uncertain(traced))
