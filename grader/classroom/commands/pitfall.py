"""`class pitfall`: begin a mistake from an answer that nothing explains."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from grader.classroom.database import find_gradebook
from grader.classroom.journal import Journal
from grader.classroom.pitfall import (
    GAP,
    Suggestion,
    answers_alike,
    answers_named,
    identity,
    right_lines,
    suggested,
    verdict_in_words,
    words_of_statement,
)
from grader.commands.parameters import CommonOptions, common, gradebook, name, tell_kit
from grader.kit.files import read_text, rewrite_text
from grader.kit.kit import Kit, KitError
from grader.kit.mistakes import read_forms
from grader.kit.text import visible_lines
from grader.report.terminal import Terminal


@click.command()
@gradebook
@name
@click.argument("answer", metavar="ANSWER")
@click.option("--as", "accepted", metavar="MISTAKE", help="Write it into the worked answer so named [else show it].")
@common
def pitfall(given: CommonOptions, gradebook: Path, name: str, answer: str, accepted: str | None) -> int:
    options = given.options()
    status = begin(options.kit, gradebook, name, answer, accepted, colour=given.colour)
    tell_kit(options.kit)
    return status


def begin(kit: Kit, gradebook: Path, problem: str, source: str, accepted: str | None, *, colour: bool) -> int:
    """Show the statement of an answer as a mistake under that of the worked answer. Returns the exit status.

    Args:
        accepted: the name under which it is written into the worked answer; None to write nothing.

    Raises:
        KitError: there is no such problem, worked answer or answer, or the name cannot name a mistake.
    """
    name = kit.resolve(problem)
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
