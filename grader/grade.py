"""Problem + answer -> verdict: the whole flow, on one page. Prints nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from grader.kit.files import Missing, Unreadable, trusted_folder
from grader.kit.notebook import read_answer
from grader.kit.placed import placed
from grader.kit.shipped_stub import shipped, untouched
from grader.marking.asked import Asked
from grader.marking.attempt import Attempt
from grader.marking.conclude import conclude
from grader.marking.contracts import CONTRACTS
from grader.marking.draws import Draw
from grader.marking.evidence import Places, nowhere
from grader.marking.exact import Exactness, compare
from grader.marking.expressions import lines_of, while_around
from grader.marking.facts import Facts, Fresh, Truth
from grader.marking.judge import Answered, differences
from grader.marking.verdict import Frame, Status, Verdict
from grader.marking.where import Where
from grader.marking.where_shown import shown
from grader.options import NoSuchDevice
from grader.oracle.oracle import Oracle
from grader.run.ahead import Ahead, Started
from grader.run.child import TRIES
from grader.run.errors import Killed
from grader.run.replay import Replay
from grader.run.returned import Task
from grader.session import Session


def grade(session: Session, name: str, file: Path | None = None) -> Verdict:
    """Grade one file (the stub, unless another is given) as an answer to a problem.

    Raises:
        ProblemError: for a fault of the kit.
        NoSuchDevice: if this machine does not have the device.
        LaunchError: if a process of the grader cannot be started, or was killed again and again.
    """
    below = trusted(session, file)
    file = session.kit.stub(name) if file is None else file.absolute()
    shown = session.kit.shown(file)
    try:
        text, origin = read_answer(file, name, below=below)
    except Unreadable as error:
        unread = "missing" if isinstance(error, Missing) else "unreadable"
        return Verdict(name, Status.ERROR, f"{shown}: {error}", file=shown, unread=unread)
    verdict = grade_text(session, name, text, shown)
    return verdict if origin is None else placed(verdict, origin)


def grade_text(session: Session, name: str, text: str, shown: str) -> Verdict:
    """Grade a text as an answer to a problem; `shown` is the path of its file, as the verdict holds it.

    Raises:
        ProblemError: for a fault of the kit.
        NoSuchDevice: if this machine does not have the device.
        LaunchError: if a process of the grader cannot be started, or was killed again and again.
    """
    if untouched(session.kit, name, text):
        return Verdict(name, Status.UNATTEMPTED, "Not filled in yet: it still raises NotImplementedError.", file=shown)
    oracle = session.oracle(name)
    facts = oracle.facts()
    fresh = None if session.policy.fresh is None else oracle.fresh(session.policy.fresh)
    task = replace(task_of(text, shown, facts.with_cases(fresh.cases if fresh else ())), programs=len(facts.cases))
    attempt, verdict = _judged(session, task, facts, oracle, fresh)
    return replace(
        _in_its_loop(verdict, text),
        file=shown,
        output=attempt.output,
        seconds=round(attempt.seconds, 3),
        processor=round(attempt.processor, 3),
        device=attempt.device,
        confinement=attempt.confinement,
        fresh=session.policy.fresh if fresh else None,
    )


def _in_its_loop(verdict: Verdict, text: str) -> Verdict:
    """The verdict with the loop that a limit of time ended, if the line that ran is inside a `while` loop."""
    ran = verdict.stopped_at
    begins = 0 if ran is None else while_around(text, ran.line)
    if ran is None or not begins:
        return verdict
    message = (
        verdict.message if verdict.endless else f"{verdict.message} It was inside this loop, which may have no end:"
    )
    return replace(verdict, message=message, stopped_at=Frame(begins, ran.function, lines_of(text)[begins - 1].strip()))


def _judged(session: Session, task: Task, facts: Facts, oracle: Oracle, fresh: Fresh | None) -> tuple[Attempt, Verdict]:
    """Run one answer and judge what it gave: again if the evaluator of its programs was killed, at most TRIES times.

    Raises:
        Killed: if it was killed each time.
    """
    for number in range(TRIES - 1):
        with contextlib.suppress(Killed):
            return _judged_once(session, task, facts, oracle, fresh, early=not number)
    return _judged_once(session, task, facts, oracle, fresh, early=False)


def _judged_once(
    session: Session, task: Task, facts: Facts, oracle: Oracle, fresh: Fresh | None, *, early: bool
) -> tuple[Attempt, Verdict]:
    """Run one answer and judge what it gave.

    Args:
        early: whether its programs are looked at while it runs. One that is not confined could end what looks at them.
    """
    places = PlaceSearch(session, task, facts, oracle)
    # What failed or raised is judged without the truth, which may not be computed yet.
    with Ahead(partial(session.replay, text=task.text), oracle.truth, None if facts.wrt else places) as ahead:
        attempt = session.attempt(task, ahead.begin if early else None)
        if attempt.no_device:
            raise NoSuchDevice(attempt.no_device)
        with ahead.replaying(attempt.programs) as started:
            process = AnswerProcess(places, started)
            seed = session.policy.fresh or 0
            return attempt, conclude(attempt, facts, oracle, fresh, programs=started.replay, process=process, seed=seed)


@dataclass(frozen=True)
class AnswerProcess:
    """An answer that ended, to be asked again, with what was begun on its programs while it ran."""

    search: PlaceSearch
    started: Started = field(default_factory=Started)

    def draws(self, case: int) -> Sequence[Draw]:
        return self.search.session.draws(self.search.task, case)

    def calls(self, cases: Sequence[int]) -> Mapping[int, Answered]:
        return self.search.session.calls(self.search.task, cases, derivative=bool(self.search.facts.wrt))

    def places(self, exact: Exactness, truth: Truth) -> Places:
        """The search for the places: the one that was begun while the answer ran, or else one that begins now."""
        if self.started.replay is None:
            return nowhere
        return self.started.found(exact) or self.search(self.started.replay, exact, truth)


@dataclass(frozen=True)
class PlaceSearch:
    """Looks for the places where the programs of a wrong answer go wrong. Whatever fails on the way, there is none then."""

    session: Session
    task: Task
    facts: Facts
    oracle: Oracle

    def __call__(self, replayed: Replay, exact: Exactness, truth: Truth) -> Places:
        found = self._in_the_value() if self.facts.wrt and _wrong_in_the_value(exact, truth) else ()
        return (lambda _: found) if found else self._asked(replayed, exact, truth, of_value=False)

    def _in_the_value(self) -> tuple[Where, ...]:
        """Under a contract for derivatives, the mistake may be in the value. Its own programs are asked for then."""
        truth = CONTRACTS[self.facts.contract].truth_of_call(self.oracle.truth())
        with self.session.replaying(self.session.traced(self.task), truth, self.task.text) as replayed:
            exact = None if replayed is None else compare(replayed, truth)
            if replayed is None or exact is None or not any(exact.differs):
                return ()
            return self._asked(replayed, exact, truth, of_value=True)(0)

    def _asked(self, replayed: Replay, exact: Exactness, truth: Truth, *, of_value: bool) -> Places:
        steps = self.oracle.steps(of_value=of_value)
        if steps is None or not any(exact.differs[case] for case in steps.cases):
            return nowhere
        text, derivative = self.task.text, "" if of_value else self.facts.wrt
        # Where a derivative is asked for, its program may be searched after that of the value.
        part = 0.5 if self.facts.wrt else 1.0
        located = replayed.where(steps, [due.values for due in truth.expected], exact.allowed, text, part=part)
        value_alone = of_value and bool(self.facts.wrt)

        def places(mistakes: int) -> tuple[Where, ...]:
            counts = {"mistakes": mistakes, "cases": len(steps.cases), "of": len(exact.differs)}
            found, stub = located(), shipped(self.session.kit, self.facts.name) or ""
            return shown(found, text, **counts, derivative=derivative, value_alone=value_alone, given=stub)

        return places


def _wrong_in_the_value(exact: Exactness, truth: Truth) -> bool:
    """Whether programs of a value and its derivative differ from the truth in the value, which is their first half."""
    cases = zip(exact.values, truth.expected, exact.allowed, strict=True)
    return any(bool(np.any((differences(one, due.values) > allowed)[: one.size // 2])) for one, due, allowed in cases)


def trusted(session: Session, file: Path | None) -> Path | None:
    """The folder below which an answer's path may hold no link; None for a learner's own stub, where links are fine."""
    if file is not None:
        return trusted_folder(file.absolute())
    return session.kit.root if session.policy.confine else None


def task_of(text: str, shown: str, facts: Facts) -> Task:
    """What the process of an answer learns about a problem: how to call the answer, and nothing else."""
    asked = facts.name, facts.parameters, facts.cases
    return Task(text, shown, *asked, contract=facts.contract, argnum=facts.argnum, outlined=facts.asked != Asked())
