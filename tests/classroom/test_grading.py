"""Many texts at once: each is recorded when it is done, a fault is tried three times, and a timeout is confirmed alone."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from grader.classroom import grading
from grader.classroom.grading import ClassProgress, MemoryBudget, grade_work
from grader.classroom.plan import PlannedAnswer
from grader.classroom.row import Identity, Outcome
from grader.kit.problem_error import ProblemError
from grader.marking.verdict import Run, Status, Verdict
from grader.options import Limits, NoSuchDevice, Policy, Unconfined
from grader.run.child import LaunchError
from grader.values.message import NO_MESSAGE, verbatim

GIB = 1 << 30


class FakeSession:
    """A session that runs nothing. `broken` maps problems to how often their oracle fails."""

    def __init__(self, broken: dict[str, int] | None = None) -> None:
        self.policy, self.limits, self.peak = Policy("best", 7), Limits(), GIB // 2
        self.broken, self.made, self.aborted = Counter(broken or {}), Counter[str](), False
        self.kept: list[int] = []

    def prepare(self, imports: tuple[str, ...]) -> None:
        pass

    def begin(self) -> None:
        pass

    def abort(self) -> None:
        self.aborted = True

    def oracle(self, name: str) -> Any:
        self.made[name] += 1
        if self.broken[name]:
            self.broken[name] -= 1
            raise ProblemError(f"{name}: the reference raises")
        known = lambda: None  # noqa: E731
        return SimpleNamespace(facts=known, truth=known, keep=known, keep_fresh=self.kept.append)


class Class:
    """Grades texts whose runs are functions, by name. Keeps what was recorded, in order, and how often each ran."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **runs: Callable[[int], Verdict]) -> None:
        self.runs, self.ran, self.recorded = runs, Counter[str](), list[tuple[str, Outcome]]()
        self.session: Any = FakeSession()
        self.told: list[ClassProgress] = []
        self.room = MemoryBudget(64 * GIB, GIB)
        self._lock = threading.Lock()
        monkeypatch.setattr(grading, "grade_text", self.grade_text)
        monkeypatch.setattr(grading, "SECONDS_BETWEEN_REPORTS", 0.01)

    def grade_text(self, _: Any, problem: str, text: str, shown: str) -> Verdict:
        assert shown == f"{problem}.py", "no student's path is in a verdict"
        with self._lock:
            self.ran[text] += 1
            count = self.ran[text]
        return self.runs[text](count)

    def record(self, identity: Identity, outcome: Outcome) -> None:
        self.recorded.append((identity.digest, outcome))

    def grade(self, jobs: int = 2, late: Sequence[str] = (), problems: Sequence[str] = ("toy",)) -> None:
        work = [
            PlannedAnswer(
                Identity(name, problems[index % len(problems)], "print", "policy"),
                name,
                late=name in late,
            )
            for index, name in enumerate(self.runs)
        ]
        grade_work(self.session, work, jobs, self.room, self.record, self.told.append)

    @property
    def statuses(self) -> dict[str, str]:
        assert len(dict(self.recorded)) == len(self.recorded), "each once"
        return {name: one.verdict.status if one.verdict else one.fault for name, one in self.recorded}


def right(_: int) -> Verdict:
    return Verdict("toy", Status.CORRECT, NO_MESSAGE, run=Run(processor=0.5))


def hangs(_: int) -> Verdict:
    time.sleep(0.05)
    return Verdict("toy", Status.TIMEOUT, NO_MESSAGE, run=Run(seconds=61.0, processor=60.0))


def after(seconds: float) -> Callable[[int], Verdict]:
    def run(count: int) -> Verdict:
        time.sleep(seconds)
        return right(count)

    return run


def raises(error: Exception, times: int = 99) -> Callable[[int], Verdict]:
    def run(count: int) -> Verdict:
        if count <= times:
            raise error
        return right(count)

    return run


