"""A mistake begun from an answer: which answer is meant, and its statement as a comment in the worked answer."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.classroom.clusters import clusters
from grader.classroom.database import Unusable
from grader.classroom.equal_answers import same_form
from grader.classroom.row import VERDICT, Row
from grader.classroom.row_text import place_in_words
from grader.kit.mistakes import COMMENT
from grader.kit.text import visible_lines
from grader.marking.verdict import Status, Verdict
from grader.report.places import messages

FEWEST_DIGITS = 8
"""The fewest digits of an answer's digest that name it."""


def identity(row: Row, rows: Sequence[Row]) -> str:
    """The beginning of an answer's digest: as long as is needed to tell it from all other texts."""
    others = {each_row.digest for each_row in rows} - {row.digest}
    length = FEWEST_DIGITS
    while length < len(row.digest) and any(other.startswith(row.digest[:length]) for other in others):
        length += 1
    return row.digest[:length]


def answers_named(rows: Sequence[Row], name: str) -> list[Row]:
    """The answers with one text that a name means, the beginning of its digest or a student, by the time of submission.

    Args:
        rows: the answers to one problem.

    Raises:
        Unusable: it means no answer, several texts, or one that no pitfall can come from.
    """
    begins = len(name) >= FEWEST_DIGITS and bool(re.fullmatch("[0-9a-f]+", name))
    found = [row for row in rows if row.student == name or (begins and row.digest.startswith(name))]
    if not found:
        raise Unusable(
            f"No answer here is called {name!r}: give the id that `class report` prints, the first {FEWEST_DIGITS} digits "
            "or more of an answer's digest (`class status --json`), or a student."
        )
    if len({row.digest for row in found}) > 1:
        raise Unusable(
            f"{name!r} means {len({row.digest for row in found})} answers: give more digits of one's digest."
        )
    row = found[0]
    if row.state != VERDICT or row.verdict is None:
        raise Unusable(f"The answer {name!r} has no verdict yet: run `class grade`, then this again.")
    status = row.verdict.status
    if status is not Status.WRONG:
        raise Unusable(
            f"The answer {name!r} is {status.value!r}, not 'wrong': a pitfall is known by the wrong values it gives."
        )
    if row.verdict.diagnosis.explained:
        names = " + ".join(row.verdict.diagnosis.names)
        raise Unusable(f"The answer {name!r} is explained already, by {names}: there is nothing to add.")
    return sorted(found, key=lambda row: (row.submitted, row.student))


def answers_alike(rows: Sequence[Row], row: Row) -> int:
    """How many answers go wrong as one does, with itself."""
    return next((len(cluster.rows) for cluster in clusters(rows) if row in cluster.rows), 1)


GAP = "TODO"
"""Marks what is to be filled in, as in a new problem."""

LEAST_ALIKE = 0.3
"""Two statements that are less alike than this, of 1, are not held to be the same step."""

LARGEST = 250
"""The most parts of a statement that is looked at: an answer nests as deep as it likes."""


@dataclass(frozen=True)
class Suggestion:
    """A statement of an answer in the place of a statement of the worked answer.

    Attributes:
        below: the line of the worked answer after which its comment belongs, counted from 1.
        replaced: the statement of the worked answer.
        column: where it begins.
        lines: the answer's statement, with the names that the worked answer has for the same things.
        unknown: the names in it that the worked answer does not have.
    """

    below: int
    replaced: str
    column: int
    lines: tuple[str, ...]
    unknown: tuple[str, ...]

    def comment(self, name: str) -> list[str]:
        """The lines to write into the worked answer."""
        mark = " " * self.column + "#:"
        if len(self.lines) == 1 and " -> " not in self.lines[0]:
            return [f"{mark} {name}: {self.lines[0]}"]
        return [f"{mark} {name}:", *(f"{mark}     {line}" for line in self.lines)]


def suggested(worked: str, name: str, answer: str, lines: Sequence[int]) -> list[Suggestion]:
    """For each place of an answer, its statement under the statement of the worked answer that is most alike.

    A statement that does the same in another form is no mistake (see `right_lines`).

    Args:
        worked: the text of the worked answer.
        name: of the problem.
        answer: the text of the answer.
        lines: where it goes wrong, counted from 1.
    """
    found: list[Suggestion] = []
    for step, ours, theirs in _places(worked, answer, lines):
        functions = [node for node in ours.body if isinstance(node, ast.FunctionDef) and node.name == name]
        scored = [(_alike(step, statement), statement) for function in functions for statement in _steps(function)]
        alike, best = max(scored, key=lambda pair: pair[0], default=(0.0, step))
        if alike >= LEAST_ALIKE and same_form(step, theirs, ours, name) is None:
            found.append(_suggestion(worked, ours, best, step))
    return list(dict.fromkeys(found))


