"""Grades one answer after another for a notebook, keeps warm what they share, and says what to do next."""

from __future__ import annotations

import contextlib
import datetime
import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.commands.learner import ListedProblem, catalogue, held_back, sound
from grader.commands.next_step import TOLD, all_solved
from grader.grade import grade_text
from grader.kit import progress as progress_file
from grader.kit.kit import Kit
from grader.kit.notebook_verdict import CellOrigin, placed
from grader.kit.problem_error import ProblemError
from grader.kit.progress import NotSaved, Progress
from grader.kit.state import take_warnings
from grader.locale.language import gettext
from grader.marking.verdict import Status, Verdict
from grader.notebooks.messages import JudgeReply, JudgeRequest
from grader.options import FULL, Limits, NoSuchDevice, Policy, Unconfined
from grader.report.feedback import in_force, limited
from grader.report.html import picture
from grader.report.terminal import device_text
from grader.run.child import LaunchError
from grader.session import Session


def following_step(kit: Kit, verdict: Verdict, listed: Sequence[ListedProblem], progress: Progress) -> str:
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
        current = progress.next_problem(problems, after=name)
        then = all_solved(len(problems)) if current in (None, name) else _next_problem(f'grader.show("{current}")')
        if not kit.answer(name).is_file():
            return then
        compare = gettext("To compare yours with the worked answer: {command}")
        return f"{then} {compare.format(command='!' + kit.command('solution', name))}"
    if verdict.status is Status.WRONG and not (verdict.diagnosis.names and set(verdict.diagnosis.names) <= TOLD):
        return _next_problem(f'grader.hint("{name}")')
    frames = verdict.raised.frames if verdict.raised else ()
    last = verdict.stopped_at or (frames[-1] if frames else None)
    if last is None or not last.line:
        return gettext("Next: change the function, run it, and check again.")
    if last.cell:
        said = gettext("Next: fix line {line} of cell {cell}, run it, and check again.")
    else:
        said = gettext("Next: fix line {line}, run it, and check again.")
    return said.format(line=last.line, cell=last.cell)


def _next_problem(command: str) -> str:
    return gettext("Next: {command}").format(command=command)


DEVICE = "cpu"
"""Where answers run. On a GPU, the notebook's own JAX would hold the memory that they need."""


class Warm:
    """Grades answers in one session, until one is asked for on another kit or with other options."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._key: object = None
        self._name = ""
        self._prints: dict[str, str] = {}
        self._listed: list[ListedProblem] = []
        self._notes: list[str] = []

    def graded(self, asked: JudgeRequest) -> JudgeReply:
        """The outcome for one answer. What goes wrong beside it is told in one line."""
        try:
            session = self._session_for(asked)
            verdict = placed(grade_text(session, asked.name, asked.text, asked.shown), CellOrigin.of_text(asked.origin))
        except ProblemError as error:
            located = Kit(Path(asked.kit)).located(str(error))
            said = gettext("A fault of the kit, not of your answer: {fault}").format(fault=located)
            return JudgeReply(fault=said, notes=tuple(take_warnings()))
        except NoSuchDevice as error:
            return JudgeReply(fault=gettext("JAX finds no {device} here: {why}").format(device=DEVICE, why=error))
        except (Unconfined, LaunchError) as error:
            return JudgeReply(fault=str(error).replace("--tier C", 'confine="C"'))
        progress, notes = self._remembered(session.kit, verdict)
        policy = replace(session.policy, feedback=asked.feedback)
        full = asked.feedback == FULL
        shown = held_back(session.kit, verdict) if full else limited(verdict, asked.feedback)
        drawn = shown.drawable if shown.status is Status.WRONG else None
        earlier, self._notes = self._notes, []
        return JudgeReply(
            replace(shown, drawable=None),
            following_step(session.kit, shown, self._listed, progress),
            in_force(policy, [verdict], "seed="),
            device_text(DEVICE),
            notes=(*notes, *earlier, *take_warnings()),
            picture="" if drawn is None else picture(drawn),
        )

    def get_ready(self, asked: JudgeRequest) -> None:
        """Prepare the oracle and the process of the next answer, while the learner thinks."""
        session = self._session
        if session is None:
            return
        with contextlib.suppress(NoSuchDevice, LaunchError, Unconfined):  # the next grading reports it
            if note := session.get_ready(asked.name, asked.text):
                self._notes.append(note)

    def _session_for(self, asked: JudgeRequest) -> Session:
        """The session that fits: a new one if the kit or an option is another one, or the problem has changed."""
        kit = Kit(Path(asked.kit))
        key = (asked.kit, asked.confine, asked.fresh, asked.seconds)
        fingerprint = progress_file.fingerprint_of_problem(kit, asked.name, DEVICE)
        session = self._session
        changed = self._prints.setdefault(asked.name, fingerprint) != fingerprint
        if session is None or key != self._key or changed:
            if session is not None:
                self._session = None
                session.__exit__(None, None, None)
                self._notes += session.notes
            fresh = secrets.randbelow(1 << 31) if asked.fresh is None and asked.confine else asked.fresh
            session = Session(kit, DEVICE, Limits(asked.seconds, option="cpu_limit="), Policy(asked.confine, fresh))
            self._listed, self._prints = catalogue(kit), {asked.name: fingerprint}
        elif asked.name != self._name:
            session.release(self._name)  # the process of a reference holds memory
        self._session, self._key, self._name = session, key, asked.name
        return session

    def _remembered(self, kit: Kit, verdict: Verdict) -> tuple[Progress, list[str]]:
        """The progress, in which a right answer solves its problem, and a line if that cannot be saved.

        The last verdict stays as it is: it is about the stub.
        """

        def record(progress: Progress) -> None:
            progress.graded(verdict.problem)
            if verdict.status is Status.CORRECT:
                progress.solved.setdefault(verdict.problem, datetime.date.today().isoformat())

        try:
            return progress_file.update(kit, record), []
        except (NotSaved, OSError) as error:
            known = progress_file.load(kit)
            record(known)
            return known, [gettext("{why}: nothing is kept for next time.").format(why=error)]
