"""Grades many texts, as many at once as memory allows, and tells each outcome as soon as it is known."""

from __future__ import annotations

import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.classroom.plan import PlannedAnswer
from grader.classroom.row import Identity, Outcome, now
from grader.grade import grade_text
from grader.marking.attempt import Attempt
from grader.marking.verdict import Status, Verdict
from grader.options import NoSuchDevice
from grader.run.child import TRIES
from grader.run.judge.cores import slowed_down, threads
from grader.run.protocol import Task, TracedPrograms
from grader.session import Session

_ENDED = (Status.CORRECT, Status.WRONG, Status.ERROR)

MARGIN = 1.25
"""How much more than the most memory that an answer to a problem took, the next one is expected to take."""


@dataclass
class Measuring(Session):
    """A session whose `peak` is the most memory that answers used in this thread since `begin`."""

    _mine: threading.local = field(default_factory=threading.local)

    def begin(self) -> None:
        self._mine.peak = 0

    @property
    def peak(self) -> int:
        return getattr(self._mine, "peak", 0)

    @property
    def tier(self) -> str:
        """The tier of confinement in force. It is known after `prepare`."""
        return self._highest if self.policy.confine else "none"

    def attempt(self, task: Task, traced: Callable[[TracedPrograms], None] = lambda _: None) -> Attempt:
        given = super().attempt(task, traced)
        self._mine.peak = max(self.peak, given.peak)
        return given


@dataclass
class MemoryBudget:
    """How much memory running answers may use together, and what each is expected to use.

    Attributes:
        memory: bytes for all of them.
        limit: bytes that one may use. It is what an answer to a problem that nobody has measured is expected to use.
        peaks: the most bytes that an answer to each problem used, of those that came to their end.
    """

    memory: int
    limit: int
    peaks: dict[str, int] = field(default_factory=dict[str, int])

    def record_peak(self, problem: str, status: str, peak: int) -> None:
        """Note what an answer used. One that did not come to its end says nothing about the others."""
        if peak and status in _ENDED:
            self.peaks[problem] = max(peak, self.peaks.get(problem, 0))

    def expected(self, problem: str) -> int:
        return min(self.limit, int(MARGIN * self.peaks[problem])) if problem in self.peaks else self.limit

    def fits(self, problem: str, taken: int) -> bool:
        """Whether an answer fits beside others that take `taken` bytes. One alone always fits."""
        return not taken or taken + self.expected(problem) <= self.memory


SECONDS_BETWEEN_REPORTS = 0.2
"""Seconds between two reports of how far the work is."""

Record = Callable[[Identity, Outcome], None]


@dataclass(frozen=True)
class ClassProgress:
    """How far the work is.

    Attributes:
        running: the problems of the answers that run now.
        left: about how many seconds the rest takes; None while nobody knows.
        sent: answers that were sent to workers elsewhere and are not back.
        workers: how many those are; None where this machine grades.
    """

    done: int
    running: tuple[str, ...]
    due: int
    faults: int
    left: float | None = None
    sent: int = 0
    workers: int | None = None


@dataclass
class _Job:
    """One run of a text; without a text, the oracle of a problem is made ready.

    `beside` says whether another job ran at the same time.
    """

    problem: str
    work: PlannedAnswer | None = None
    tries: int = 1
    alone: bool = False
    beside: bool = False


def grade_work(
    session: Measuring,
    work: Sequence[PlannedAnswer],
    jobs: int,
    room: MemoryBudget,
    record: Record,
    tell: Callable[[ClassProgress], None] = lambda _: None,
    *,
    shared: bool = False,
) -> None:
    """Grade texts.

    Args:
        work: what to grade, in this order as far as memory allows.
        jobs: how many may run at once.
        record: called in this thread with each outcome; what was recorded is never graded again here.
        tell: called in this thread several times a second.
        shared: whether others may work on this machine at the same time, so that what they may be to blame for runs again.

    Raises:
        NoSuchDevice: if this machine does not have the device.
        Unconfined: if answers cannot be confined here as asked.
        LaunchError: if no process for an answer can be started at all.
    """
    if not work:
        return
    session.prepare(())  # whether answers can be confined and started is known before the first of them
    _GradingRun(session, work, jobs, room, record, tell, shared).all()


