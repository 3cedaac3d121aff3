"""Problem + answer -> verdict: the whole flow, on one page. Prints nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.kit import ownership
from grader.kit.files import Missing, Unreadable, trusted_folder
from grader.kit.notebook import read_answer
from grader.kit.notebook_verdict import placed
from grader.kit.shipped_stub import shipped, untouched
from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.conclude import conclude
from grader.marking.facts import Facts, ProgramRequirements
from grader.marking.place_description import described_places
from grader.marking.program_comparison import Exactness
from grader.marking.verdict import Frame, Status, Verdict, Where
from grader.options import NoSuchDevice
from grader.oracle.oracle import Oracle
from grader.run.child import TRIES, Killed
from grader.run.judge.evaluator_client import EvaluatorClient
from grader.run.protocol import Task
from grader.session import Session
from grader.values.message import Message, message, sentences
from grader.values.places import lines_of, while_around


def grade(session: Session, name: str, file: Path | None = None) -> Verdict:
    """Grade one file (the stub, unless another is given) as an answer to a problem.

    Raises:
        KitError: for a stub that nobody has called their own (see `grader.kit.ownership`).
        ProblemError: for a fault of the kit.
        NoSuchDevice: if this machine does not have the device.
        LaunchError: if a process of the grader cannot be started, or was killed again and again.
    """
    if file is None:
        ownership.allow(session.kit, [name], runs=not session.policy.confine)
    below = trusted(session, file)
    file = session.kit.stub(name) if file is None else file.absolute()
    shown = session.kit.shown(file)
    try:
        text, origin = read_answer(file, name, below=below)
    except Unreadable as error:
        unread = "missing" if isinstance(error, Missing) else "unreadable"
        said = Message("{file}: {why}", {"file": shown, "why": error.why})
        return Verdict(name, Status.ERROR, said, file=shown, unread=unread)
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
        unattempted = message("Not filled in yet: it still raises NotImplementedError.")
        return Verdict(name, Status.UNATTEMPTED, unattempted, file=shown)
    oracle = session.oracle(name)
    facts = oracle.facts()
    fresh = None if session.policy.fresh is None else oracle.fresh(session.policy.fresh)
    task = replace(task_of(text, shown, facts.with_cases(fresh.cases if fresh else ())), programs=len(facts.cases))
    attempt = session.attempt(task)
    if attempt.no_device:
        raise NoSuchDevice(attempt.no_device)
    verdict = _judged(
        session, task, oracle, AnswerEvidence(attempt, facts, oracle, fresh, seed=session.policy.fresh or 0)
    )
    return replace(
        _in_its_loop(verdict, text),
        file=shown,
        run=replace(
            attempt.run,
            seconds=round(attempt.run.seconds, 3),
            processor=round(attempt.run.processor, 3),
            fresh=session.policy.fresh if fresh else None,
        ),
    )


def _judged(session: Session, task: Task, oracle: Oracle, answer: AnswerEvidence) -> Verdict:
    """Judge what an answer gave: again if an evaluator of its programs was killed, at most TRIES times.

    Raises:
        Killed: if one was killed each time.
    """
    for _ in range(TRIES - 1):
        with contextlib.suppress(Killed):
            return _judged_once(session, task, oracle, answer)
    return _judged_once(session, task, oracle, answer)


def _judged_once(session: Session, task: Task, oracle: Oracle, answer: AnswerEvidence) -> Verdict:
    if not answer.attempt.gave_values:
        return conclude(answer)  # without the truth, which may not be computed yet
    with evaluators(session, task.text, answer) as programs:
        answer = programs.of(answer)
        while cases := answer.to_call:
            answer = answer.with_calls(cases, session.calls(task, cases))
        return conclude(answer, _places(PlaceSearch(session, task.text, answer, oracle), programs))


@dataclass(frozen=True)
class Evaluators:
    """The evaluators of the programs of an answer: those of its values, and those of its derivatives."""

    value: EvaluatorClient | None
    derivative: EvaluatorClient | None

    def of(self, answer: AnswerEvidence) -> AnswerEvidence:
        """The evidence with these programs."""
        return replace(answer, programs=self.value, derivatives=self.derivative)


@contextlib.contextmanager
def evaluators(session: Session, text: str, answer: AnswerEvidence) -> Generator[Evaluators]:
    """The evaluators of an answer's programs. Each starts when something is asked of it, and ends here."""
    attempt, truth = answer.attempt, answer.oracle.truth()
    called = answer.contract.truth_of_call(truth) if answer.contract else truth
    with (
        session.evaluator(attempt.traced.programs, called, text) as value,
        session.evaluator(attempt.traced.derivatives, truth, text) as derivative,
    ):
        yield Evaluators(value, derivative)


