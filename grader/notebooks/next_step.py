"""What to do after a verdict in a notebook, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from grader.commands.catalogue import Listed, sound
from grader.commands.next_step import TOLD, all_solved
from grader.kit.kit import Kit
from grader.kit.progress import Progress
from grader.locale.language import gettext
from grader.marking.verdict import Status, Verdict


def following(kit: Kit, verdict: Verdict, listed: Sequence[Listed], progress: Progress) -> str:
    """The line below a report.

    Args:
        listed: the problems in the order in which a learner meets them.
    """
    name = verdict.problem
    if verdict.status is Status.UNATTEMPTED:
        said = gettext("Next: {command} shows what to do. Fill in the function, run its cell, and check again.")
        return said.format(command=f'grader.show("{name}")')
    if verdict.status is Status.CORRECT:
        problems = sound(listed)
        current = progress.current_problem(problems, failed_first=False, after=name)
        then = all_solved(len(problems)) if current in (None, name) else _next(f'grader.show("{current}")')
        if not kit.answer(name).is_file():
            return then
        compare = gettext("To compare yours with the worked answer: {command}")
        return f"{then} {compare.format(command='!' + kit.command('solution', name))}"
    if verdict.status is Status.WRONG and not (verdict.diagnosis.names and set(verdict.diagnosis.names) <= TOLD):
        return _next(f'grader.hint("{name}")')
    frames = verdict.raised.frames if verdict.raised else ()
    last = verdict.stopped_at or (frames[-1] if frames else None)
    if last is None or not last.line:
        return gettext("Next: change the function, run it, and check again.")
    if last.cell:
        said = gettext("Next: fix line {line} of cell {cell}, run it, and check again.")
    else:
        said = gettext("Next: fix line {line}, run it, and check again.")
    return said.format(line=last.line, cell=last.cell)


def _next(command: str) -> str:
    return gettext("Next: {command}").format(command=command)