@dataclass
class _GradingRun:
    session: Measuring
    work: Sequence[PlannedAnswer]
    jobs: int
    room: MemoryBudget
    record: Record
    tell: Callable[[ClassProgress], None]
    shared: bool
    done: int = 0
    faults: int = 0
    waiting: deque[_Job] = field(default_factory=deque[_Job])
    late: deque[_Job] = field(default_factory=deque[_Job])
    running: dict[Future[Outcome], _Job] = field(default_factory=dict[Future[Outcome], _Job])
    ready: set[str] = field(default_factory=set[str])
    failed: Counter[str] = field(default_factory=Counter[str])
    took: dict[str, tuple[int, float]] = field(default_factory=dict[str, tuple[int, float]])

    def all(self) -> None:
        for answer in self.work:
            # What ran out of time before is run alone in any case, so it is not run beside others first.
            (self.late if answer.late else self.waiting).append(
                _Job(answer.identity.problem, answer, alone=answer.late)
            )
        with threads(self.jobs, self.session.abort) as pool:
            while self.waiting or self.late or self.running:
                self._begin(pool)
                self.tell(self._progress())
                ended, _ = wait(self.running, SECONDS_BETWEEN_REPORTS, FIRST_COMPLETED)
                for future in ended:
                    self._end(self.running.pop(future), future.result())
            self.tell(self._progress())

    def _begin(self, pool: ThreadPoolExecutor) -> None:
        while len(self.running) < self.jobs and (job := self._next()) is not None:
            for other in self.running.values():
                other.beside = job.beside = True
            run = _made_ready if job.work is None else _graded
            self.running[pool.submit(run, self.session, job)] = job

    def _next(self) -> _Job | None:
        """The next job that may run now. A problem is made ready before its answers are graded."""
        taken = sum(self.room.expected(job.problem) for job in self.running.values() if job.work is not None)
        at_work = {job.problem for job in self.running.values() if job.work is None}
        if any(job.alone for job in self.running.values()):
            return None
        queue = self.waiting or (deque[_Job]() if self.running else self.late)
        for index, job in enumerate(queue):
            if job.problem not in self.ready:
                if job.problem not in at_work:
                    return _Job(job.problem, tries=1 + self.failed[job.problem])
            elif self.room.fits(job.problem, taken):
                del queue[index]
                return job
        return None

    def _end(self, job: _Job, ended: Outcome) -> None:
        if job.work is None:
            self._end_ready(job, ended)
            return
        if ended.verdict is not None:
            self.room.record_peak(job.problem, ended.verdict.status, ended.peak)
        if ended.verdict is None:
            if job.tries < TRIES:
                self.waiting.append(_Job(job.problem, job.work, job.tries + 1))
            else:
                self._record(job.work, replace(ended, tries=job.tries, graded_at=now()))
        elif (job.beside or self.shared) and not job.alone and (ended.verdict.run.killed or slowed_down(ended.verdict)):
            # The others may be to blame: they took its time, or the memory for which the system then killed it.
            self.late.append(_Job(job.problem, job.work, job.tries, alone=True))
        else:
            count, seconds = self.took.get(job.problem, (0, 0.0))
            self.took[job.problem] = count + 1, seconds + ended.seconds
            kept = replace(ended.verdict, drawable=None)
            self._record(job.work, replace(ended, verdict=kept, tries=job.tries, graded_at=now()))

    def _end_ready(self, job: _Job, ended: Outcome) -> None:
        if not ended.fault:
            self.ready.add(job.problem)
            return
        self.failed[job.problem] += 1
        if self.failed[job.problem] == TRIES:
            for queue in (self.waiting, self.late):
                for other in [other for other in queue if other.problem == job.problem]:
                    queue.remove(other)
                    assert other.work is not None
                    self._record(other.work, Outcome(None, ended.fault, TRIES, now()))

    def _record(self, work: PlannedAnswer, outcome: Outcome) -> None:
        self.record(work.identity, outcome)
        self.done += 1
        self.faults += outcome.verdict is None

    def _progress(self) -> ClassProgress:
        running = tuple(job.problem for job in self.running.values())
        due = len(self.waiting) + len(self.late)
        return ClassProgress(self.done, running, due, self.faults, self._left())

    def _left(self) -> float | None:
        count = sum(gradings for gradings, _ in self.took.values())
        if not count:
            return None
        usual = sum(seconds for _, seconds in self.took.values()) / count

        def of(job: _Job) -> float:
            gradings, seconds = self.took.get(job.problem, (0, 0.0))
            return (job.work and job.work.expected) or (seconds / gradings if gradings else usual)

        # Those that run are half done on the average, and those that were too late run alone.
        grading = sum(job.work is not None for job in self.running.values())
        several = sum(map(of, self.waiting)) + usual * grading / 2
        return several / self.jobs + len(self.late) * self.session.limits.seconds


def _made_ready(session: Measuring, job: _Job) -> Outcome:
    """Have the oracle of a problem compute, or read, what every answer is judged by."""

    def work() -> None:
        oracle = session.oracle(job.problem)
        oracle.facts()
        oracle.truth()
        if session.policy.fresh is not None:
            oracle.keep_fresh(session.policy.fresh)
        oracle.keep()  # now, because this process may be killed

    return Outcome(None, _fault(work))


def _graded(session: Measuring, job: _Job) -> Outcome:
    assert job.work is not None
    of, text = job.work.identity, job.work.text
    verdicts: list[Verdict] = []
    start = time.monotonic()
    session.begin()
    # The name of the file is that of no student: the same text may be from several.
    fault = _fault(lambda: verdicts.append(grade_text(session, of.problem, text, f"{of.problem}.py")))
    seconds = round(time.monotonic() - start, 3)
    return Outcome(verdicts[0] if verdicts else None, fault, seconds=seconds, peak=session.peak)


def _fault(work: Callable[[], None]) -> str:
    """Do some work. Returns the fault of the grader that ended it, in one line; nothing if there was none.

    Raises:
        NoSuchDevice: this ends all work.
    """
    try:
        work()
    except NoSuchDevice:
        raise
    except Exception as error:
        message = " ".join(f"{error}".split())
        if type(error).__module__.startswith("grader."):
            return message or type(error).__name__
        at = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {message} ({Path(at.filename).name}, line {at.lineno})"
    return ""