def right_lines(worked: str, name: str, answer: str, lines: Sequence[int]) -> list[tuple[int, int]]:
    """Of the places of an answer, those that do what a statement of the worked answer does, in the same or in another form.

    Returns:
        the line of the answer, and that of the worked answer.
    """
    same = [(step.lineno, same_form(step, theirs, ours, name)) for step, ours, theirs in _places(worked, answer, lines)]
    return list(dict.fromkeys((line, statement.lineno) for line, statement in same if statement is not None))


def _places(worked: str, answer: str, lines: Sequence[int]) -> Iterator[tuple[ast.stmt, ast.Module, ast.Module]]:
    """The statements of an answer at these lines, each with both trees."""
    try:
        ours, theirs = ast.parse(worked), ast.parse(answer)
    except (SyntaxError, ValueError, RecursionError):
        return
    for line in dict.fromkeys(lines):
        holding = [step for step in _steps(theirs) if step.lineno <= line <= (step.end_lineno or step.lineno)]
        if holding and sum(1 for _ in ast.walk(holding[-1])) <= LARGEST:
            yield holding[-1], ours, theirs


def _steps(tree: ast.AST) -> list[ast.stmt]:
    """The statements that hold no others."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr))
    ]


def _alike(first: ast.AST, second: ast.AST) -> float:
    """How alike two statements are but for the names in them, from 0 to 1."""
    shapes = [re.sub(r"id='\w+'", "id", ast.dump(node)) for node in (first, second)]
    texts = [ast.unparse(node) for node in (first, second)]
    return sum(difflib.SequenceMatcher(a=mine, b=others).ratio() for mine, others in (shapes, texts)) / 2


def _suggestion(worked: str, ours: ast.Module, best: ast.stmt, step: ast.stmt) -> Suggestion:
    known = {node.id for node in ast.walk(ours) if isinstance(node, ast.Name)}
    known |= {node.arg for node in ast.walk(ours) if isinstance(node, ast.arg)}
    renamed = dict(_renamed(step, best))
    made = _Renamed({theirs: name for theirs, name in renamed.items() if theirs not in known}).visit(
        ast.parse(ast.unparse(step))
    )
    unknown = {
        node.id
        for node in ast.walk(made)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known
    } - set(dir(builtins))
    text = worked.split("\n")
    below = best.end_lineno or best.lineno
    replaced = "\n".join(line.strip() for line in text[best.lineno - 1 : below])
    while below < len(text) and COMMENT.match(text[below]):
        below += 1
    lines = tuple(" ".join(visible_lines(line)) for line in ast.unparse(made).split("\n"))
    return Suggestion(below, replaced, best.col_offset, lines, tuple(sorted(unknown)))


def _renamed(theirs: ast.AST, ours: ast.AST) -> Iterator[tuple[str, str]]:
    """The names at the same places of two trees."""
    if isinstance(theirs, ast.Name) and isinstance(ours, ast.Name):
        yield theirs.id, ours.id
    if type(theirs) is type(ours):
        for node, other in zip(ast.iter_child_nodes(theirs), ast.iter_child_nodes(ours), strict=False):
            yield from _renamed(node, other)


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)


def words_of_statement(name: str) -> str:
    """The section of `mistakes.md` for a mistake, with what is to be filled in."""
    return f"\n## {name}\n\n{GAP}: what its numbers show.\n\n> {GAP}: a question that helps to find the mistake?\n"


def verdict_in_words(verdict: Verdict) -> list[str]:
    """What a verdict says of an answer, for an instructor."""
    lines: list[str] = []
    if failing := verdict.failing:
        count = sum(not case.passed for case in verdict.cases)
        arguments = ", ".join(f"{name}={value}" for name, value in failing.args.items())
        lines.append(f"It fails on {count} of {len(verdict.cases)} cases. The smallest is {arguments}.")
    if excerpt := verdict.excerpt:
        if excerpt.place:
            lines.append(str(excerpt.place))
        lines.append("  ".join((f"{'':10}", *(f"{column!s:>12}" for column in excerpt.columns))))
        for title, values in (("expected", excerpt.expected), ("given", excerpt.yours)):
            lines.append("  ".join((f"{title:10}", *(f"{value:12.6g}" for value in values))))
    places = zip(verdict.where, messages(verdict.where), strict=True)
    return [*lines, *(f"{place_in_words(place)}. {message}" for place, message in places)]
