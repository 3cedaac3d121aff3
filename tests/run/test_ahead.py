"""A head start on an answer's programs: it changes no verdict, whatever comes of the answer, and leaves nothing running."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from grader.marking.evidence import Places, nowhere
from grader.marking.exact import Exactness
from grader.marking.facts import Truth
from grader.marking.judge import Array, Expected
from grader.run.ahead import Ahead
from grader.run.errors import Killed

PROGRAMS, OTHERS = np.arange(5, dtype=np.uint8), np.arange(4, dtype=np.uint8)
TRUTH = Truth([Expected(np.ones(3), 1e-6)], [(3,)], ["float32"], [{}])


class FakeReplay:
    """An evaluator of programs that give these values, and that may have to be waited for."""

    def __init__(self, values: Array, waits: threading.Event | None = None) -> None:
        self.closed = self.stopped = 0
        self._values, self._waits = values, waits

    def values(self) -> list[Array]:
        if self._waits is not None:
            assert self._waits.wait(10)
        return [self._values]

    def known(self) -> list[bool]:
        return [True]

    def constants(self) -> list[Array]:
        return [np.zeros(3)]

    def stop(self) -> None:
        self.stopped += 1
        if self._waits is not None:
            self._waits.set()

    def close(self) -> None:
        self.closed += 1


class Machine:
    """Starts evaluators, and counts searches."""

    def __init__(self, values: Array, waits: threading.Event | None = None) -> None:
        self.replays: list[FakeReplay] = []
        self.of: list[Array] = []
        self.searches: list[Exactness] = []
        self._values, self._waits = values, waits

    def replay(self, programs: Array, truth: Truth) -> Any:
        self.of.append(programs)
        self.replays.append(FakeReplay(self._values, self._waits))
        return self.replays[-1]

    def search(self, replay: Any, exact: Exactness, truth: Truth) -> Places:
        self.searches.append(exact)
        return nowhere

    def ahead(self, truth: Callable[[], Truth] = lambda: TRUTH) -> Ahead:
        return Ahead(self.replay, truth, self.search)


@pytest.mark.parametrize(("values", "searches"), [(np.ones(3), 0), (np.zeros(3), 1)])
def test_only_wrong_programs_are_searched_and_one_evaluator_serves_all(values: Array, searches: int) -> None:
    machine = Machine(values)
    with machine.ahead() as ahead:
        ahead.begin(PROGRAMS)
        with ahead.replaying(PROGRAMS.copy()) as started:
            assert started.replay is machine.replays[0]
            assert len(machine.searches) == searches
            if searches:
                assert started.found(machine.searches[0]) is nowhere
            assert machine.replays[0].closed == 0
    assert [one.closed for one in machine.replays] == [1]


def test_a_search_with_other_tolerances_is_another_search() -> None:
    machine = Machine(np.zeros(3))
    with machine.ahead() as ahead:
        ahead.begin(PROGRAMS)
        with ahead.replaying(PROGRAMS) as started:
            (exact,) = machine.searches
            wider = Exactness(exact.values, [2 * one for one in exact.allowed], exact.differs, exact.moved, exact.known)
            assert started.found(wider) is None


def test_without_a_head_start_the_evaluator_starts_when_the_answer_has_ended() -> None:
    machine = Machine(np.zeros(3))
    with machine.ahead() as ahead, ahead.replaying(PROGRAMS) as started:
        assert started.replay is machine.replays[0]
        assert machine.searches == []
    assert machine.replays[0].closed == 1


def test_an_answer_without_programs_has_no_evaluator_and_needs_no_truth() -> None:
    machine = Machine(np.ones(3))
    with machine.ahead(lambda: pytest.fail("nobody needs the truth")) as ahead, ahead.replaying(None) as started:
        assert started.replay is None
    assert machine.replays == []


def test_programs_of_an_earlier_run_are_dropped() -> None:
    machine = Machine(np.ones(3))
    with machine.ahead() as ahead:
        ahead.begin(OTHERS)
        with ahead.replaying(PROGRAMS) as started:
            assert started.replay is machine.replays[-1]
    assert machine.of[-1] is PROGRAMS
    assert wait_until(lambda: all(one.closed for one in machine.replays))


def test_an_evaluator_that_nobody_needs_is_stopped_at_once_and_closed_by_the_thread_that_reads_from_it() -> None:
    machine = Machine(np.ones(3), threading.Event())
    with machine.ahead() as ahead:
        ahead.begin(PROGRAMS)
        assert wait_until(lambda: bool(machine.replays))
    (replay,) = machine.replays
    assert wait_until(lambda: bool(replay.closed))
    assert (replay.stopped, replay.closed) == (1, 1)


def test_an_answer_that_fails_does_not_wait_for_the_truth() -> None:
    known, machine = threading.Event(), Machine(np.ones(3))

    def truth() -> Truth:
        assert known.wait(10)
        return TRUTH

    with machine.ahead(truth) as ahead:
        ahead.begin(PROGRAMS)
        with ahead.replaying(None) as started:
            assert started.replay is None
    before = threading.active_count()
    known.set()
    assert wait_until(lambda: threading.active_count() < before)
    assert machine.replays == [], "it was dropped before there was anything to compare"


def test_what_goes_wrong_early_is_raised_where_the_result_is_needed() -> None:
    machine = Machine(np.ones(3))

    def fail() -> Truth:
        raise Killed("The oracle was killed.")

    with machine.ahead(fail) as ahead:
        ahead.begin(PROGRAMS)
        with pytest.raises(Killed, match="oracle"), ahead.replaying(PROGRAMS):
            pytest.fail("there is nothing to judge with")
    with machine.ahead(fail) as ahead:
        ahead.begin(PROGRAMS)
        with ahead.replaying(None) as started:
            assert started.replay is None


def wait_until(true: Callable[[], bool]) -> bool:
    """Whether it becomes true within ten seconds."""
    tick = threading.Event()
    return any(true() or tick.wait(0.01) for _ in range(1000))
