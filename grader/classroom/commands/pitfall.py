"""`class pitfall`: begin a mistake from an answer that nothing explains, as a comment in the worked answer."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from grader.classroom.clusters import answers_alike, answers_named, identity
from grader.classroom.database import find_gradebook
from grader.classroom.equal_answers import same_form
from grader.classroom.journal import Journal
from grader.classroom.row_text import place_in_words
from grader.commands.parameters import CommonOptions, common, gradebook, name, tell_kit
from grader.kit.files import read_text, rewrite_text
from grader.kit.kit import Kit, KitError
from grader.kit.mistakes import COMMENT, read_forms
from grader.kit.text import visible_lines
from grader.marking.verdict import Verdict
from grader.report.places import messages
from grader.report.terminal import Terminal
from grader.values.places import parsed

GAP = "TODO"
"""Marks what is to be filled in, as in a new problem."""

LEAST_ALIKE = 0.3
"""Two statements that are less alike than this, of 1, are not held to be the same step."""

LARGEST = 250
"""The most parts of a statement that is looked at: an answer nests as deep as it likes."""


@click.command()
@gradebook
@name
@click.argument("answer", metavar="ANSWER")
@click.option("--as", "accepted", metavar="MISTAKE", help="Write it into the worked answer so named [else show it].")
@common
def pitfall(given: CommonOptions, gradebook: Path, name: str, answer: str, accepted: str | None) -> int:
    kit = given.options().kit
    status = begin(kit, gradebook, kit.resolve(name), answer, accepted, colour=given.colour)
    tell_kit(kit)
    return status


def begin(kit: Kit, gradebook: Path, name: str, source: str, accepted: str | None, *, colour: bool) -> int:
    """Show the statement of an answer as a mistake under that of the worked answer. Returns the exit status.

    Args:
        accepted: the name under which it is written into the worked answer; None to write nothing.

    Raises:
        KitError: there is no worked answer or no such answer, or the name cannot name a mistake.
    """
    path = kit.answer(name)
    if not path.is_file():
        raise KitError(f"{kit.opened(path)} is not there: this kit was handed out without solutions.")
    if accepted is not None and not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", accepted):
        raise KitError(f"{accepted!r} cannot name a mistake: write small letters, joined by hyphens.")
    place = find_gradebook(gradebook)
    with Journal(place) as journal:
        rows = [row for row in journal.rows() if row.problem == name]
        if not rows:
            raise KitError(f"{place} holds no answer to {name}: name another gradebook.")
        row = answers_named(rows, source)[0]
        answer, short = journal.text(row.digest), identity(row, rows)
    worked, verdict = read_text(path), row.verdict
    terminal = Terminal.make(colour=colour)
    shared = answers_alike(rows, row)
    terminal.to_do(f"{shared} {'answer goes' if shared == 1 else 'answers go'} wrong like {short}.")
    for line in verdict_in_words(verdict) if verdict else ():
        terminal.line(line)
    places = [place.span.line for place in verdict.where] if verdict else []
    found, right = suggested(worked, name, answer, places), right_lines(worked, name, answer, places)
    for line, ours in right:
        terminal.line(
            f"Line {line} of the answer does what {kit.opened(path)}:{ours} does. So it is no mistake by itself: look at "
            "what it reads."
        )
    if not found:
        said = "is like the one where this answer goes wrong" if places else "can be shown: no place is known"
        terminal.to_do("The answer:" if right else f"No statement of the worked answer {said}. The answer:")
        for line in visible_lines(answer):
            terminal.line(line)
        by_hand = kit.command("guide", "authoring")
        terminal.to_do(f"Write the mistake by hand into {kit.opened(path)}: {by_hand} says how.")
        return 1 if accepted else 0
    _show(terminal, kit.opened(path), found, accepted or f"{GAP.lower()}-{short}")
    if accepted is None:
        terminal.to_do(
            "Is that the mistake? An audit runs this line as your own code, so read it first. To write it there: "
            f"{kit.command('class', 'pitfall', str(gradebook), name, source, '--as', 'MISTAKE')}"
        )
        return 0
    _write(terminal, kit, name, worked, found, accepted)
    return 0


def _show(terminal: Terminal, opened: str, found: Sequence[Suggestion], called: str) -> None:
    for suggestion in found:
        terminal.to_do(f"{opened}:{suggestion.below}")
        for line in (*suggestion.replaced.split("\n"), *(said.strip() for said in suggestion.comment(called))):
            terminal.line(line)
        if suggestion.unknown:
            terminal.line(f"The worked answer has no {', '.join(suggestion.unknown)}: write what it has for that.")


def _write(terminal: Terminal, kit: Kit, name: str, worked: str, found: Sequence[Suggestion], accepted: str) -> None:
    """Write a mistake into the worked answer, and a section for its words if it has none."""
    lines = worked.split("\n")
    for suggestion in sorted(found, key=lambda suggestion: suggestion.below, reverse=True):
        lines[suggestion.below : suggestion.below] = suggestion.comment(accepted)
    has_words = accepted in read_forms(worked)
    said = read_text(kit.words(name)) if kit.words(name).is_file() else ""
    rewrite_text(kit.answer(name), "\n".join(lines))
    if not has_words:
        rewrite_text(kit.words(name), f"{said}{words_of_statement(accepted)}")
        terminal.to_do(f"Fill in what is marked {GAP} in {kit.opened(kit.words(name))}.")
    terminal.to_do(f"Then prove it: {kit.command('audit', name)}")
    terminal.to_do(
        "Then `class grade` grades the answers to this problem again, and `class report` shows which it explains."
    )


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
        ours, theirs = parsed(worked), parsed(answer)
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
        parsed(ast.unparse(step))
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