def test_each_is_recorded_when_it_is_done_and_not_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Class(monkeypatch, slow=after(0.5), **{f"quick{n}": right for n in range(5)})
    room.grade()
    assert [name for name, _ in room.recorded] == [*(f"quick{n}" for n in range(5)), "slow"]
    (_, first), *_ = room.recorded
    assert (first.tries, first.verdict and first.verdict.run.processor, first.peak) == (1, 0.5, GIB // 2)
    assert first.graded_at.endswith("+00:00")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ProblemError("the reference was ended twice"), "the reference was ended twice"),
        (LaunchError("no process"), "no process"),
        (Unconfined("no tier"), "no tier"),
        (RuntimeError("two\nlines"), "RuntimeError: two lines (test_grading.py, line "),
    ],
)
def test_a_fault_is_tried_three_times_and_is_no_verdict(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Class(monkeypatch, broken=raises(error), sometimes=raises(error, 2), fine=right)
    room.grade()
    outcomes = dict(room.recorded)
    assert outcomes["broken"].verdict is None
    assert outcomes["broken"].fault.startswith(said)
    assert (outcomes["broken"].tries, outcomes["sometimes"].tries, outcomes["fine"].tries) == (3, 3, 1)
    assert room.ran == {"broken": 3, "sometimes": 3, "fine": 1}
    assert room.statuses["sometimes"] == room.statuses["fine"] == "correct"
    assert room.told[-1] == ClassProgress(3, (), 0, 1, 0.0)


def test_a_timeout_beside_others_is_recorded_only_if_it_happens_alone_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def starved(count: int) -> Verdict:
        return hangs(count) if count == 1 else right(count)

    room = Class(monkeypatch, loop=hangs, starved=starved, fine=after(0.02), more=after(0.02))
    room.grade()
    assert room.statuses == {"fine": "correct", "more": "correct", "loop": "timeout", "starved": "correct"}
    assert room.ran == {"loop": 2, "starved": 2, "fine": 1, "more": 1}
    assert {name for name, _ in room.recorded[2:]} == {"loop", "starved"}, "they hold back nobody"


def test_alone_means_that_nothing_else_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = Counter[str](), list[int]()

    def counted(count: int) -> Verdict:
        running["now"] += 1
        time.sleep(0.03)
        if count == 2:
            most.append(running["now"])
        running["now"] -= 1
        return Verdict("toy", Status.TIMEOUT, NO_MESSAGE, run=Run(seconds=61.0, processor=60.0))

    room = Class(monkeypatch, **{f"loop{n}": counted for n in range(4)})
    room.grade(jobs=4)
    assert most == [1] * 4


def test_one_that_ran_alone_anyway_and_one_that_slept_are_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Class(monkeypatch, loop=hangs)
    room.grade()
    assert room.ran == {"loop": 1}
    sleeps = Verdict("toy", Status.TIMEOUT, NO_MESSAGE, run=Run(seconds=300.0, processor=0.4))
    room = Class(monkeypatch, sleeps=lambda _: sleeps, fine=after(0.05))
    room.grade()
    assert room.ran == {"sleeps": 1, "fine": 1}


def test_one_that_the_system_killed_beside_others_is_run_again_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(count: int) -> Verdict:
        time.sleep(0.05)
        return Verdict("toy", Status.CRASH, NO_MESSAGE, run=Run(killed=True)) if count == 1 else right(count)

    def exits(_: int) -> Verdict:
        return Verdict("toy", Status.CRASH, verbatim("Its process exited with status 3 before it returned a value."))

    room = Class(monkeypatch, killed=killed, exits=exits, fine=after(0.02))
    room.grade()
    assert room.statuses == {"killed": "correct", "exits": "crash", "fine": "correct"}
    assert room.ran == {"killed": 2, "exits": 1, "fine": 1}


def test_what_ran_out_of_time_before_runs_alone_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Class(monkeypatch, loop=hangs, fine=after(0.02), more=after(0.02))
    room.grade(late=["loop"])
    assert room.ran == {"loop": 1, "fine": 1, "more": 1}
    assert [name for name, _ in room.recorded][-1] == "loop"


def test_a_problem_is_made_ready_once_with_its_fresh_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Class(monkeypatch, a=right, b=right, c=right, d=right)
    room.grade(problems=("one", "two"))
    assert room.session.made == {"one": 1, "two": 1}
    assert room.session.kept == [7, 7]
    assert set(room.statuses.values()) == {"correct"}


@pytest.mark.parametrize("late", [[], ["c"]])
def test_a_broken_problem_is_a_fault_of_all_its_answers_and_of_no_others(
    late: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Class(monkeypatch, a=right, b=right, c=right, d=right)
    room.session = FakeSession({"one": 9, "two": 2})
    room.grade(problems=("one", "two"), late=late)
    said = "one: the reference raises"
    assert room.statuses == {"a": said, "c": said, "b": "correct", "d": "correct"}
    assert room.session.made == {"one": 3, "two": 3}
    assert room.ran == {"b": 1, "d": 1}


def test_as_many_run_at_once_as_memory_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    running, most = Counter[str](), list[int]()

    def counted(count: int) -> Verdict:
        running["now"] += 1
        most.append(running["now"])
        time.sleep(0.05)
        running["now"] -= 1
        return right(count)

    room = Class(monkeypatch, **{f"n{n}": counted for n in range(6)})
    room.room = MemoryBudget(2 * GIB, 4 * GIB, {"toy": GIB})
    room.session.peak = 0
    room.grade(jobs=6)
    assert max(most) == 1, "each is expected to take a quarter more than was seen"
    most.clear()
    room.room = MemoryBudget(3 * GIB, 4 * GIB, {"toy": GIB})
    room.recorded.clear()
    room.grade(jobs=6)
    assert max(most) == 2


@pytest.mark.parametrize("error", [NoSuchDevice("no gpu"), KeyboardInterrupt()])
def test_what_concerns_all_ends_the_work_and_its_processes(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_: int) -> Verdict:
        raise error

    room = Class(monkeypatch, a=run, b=after(0.05))
    with pytest.raises(type(error)):
        room.grade()
    assert room.session.aborted


def test_an_outcome_that_cannot_be_kept_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Class(monkeypatch, a=right, b=right)

    def full(*_: Any) -> None:
        raise OSError("no space is left")

    monkeypatch.setattr(room, "record", full)
    with pytest.raises(OSError, match="no space"):
        room.grade()
    assert room.session.aborted


def test_where_answers_cannot_be_confined_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Class(monkeypatch, a=right)

    def refuse(_: Any) -> None:
        raise Unconfined("not here")

    monkeypatch.setattr(room.session, "prepare", refuse)
    with pytest.raises(Unconfined):
        room.grade()
    assert room.ran == {}


def test_it_tells_what_is_done_what_runs_and_about_how_long_the_rest_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Class(monkeypatch, **{f"n{n}": after(0.1) for n in range(6)})
    room.grade()
    assert [one.done for one in room.told] == sorted(one.done for one in room.told)
    assert {len(one.running) for one in room.told if one.due} <= {1, 2}
    half = next(one for one in room.told if one.done == 2)
    assert half.left is not None
    assert 0.05 < half.left < 1.0
    assert (room.told[-1].done, room.told[-1].due, room.told[-1].running) == (6, 0, ())


def test_without_work_nothing_is_started() -> None:
    session: Any = None  # anything that is asked of it raises
    recorded: list[Any] = []
    grade_work(session, [], 2, MemoryBudget(GIB, GIB), lambda *one: recorded.append(one))
    assert recorded == []
