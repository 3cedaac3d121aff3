"""Grades many files at once, and confirms each timeout alone."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.console import Bar, progress_bar
from grader.kit.problem_error import ProblemError
from grader.locale.language import gettext
from grader.marking.verdict import Verdict
from grader.options import Options
from grader.report.terminal import Terminal

if TYPE_CHECKING:
    from grader.session import Session

Target = tuple[str, Path | None]
"""The name of a problem, and a file; None for its stub."""


def grade_all(options: Options, targets: Sequence[Target]) -> tuple[list[Verdict | None], list[str]]:
    """Grade files, several at once. Return their verdicts in order, and a line for each fault of the kit."""
    if not targets:
        return [], []
    from grader.run.judge.cores import at_once, threads
    from grader.session import Session

    with (
        Session(options.kit, options.device, options.limits, options.policy) as session,
        progress_bar(options, len(targets), gettext("Grading")) as bar,
        threads(at_once(options.limits.memory), session.abort) as pool,
    ):
        grading = _Grading(options, session, bar, targets)
        if len(targets) == 1:
            # A single answer is graded in the main thread, where Ctrl-C interrupts it on every platform.
            graded = [grading.one(targets[0])]
            bar.advance()
        else:
            first = list(pool.map(grading.beside_others, targets))
            graded = [grading.confirmed(target, verdict) for target, verdict in zip(targets, first, strict=True)]
    for note in session.notes:
        Terminal.make(colour=options.colour, stderr=True).fault(note)
    return graded, list(grading.faults)


class _Grading:
    """The gradings of one command.

    Attributes:
        faults: a line for each fault of the kit, once each.
    """

    def __init__(self, options: Options, session: Session, bar: Bar, targets: Sequence[Target]) -> None:
        self.faults: dict[str, None] = {}
        self._options, self._session, self._bar = options, session, bar
        self._left, self._lock = Counter(name for name, _ in targets), threading.Lock()
        # Many files get a table: their values need not be held.
        self._drawn = len(targets) == 1 or targets[0][1] is None

    def one(self, target: Target) -> Verdict | None:
        """The verdict on a file; None after a fault of the kit."""
        from grader.grade import grade
        from grader.run.child import Killed

        try:
            verdict = grade(self._session, *target)
            return verdict if self._drawn else replace(verdict, drawable=None)
        except ProblemError as error:
            self.faults[str(error)] = None
        except Killed as error:
            name, file = target
            kit = self._options.kit
            self.faults[f"{kit.shown(file or kit.stub(name))}: {error}"] = None
        return None

    def beside_others(self, target: Target) -> Verdict | None:
        """The verdict on a file while others run. What is not confirmed yet does not count as done."""
        from grader.run.judge.cores import slowed_down

        verdict = self.one(target)
        with self._lock:
            self._left[target[0]] -= 1
            last = not self._left[target[0]]
        if last:
            self._session.release(target[0])
        if not slowed_down(verdict):
            self._bar.advance()
        return verdict

    def confirmed(self, target: Target, verdict: Verdict | None) -> Verdict | None:
        """A verdict that the others cannot have changed: what they may have slowed down is graded again, alone."""
        from grader.run.judge.cores import slowed_down

        if not slowed_down(verdict):
            return verdict
        verdict = self.one(target)
        self._bar.advance()
        return verdict