def _places(search: PlaceSearch, programs: Evaluators) -> tuple[Where, ...]:
    """The places where the programs of a wrong answer go wrong; none if the search finds none, or reaches a limit."""
    exact, of_value = search.answer.to_locate, search.answer.wrong_value
    if exact is None:
        return ()
    if not search.answer.derivative:
        return search.found(programs.value, exact)
    found = search.found(programs.value, of_value, of_value=True) if of_value else ()
    return found if of_value is exact else found or search.found(programs.derivative, exact)


@dataclass(frozen=True)
class PlaceSearch:
    """Looks for the places where the programs of a wrong answer go wrong."""

    session: Session
    text: str
    answer: AnswerEvidence
    oracle: Oracle

    def found(self, programs: EvaluatorClient | None, exact: Exactness, *, of_value: bool = False) -> tuple[Where, ...]:
        """The places in programs that are compared so.

        Args:
            of_value: whether they are those of the value alone, where a derivative is asked for too.
        """
        evidence, steps = (
            self.answer.written if of_value else self.answer.of_programs,
            self.oracle.steps(of_value=of_value),
        )
        if (
            programs is None
            or evidence is None
            or steps is None
            or not any(exact.differs[case] for case in steps.cases)
        ):
            return ()
        # Where a derivative is asked for, its program may be searched after that of the value.
        part = 0.5 if self.answer.derivative else 1.0
        due, mistakes = [expected.values for expected in evidence.truth.expected], self.answer.mistakes
        # Two places that are wrong together take as long again to find, and a mistake that has a name needs them less.
        found = programs.where(steps, due, exact.allowed, self.text, part=part, together=not mistakes)
        return described_places(
            found,
            self.text,
            cases=len(steps.cases),
            of=len(exact.differs),
            derivative="" if of_value else self.answer.facts.wrt,
            value_alone=of_value,
            mistakes=0 if of_value else mistakes,
            given=shipped(self.session.kit, self.answer.facts.name) or "",
        )


def _in_its_loop(verdict: Verdict, text: str) -> Verdict:
    """The verdict with the loop that a limit of time ended, if the line that ran is inside a `while` loop."""
    ran = verdict.stopped_at
    begins = 0 if ran is None else while_around(text, ran.line)
    if ran is None or not begins:
        return verdict
    inside = () if verdict.run.endless else (message("It was inside this loop, which may have no end:"),)
    said = sentences(verdict.message, *inside)
    return replace(verdict, message=said, stopped_at=Frame(begins, ran.function, lines_of(text)[begins - 1].strip()))


def trusted(session: Session, file: Path | None) -> Path | None:
    """The folder below which an answer's path may hold no link; None for a learner's own stub, where links are fine."""
    if file is not None:
        return trusted_folder(file.absolute())
    return session.kit.root if session.policy.confine else None


def task_of(text: str, shown: str, facts: Facts) -> Task:
    """What the process of an answer learns about a problem: how to call the answer, and nothing else."""
    asked = facts.name, facts.parameters, facts.cases
    source = text.encode("utf-8", "surrogatepass")
    return Task(
        source,
        shown,
        *asked,
        contract=facts.contract,
        argnum=facts.argnum,
        outlined=facts.asked != ProgramRequirements(),
    )
