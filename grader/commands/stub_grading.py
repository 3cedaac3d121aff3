"""The grading of the stub that a learner works on, on every save, in a thread: what `watch`, `serve` and `lsp` share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.commands.learner import remember, shown_to_learner
from grader.commands.run import RanAnswer, ran
from grader.commands.trace import TracedAnswer, traced
from grader.grade import grade
from grader.kit import ownership
from grader.kit import progress as progress_file
from grader.kit.files import Unreadable, read_text
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError
from grader.kit.progress import Progress
from grader.locale.language import gettext
from grader.marking.attempt import Attempt
from grader.marking.verdict import Verdict
from grader.options import Options
from grader.run.child import SECONDS_FOR_A_QUICK_STEP, Killed
from grader.run.protocol import Task, TracedPrograms
from grader.session import Session

SECONDS_BETWEEN_LOOKS = 0.05
"""Seconds between two looks at the work before."""

GRADING, TRACING, DRAWING, RUNNING, PRACTISING, READYING = "grading", "tracing", "drawing", "running", "practising", ""
"""What work does. While it does anything but get ready, a line says so."""


@dataclass(frozen=True)
class PrintedText:
    """What a command printed that looks at an answer."""

    text: str


@dataclass(frozen=True)
class PrintedExercise(PrintedText):
    """What was printed of an exercise on `problem`; that is empty once it has ended."""

    problem: str


Result = Verdict | TracedAnswer | RanAnswer | PrintedText | str | None
"""What work returns: a verdict, a walk through an answer, a call of it, a text to show, a warning, or nothing."""


class WatchSession(Session):
    """A session that knows the phase of its grading."""

    phase = ""

    def attempt(self, task: Task, traced: Callable[[TracedPrograms], None] = lambda _: None) -> Attempt:
        self.phase = gettext("running your answer")
        try:
            return super().attempt(task, traced)
        finally:
            self.phase = gettext("looking at what it gives")


class BackgroundWork(threading.Thread):
    """One function that runs beside the keys. It is called when the work before it, which nobody waits for now, has ended.

    Args:
        doing: what the function does: GRADING, TRACING, DRAWING, RUNNING or READYING.
        problem: the problem that it is for.
        call: the function; it gets this work.
        done: is called with this work when the function has ended, unless other work took its place before it began.
        before: the work before it; an answer that it runs is ended.

    Attributes:
        doing, problem: as they were given.
        started: when the work began to wait, in seconds of `time.monotonic`.
        result: what the function returned, or the exception that it raised.
    """

    def __init__(
        self,
        session: WatchSession,
        doing: str,
        problem: str,
        call: Callable[[BackgroundWork], Result],
        done: Callable[[BackgroundWork], None],
        before: BackgroundWork | None,
    ) -> None:
        super().__init__(daemon=True)
        self.doing, self.problem, self.started = doing, problem, time.monotonic()
        self.result: Result | Exception = None
        self._session, self._call, self._done, self._before = session, call, done, before
        self._stale = False

    def run(self) -> None:
        while self._before is not None and self._before.is_alive():
            self._before._stale = True  # it may not have begun
            self._session.stop()  # at each turn, since it may start its answer only now
            self._before.join(SECONDS_BETWEEN_LOOKS)
        self._before = None
        if self._stale:
            return
        self._session.phase = gettext("computing what is expected")
        try:
            self.result = self._call(self)
        except Exception as error:
            self.result = error
        self._done(self)


@dataclass(frozen=True)
class ToldEarly:
    """Work under way has a verdict of which not all is known (see `grade`)."""

    work: BackgroundWork
    verdict: Verdict


@dataclass(frozen=True)
class GradedStub:
    """A stub was graded.

    Attributes:
        text: the text that the verdict is about.
        fingerprint: of that text, and of all that it was graded with.
        whole: all of the verdict.
        shown: the part of it that the level of feedback and the hints left to take show.
        progress: with this verdict in it.
    """

    problem: str
    text: str
    fingerprint: str
    whole: Verdict
    shown: Verdict
    progress: Progress

    @property
    def provisional(self) -> bool:
        """Whether the work goes on. The verdict is not saved then."""
        return self.whole.awaited is not None


@dataclass(frozen=True)
class GradingFault:
    """Something went wrong beside the answer; `text` is a sentence or two."""

    problem: str
    text: str


class StubGrading:
    """Grades the stub of one problem at a time in a thread, and gets ready for the next save.

    New work takes the place of the work under way, whose answer is ended. `put` is called in another thread with work that
    has ended or told something early, and the caller hands it to `ended`. All methods are for one thread.

    Attributes:
        name: the problem.
        text: of the stub, as it was graded last; or why it could not be read.
        due: whether a grading was stopped, or never begun, so that the next save counts though it changes nothing.
        work: what is under way, or was last.
    """

    def __init__(
        self, options: Options, session: WatchSession, name: str, put: Callable[[BackgroundWork | ToldEarly], None]
    ) -> None:
        self.name, self.text, self.due = name, "", True
        self.work: BackgroundWork | None = None
        self._options, self._session, self._put = options, session, put
        self._fingerprint, self._held = "", {name}
        self._taken = True

    @property
    def busy(self) -> bool:
        """Whether an answer is graded, traced or run, or has been, and its result is still to be taken by `ended`."""
        return not self._taken

    def changed(self) -> bool:
        """Whether the stub is to be graded: its text is not the one that was graded last."""
        return self.due or stub_text(self._options.kit, self.name) != self.text

    def open(self, name: str) -> None:
        """Turn to another problem. Nothing of it is graded yet."""
        self.name, self.text, self.due = name, stub_text(self._options.kit, name), True

    def grade(self, *, saved: bool = False) -> None:
        """Begin to grade the stub as it is now.

        Args:
            saved: whether it was saved while the learner worked on it here, so that it is theirs.
        """
        name = self.name
        if saved and not self._options.policy.confine:
            ownership.saved(self._options.kit, name)
        self.text, self.due = stub_text(self._options.kit, name), False
        self._fingerprint = progress_file.fingerprint(self._options.kit, name, self._options.device)
        self._start(
            GRADING,
            lambda work: grade(self._session, name, tell=lambda verdict: self._put(ToldEarly(work, verdict))),
        )

    def trace(self, typed: str | None = None, case: int | None = None) -> None:
        """Begin to walk through the stub, line by line.

        Args:
            typed: the text that is meant, if it is not the saved one.
            case: the number of a case, from 1; None for one that `trace` chooses.
        """
        name = self.name
        self._start(TRACING, lambda _: traced(self._session, name, case, typed=typed))

    def run(self, given: Sequence[str] = (), typed: str | None = None) -> None:
        """Begin to call the stub once.

        Args:
            given: arguments as `name=value`. Those that are missing are those of the first case.
            typed: the text that is meant, if it is not the saved one.
        """
        name = self.name
        self._start(RUNNING, lambda _: ran(self._session, name, given, typed=typed))

    def look(self, doing: str, call: Callable[[WatchSession, str], PrintedText]) -> None:
        """Begin something else that prints: DRAWING or PRACTISING. `call` gets the name of the problem."""
        name = self.name
        self._start(doing, lambda _: call(self._session, name))

    def get_ready(self) -> None:
        """Begin to prepare the next grading, while the learner thinks."""
        name, text = self.name, self.text
        self._start(READYING, lambda _: self._session.get_ready(name, text))

    def stop(self) -> str:
        """End a grading, or a look at the stub, that is under way. Returns which it was, as GRADING; empty if none was."""
        if self.work is None or self.work.doing == READYING or not self.work.is_alive():
            return ""
        doing = self.work.doing
        self.due = self.due or doing == GRADING
        self._start(READYING, lambda _: None)
        return doing

    def close(self) -> None:
        """End what is under way, and wait until it has ended."""
        if self.work is not None and self.work.is_alive():
            self._session.abort()
            self.work.join(SECONDS_FOR_A_QUICK_STEP)

    def ended(
        self, work: BackgroundWork | ToldEarly
    ) -> GradedStub | TracedAnswer | RanAnswer | PrintedText | GradingFault | None:
        """What work gave; None if it gave nothing, or if other work took its place.

        A verdict is saved, if it is not provisional. The caller tells what it was given, and then calls `get_ready`, unless
        the work goes on.

        Raises:
            Unconfined, LaunchError, NoSuchDevice: as `Session.attempt` does.
            Exception: for a fault of the grader itself.
        """
        if isinstance(work, ToldEarly):
            if work.work is not self.work or self._taken:
                return None
            progress = progress_file.load(self._options.kit)
            return self._graded(work.work.problem, work.verdict, progress)
        if work is not self.work:
            return None
        work.join()  # it says that it has ended just before it does
        self._taken = True
        match work.result:
            case Verdict() as verdict:
                progress = progress_file.load(self._options.kit)
                remember(self._options, progress, {work.problem: verdict}, {work.problem: self._fingerprint})
                return self._graded(work.problem, verdict, progress)
            case TracedAnswer() | RanAnswer() | PrintedText() as found:
                return found
            case ProblemError() as error:
                located = self._options.kit.located(str(error))
                said = gettext("A fault of the kit, not of your answer: {fault}")
                return GradingFault(work.problem, said.format(fault=located))
            case KitError() | Killed() as error:
                return GradingFault(work.problem, str(error))
            case Exception() as error:
                raise error
            case str() as note:
                return GradingFault(work.problem, note)
            case None:
                return None

    def _graded(self, problem: str, verdict: Verdict, progress: Progress) -> GradedStub:
        (shown,) = shown_to_learner(self._options, [verdict])
        return GradedStub(problem, self.text, self._fingerprint, verdict, shown, progress)

    def _start(self, doing: str, call: Callable[[BackgroundWork], Result]) -> None:
        name = self.name

        def alone(work: BackgroundWork) -> Result:
            for other in self._held - {name}:
                self._session.release(other)  # the process of a reference holds memory
            self._held = {name}
            return call(work)

        self._taken = doing == READYING
        self.work = BackgroundWork(self._session, doing, name, alone, self._put, self.work)
        self.work.start()


def stub_text(kit: Kit, name: str) -> str:
    """The text of a stub, or why it cannot be read."""
    try:
        return read_text(kit.stub(name))
    except Unreadable as error:
        return str(error)
