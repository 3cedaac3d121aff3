"""From what an answer gave to the verdict: the evaluators of its programs, plain calls, the places where it goes wrong."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from threading import Event, Thread, Timer

import numpy as np

from grader.kit.problem_error import ProblemError
from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import Attempt, Traced
from grader.marking.conclude import conclude
from grader.marking.facts import Facts, Fresh
from grader.marking.place_description import described_places
from grader.marking.program_comparison import Exactness
from grader.marking.remarks import of_text
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import Awaited, Status, Verdict, Where
from grader.oracle.oracle import Oracle
from grader.run.child import TRIES, Killed, LaunchError, start_thread
from grader.run.judge.evaluator_client import EvaluatorClient
from grader.run.protocol import Task, TracedPrograms
from grader.session import Session
from grader.values import frames
from grader.values.arrays import Answered, Array

SECONDS_BEFORE_WORDS = 0.1
"""Seconds that a search for places may take before the words are told without them."""

Tell = Callable[[Verdict], None]
"""Is called with a verdict before all of it is known, in a thread of its own."""


def nobody(_: Verdict) -> None:
    """Tells nobody."""


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
    traced, truth = answer.attempt.traced, answer.oracle.truth()
    called = answer.contract.truth_of_call(truth) if answer.contract else truth
    with (
        session.evaluator(traced.programs, called, text) as value,
        session.evaluator(traced.derivatives, truth, text) as derivative,
    ):
        yield Evaluators(value, derivative)


@dataclass(frozen=True)
class Judging:
    """Judges one answer.

    Attributes:
        task: what the process of the answer is asked.
        facts: those of the problem.
        shipped: the text of the shipped stub; empty if it is not known.
        fresh: the inputs beyond the cases, if there are any.
    """

    session: Session
    task: Task
    oracle: Oracle
    facts: Facts
    shipped: str
    fresh: Fresh | None

    def evidence(self, attempt: Attempt) -> AnswerEvidence:
        """What is known of the answer."""
        return AnswerEvidence(attempt, self.facts, self.oracle, self.fresh, seed=self.session.policy.fresh or 0)

    def verdict(self, attempt: Attempt, early: Evaluators | None, tell: Tell = nobody) -> Verdict:
        """Judge what the answer gave: again if an evaluator of its programs was killed, at most TRIES times.

        Args:
            early: evaluators of its programs that are open already; others start without them, and in each new try.
            tell: is called with the verdict without places if these take long to find.

        Raises:
            Killed: if one was killed each time.
        """
        answer = self.evidence(attempt)
        if not attempt.gave_values:
            return conclude(answer)  # without the truth, which may not be computed yet
        if early is not None:
            with contextlib.suppress(Killed):
                return self.concluded(answer, early, tell)
        for _ in range(TRIES - (2 if early is not None else 1)):
            with contextlib.suppress(Killed), evaluators(self.session, self.task.text, answer) as programs:
                return self.concluded(answer, programs, tell)
        with evaluators(self.session, self.task.text, answer) as programs:
            return self.concluded(answer, programs, tell)

    def concluded(self, answer: AnswerEvidence, programs: Evaluators, tell: Tell = nobody) -> Verdict:
        """The verdict, with the plain calls and the places that it needs; `tell` as for `verdict`.

        Raises:
            Killed: if an evaluator was killed.
        """
        answer = programs.of(answer)
        while cases := answer.to_call:
            answer = answer.with_calls(cases, self.session.calls(self.task, cases))
        if tell is nobody or answer.to_locate is None:
            return conclude(answer, self._places(answer, programs))
        without = replace(conclude(answer), awaited=Awaited.PLACE)
        timer = Timer(SECONDS_BEFORE_WORDS, tell, [without])
        timer.start()
        try:
            return conclude(answer, self._places(answer, programs))
        finally:
            timer.cancel()
            timer.join()  # what it tells comes before the verdict

    def _places(self, answer: AnswerEvidence, programs: Evaluators) -> tuple[Where, ...]:
        """The places where the programs of a wrong answer go wrong; none if none is found, or at a limit."""
        exact, of_value = answer.to_locate, answer.wrong_value
        if exact is None:
            return ()
        if not answer.derivative:
            return self._found(answer, programs.value, exact)
        found = self._found(answer, programs.value, of_value, of_value=True) if of_value else ()
        return found if of_value is exact else found or self._found(answer, programs.derivative, exact)

    def _found(
        self, answer: AnswerEvidence, programs: EvaluatorClient | None, exact: Exactness, *, of_value: bool = False
    ) -> tuple[Where, ...]:
        """The places in programs that are compared so.

        Args:
            of_value: whether they are those of the value alone, where a derivative is asked for too.
        """
        evidence = answer.written if of_value else answer.of_programs
        steps = self.oracle.steps(of_value=of_value)
        if (
            programs is None
            or evidence is None
            or steps is None
            or not any(exact.differs[case] for case in steps.cases)
        ):
            return ()
        # Where a derivative is asked for, its program may be searched after that of the value.
        part = 0.5 if answer.derivative else 1.0
        due, mistakes = [expected.values for expected in evidence.truth.expected], answer.mistakes
        # Two places that are wrong together take as long again to find, and a mistake that has a name needs them less.
        found = programs.where(steps, due, exact.allowed, self.task.text, part=part, together=not mistakes)
        return described_places(
            found,
            self.task.text,
            cases=len(steps.cases),
            of=len(exact.differs),
            derivative="" if of_value else answer.facts.wrt,
            value_alone=of_value,
            mistakes=0 if of_value else mistakes,
            given=self.shipped,
        )


class EarlyVerdict:
    """Judges an answer by its programs alone, in a thread, while its values are being computed.

    Of a wrong answer, it tells a verdict without places, and then looks for these: a search takes long. What it asks of the
    evaluators need not be asked again for the verdict that stays. Where many answers run at once, it does nothing: no core
    would be idle.

    Args:
        tell: is called with the verdict on an answer whose programs show that it is right, or that it is wrong, if its
            values are not there yet.

    Attributes:
        told: whether it was called with a wrong answer.
    """

    def __init__(self, judging: Judging, tell: Tell) -> None:
        self._judging, self._tell, self.told = judging, tell, False
        self._thread: Thread | None = None
        self._over, self._unwanted = Event(), False
        self._open = contextlib.ExitStack()
        self._of: Traced | None = None
        self._evaluators: Evaluators | None = None
        self._fault: Exception | None = None

    def begin(self, programs: TracedPrograms) -> None:
        """Begin, once the programs are there."""
        if self._thread is None and self._judging.session.cores is None:
            self._thread = start_thread(self._work, programs)

    def wait(self) -> None:
        """Wait until what was begun is done, and has told.

        Raises:
            Exception: what went wrong in it, if that is a fault of the grader.
        """
        if self._thread is not None:
            self._thread.join()
        if self._fault is not None:
            raise self._fault

    @contextlib.contextmanager
    def ended(self, attempt: Attempt) -> Generator[Evaluators | None]:
        """Once the attempt has ended: the evaluators of its programs, if they are open. They end with the block."""
        self._over.set()
        with self._open:
            if attempt.gave_values:
                self.wait()
            else:
                self._unwanted = True
                self._open.close()  # which ends the thread
            traced = attempt.traced
            same = self._of is not None and (self._of.programs, self._of.derivatives) == (
                traced.programs,
                traced.derivatives,
            )
            yield self._evaluators if same else None

    def _work(self, programs: TracedPrograms) -> None:
        try:
            self._judge(programs)
        except (Killed, LaunchError, ProblemError):
            pass  # the verdict on the values meets the same, and says so
        except Exception as error:
            self._fault = error

    def _judge(self, programs: TracedPrograms) -> None:
        """Tell the verdict, as far as the programs alone show it; of a wrong answer, look for places then."""
        judging = self._judging
        traced = Traced(programs.outlines, None, programs.programs, programs.derivatives)
        answer = judging.evidence(Attempt(traced=traced))
        opened = self._open.enter_context(evaluators(judging.session, judging.task.text, answer))
        if self._unwanted:
            self._open.close()
            return
        self._of, self._evaluators = traced, opened
        attempt = as_computed(programs.dtypes, opened, judging.task)
        if attempt is None:
            return
        answer = opened.of(judging.evidence(replace(attempt, traced=traced)))
        if answer.shown_right and judging.fresh is None:
            verdict = conclude(answer)
            if verdict.status is Status.CORRECT and not self._over.is_set():
                self._tell(replace(verdict, awaited=Awaited.VALUES))
            return
        if not answer.shown_wrong or answer.to_call:  # a plain call says more than the program then
            return
        verdict = conclude(answer)
        if self._over.is_set():  # the verdict that stays is next, and looks for places itself
            return
        if verdict.status is Status.WRONG:
            self.told = True
            self._tell(replace(verdict, awaited=Awaited.VALUES_AND_PLACE))
        judging.concluded(answer, opened)


KNOWN = frames.DTYPES - {"bfloat16"}
"""The dtypes that NumPy has."""


def as_computed(dtypes: tuple[str, ...], programs: Evaluators, task: Task) -> Attempt | None:
    """What an answer gives if JAX computes what its programs say; None if that is not known.

    Args:
        dtypes: the names of those of its values.
    """
    exact = programs.value and programs.value.values()
    if not exact or len(exact) != len(dtypes) or not KNOWN.issuperset(dtypes):
        return None
    answered = [_rounded(values, dtype) for values, dtype in zip(exact, dtypes, strict=True)]
    contract = CONTRACTS.get(task.contract)
    transformed = answered if contract and contract.compares and not contract.derivative else []
    if programs.derivative is not None:
        transformed = [_rounded(values, "float32") for values in programs.derivative.values() or ()]
    return Attempt(answered=answered, transformed=transformed, compiled=True, insights=of_text(task.text))


def _rounded(values: Array, dtype: str) -> Answered:
    with np.errstate(all="ignore"):
        return Answered(values.astype(dtype), dtype=dtype)
