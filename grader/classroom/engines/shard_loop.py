"""Grades a class in shards, a few at a time for each free place of an engine: the same loop for every engine."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from grader.classroom.engines.worker import Reply
from grader.classroom.grading import SECONDS_BETWEEN_REPORTS, ClassProgress, Record
from grader.classroom.plan import PlannedAnswer
from grader.classroom.row import Identity, Outcome, now
from grader.classroom.shard import Incoming, RefusedShard, shard_document
from grader.kit.kit import KitError
from grader.run.child import TRIES

ANSWERS_OF_A_SHARD = 20
"""Answers of a shard. Each shard costs a few seconds to start."""

SHARDS_FOR_A_PLACE = 2
"""Shards that are sent for each place: one that runs, and one that waits for it. The others stay here."""

SECONDS_WITHOUT_A_WORKER = 60.0
"""Seconds to wait for a worker when there is none any more."""


class EngineError(KitError):
    """An engine that cannot be used, or that is gone. The message is one line that says why, and what to do."""


class Engine(Protocol):
    """Grades shards elsewhere."""

    def workers(self) -> tuple[int, int]:
        """How many workers there are, and how many shards they can grade at once."""
        ...

    def send(self, name: str, text: str, rank: int) -> None:
        """Have a shard graded, those of a low rank first."""
        ...

    def ended(self) -> Sequence[tuple[str, Reply]]:
        """What came back since the last call, by the names of the shards."""
        ...


def cut(work: Sequence[PlannedAnswer], size: int) -> list[list[PlannedAnswer]]:
    """Work in shards of this size, those that take longest first. Few of them hold more than one problem.

    Each problem of a shard costs time, to make its truth ready.
    """
    by_problem: dict[str, list[PlannedAnswer]] = {}
    for planned in work:
        by_problem.setdefault(planned.identity.problem, []).append(planned)
    shards: list[list[PlannedAnswer]] = []
    rest: list[PlannedAnswer] = []
    for mine in by_problem.values():
        full = len(mine) - len(mine) % size
        shards += [mine[start : start + size] for start in range(0, full, size)]
        rest += mine[full:]
    shards += [rest[start : start + size] for start in range(0, len(rest), size)]
    return sorted(shards, key=lambda shard: -sum(planned.expected for planned in shard))


def grade_shards(
    engine: Engine, work: Sequence[PlannedAnswer], record: Record, tell: Callable[[ClassProgress], None]
) -> list[str]:
    """Grade texts elsewhere. `record` and `tell` are called in this thread, as `grade_work` calls them.

    Returns:
        what was skipped, and what does not agree, in one line each.

    Raises:
        EngineError: if the engine is gone, or has no worker for a minute.
    """
    run = _ShardRun(engine, record, tell, deque(cut(work, ANSWERS_OF_A_SHARD)))
    run.incoming = Incoming(run.recorded)
    run.all()
    return run.incoming.notes


@dataclass
class _ShardRun:
    engine: Engine
    record: Record
    tell: Callable[[ClassProgress], None]
    waiting: deque[list[PlannedAnswer]]
    incoming: Incoming = field(init=False)
    out: dict[str, list[PlannedAnswer]] = field(default_factory=dict[str, list[PlannedAnswer]])
    tries: Counter[Identity] = field(default_factory=Counter[Identity])
    sent: int = 0
    done: int = 0
    faults: int = 0
    began: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)

    def all(self) -> None:
        while self.waiting or self.out:
            workers, places = self.engine.workers()
            self._send(SHARDS_FOR_A_PLACE * places)
            self.tell(self._progress(workers))
            self._wait_for_workers(places)
            for name, reply in self.engine.ended():
                self._end(name, self.out.pop(name), reply)
            time.sleep(SECONDS_BETWEEN_REPORTS)
        self.tell(self._progress(self.engine.workers()[0]))

    def _send(self, most: int) -> None:
        while self.waiting and len(self.out) < most:
            shard = self.waiting.popleft()
            self.sent += 1
            name = f"{self.sent}"
            self.out[name] = shard
            self.engine.send(name, shard_document(name, shard), self.sent)

    def _wait_for_workers(self, places: int) -> None:
        if places:
            self.seen = time.monotonic()
        elif time.monotonic() - self.seen > SECONDS_WITHOUT_A_WORKER:
            raise EngineError(
                f"No worker for {SECONDS_WITHOUT_A_WORKER:.0f} s. {self.done} answers are done and kept: start workers, "
                "and run the same command again."
            )

    def _end(self, name: str, shard: list[PlannedAnswer], reply: Reply) -> None:
        answered, why = set[Identity](), reply.error or "it is not among the results"
        try:
            source, asked = f"Shard {name} (worker {reply.worker})", [planned.identity for planned in shard]
            answered = self.incoming.take(reply.output.encode(), source, asked)
        except RefusedShard as error:
            why = reply.error or str(error)
        left = [planned for planned in shard if planned.identity not in answered]
        for planned in left:
            self.tries[planned.identity] += 1
        again = [planned for planned in left if self.tries[planned.identity] < TRIES]
        # The last try of each is alone: if one answer ends the shard that it is in, its neighbours have a verdict then.
        last = [[planned] for planned in again if self.tries[planned.identity] == TRIES - 1]
        more = [planned for planned in again if self.tries[planned.identity] < TRIES - 1]
        self.waiting.extend([*([more] if more else []), *last])
        for planned in left:
            if planned not in again:
                fault = f"On the worker {reply.worker}: {why}" if reply.worker else why
                self.recorded(planned.identity, Outcome(None, fault, TRIES, now()))

    def recorded(self, identity: Identity, outcome: Outcome) -> None:
        self.record(identity, outcome)
        self.done += 1
        self.faults += outcome.verdict is None

    def _progress(self, workers: int) -> ClassProgress:
        sent = sum(map(len, self.out.values()))
        due = sum(map(len, self.waiting))
        took = time.monotonic() - self.began
        left = (sent + due) * took / self.done if self.done else None
        return ClassProgress(self.done, (), due, self.faults, left, sent, workers)
