"""Grades many files at once, and confirms each timeout alone."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.commands.bar import progress_bar
from grader.kit.problem import ProblemError
from grader.marking.verdict import Verdict
from grader.options import Options
from grader.report.terminal import Terminal


def grade_all(options: Options, targets: Sequence[tuple[str, Path | None]]) -> tuple[list[Verdict | None], list[str]]:
    """Grade files, several at once. Return their verdicts in order, and a line for each fault of the kit."""
    if not targets:
        return [], []
    from grader.grade import grade
    from grader.run.child import Killed
    from grader.run.pool import at_once, slowed_down, threads
    from grader.session import Session

    faults: dict[str, None] = {}
    left, lock = Counter(name for name, _ in targets), threading.Lock()
    drawn = len(targets) == 1 or targets[0][1] is None  # many files get a table: their values need not be held

    def one(target: tuple[str, Path | None]) -> Verdict | None:
        try:
            verdict = grade(session, *target)
            return verdict if drawn else replace(verdict, drawable=None)
        except ProblemError as error:
            faults[str(error)] = None
        except Killed as error:
            faults[f"{options.kit.shown(target[1] or options.kit.stub(target[0]))}: {error}"] = None
        return None

    def beside_others(target: tuple[str, Path | None]) -> Verdict | None:
        verdict = one(target)
        with lock:
            left[target[0]] -= 1
            last = not left[target[0]]
        if last:
            session.release(target[0])
        if not slowed_down(verdict):
            bar.advance()
        return verdict

    def confirmed(target: tuple[str, Path | None], verdict: Verdict | None) -> Verdict | None:
        if not slowed_down(verdict):
            return verdict
        verdict = one(target)
        bar.advance()
        return verdict

    with (
        Session(options.kit, options.device, options.limits, options.policy) as session,
        progress_bar(options, len(targets), "Grading") as bar,
        threads(at_once(options.limits.memory), session.abort) as pool,
    ):
        if len(targets) == 1:
            # A single answer is graded in the main thread, where Ctrl-C interrupts it on every platform.
            graded = [one(targets[0])]
            bar.advance()
        else:
            first = list(pool.map(beside_others, targets))
            graded = [confirmed(target, verdict) for target, verdict in zip(targets, first, strict=True)]
    for note in session.notes:
        Terminal.make(colour=options.colour, stderr=True).fault(note)
    return graded, list(faults)
