"""What to do after a verdict in a notebook, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from grader.commands.catalogue import Listed, sound
from grader.commands.next_step import TOLD, all_solved
from grader.kit.kit import Kit
from grader.kit.progress import Progress
from grader.marking.verdict import Status, Verdict


def following(kit: Kit, verdict: Verdict, listed: Sequence[Listed], progress: Progress) -> str:
    """The line below a report.

    Args:
        listed: the problems in the order in which a learner meets them.
    """
    name = verdict.problem
    if verdict.status is Status.UNATTEMPTED:
        return f'Next: grader.show("{name}") shows what to do. Fill in the function, run its cell, and check again.'
    if verdict.status is Status.CORRECT:
        problems = sound(listed)
        current = progress.current_problem(problems, failed_first=False, after=name)
        then = all_solved(len(problems)) if current in (None, name) else f'Next: grader.show("{current}")'
        if not kit.answer(name).is_file():
            return then
        return f"{then} To compare yours with the worked answer: !{kit.command('solution', name)}"
    if verdict.status is Status.WRONG and not (verdict.diagnosis.names and set(verdict.diagnosis.names) <= TOLD):
        return f'Next: grader.hint("{name}")'
    frames = verdict.raised.frames if verdict.raised else ()
    last = verdict.stopped_at or (frames[-1] if frames else None)
    if last is None or not last.line:
        return "Next: change the function, run it, and check again."
    return f"Next: fix line {last.line}{f' of cell {last.cell}' if last.cell else ''}, run it, and check again."
