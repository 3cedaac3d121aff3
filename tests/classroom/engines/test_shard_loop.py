"""Shards elsewhere: few at a time, tried three times, no number for what failed, and no neighbour pays for a bad answer."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from grader.classroom.engines import shard_loop
from grader.classroom.engines.shard_loop import EngineError, cut, grade_shards
from grader.classroom.engines.worker import Reply
from grader.classroom.grading import ClassProgress
from grader.classroom.plan import PlannedAnswer
from grader.classroom.row import Identity, Outcome
from grader.classroom.shard import Shard, head_line, line_of_outcome, read_shard
from grader.marking.verdict import Run, Status, Verdict
from grader.values.message import verbatim

POLICY = json.dumps(
    {
        "clock": 100.0,
        "confine": "best",
        "device": "cpu",
        "fresh": 7,
        "memory": 1 << 30,
        "seconds": 20.0,
    },
    sort_keys=True,
)
RIGHT = Outcome(Verdict("toy", Status.CORRECT, verbatim("Right."), run=Run(confinement="A")))


def work_of(count: int, problem: str = "toy", expected: float = 0.0) -> list[PlannedAnswer]:
    texts = [f"{problem} {number}" for number in range(count)]
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    return [
        PlannedAnswer(Identity(digest, problem, "f" * 16, POLICY), text, expected)
        for digest, text in zip(digests, texts, strict=True)
    ]


def graded(shard: Shard, *, but: Sequence[str] = ()) -> str:
    """What the process of a shard prints; without some texts."""
    lines = [
        line_of_outcome(Identity(one.digest, one.problem, "", ""), RIGHT)
        for one in shard.answers
        if one.text not in but
    ]
    return "\n".join([head_line(shard, "A", 1), *lines, ""])


class Fake:
    """An engine that answers at once, by a function from a shard to what came of it."""

    def __init__(self, answer: Callable[[Shard], Reply | None], places: int = 1) -> None:
        self.answer, self.places = answer, places
        self.sent: list[Shard] = []
        self.ranks: list[int] = []
        self.waiting: dict[str, Shard] = {}
        self.most = 0

    def workers(self) -> tuple[int, int]:
        return self.places, self.places

    def send(self, name: str, text: str, rank: int) -> None:
        self.waiting[name] = read_shard(text.encode())
        self.sent.append(self.waiting[name])
        self.ranks.append(rank)
        self.most = max(self.most, len(self.waiting))

    def ended(self) -> Sequence[tuple[str, Reply]]:
        for name in list(self.waiting):
            if (reply := self.answer(self.waiting[name])) is not None:
                del self.waiting[name]
                return [(name, reply)]
        return []


class Room:
    def __init__(self, engine: Fake, work: Sequence[PlannedAnswer]) -> None:
        self.recorded: list[tuple[Identity, Outcome]] = []
        self.told: list[ClassProgress] = []
        self.notes = grade_shards(engine, work, lambda *one: self.recorded.append(one), self.told.append)
        assert len({of for of, _ in self.recorded}) == len(self.recorded) == len(work), "each once, and all"

    @property
    def faults(self) -> dict[str, Outcome]:
        return {of.digest: one for of, one in self.recorded if one.verdict is None}


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard_loop, "SECONDS_BETWEEN_REPORTS", 0.0)


def test_shards_hold_one_problem_as_far_as_possible_and_the_longest_go_first() -> None:
    shards = cut([*work_of(45, "a", 1.0), *work_of(25, "b", 9.0), *work_of(3, "c")], 20)
    assert [Counter(one.identity.problem for one in shard) for shard in shards] == [
        {"b": 20}, {"a": 5, "b": 5, "c": 3}, {"a": 20}, {"a": 20},
    ]  # fmt: skip
    assert cut([], 20) == []


def test_all_is_recorded_and_few_shards_are_sent_at_a_time() -> None:
    engine = Fake(lambda shard: Reply("w", graded(shard)), places=2)
    room = Room(engine, work_of(230))
    assert len(engine.sent) == 12
    assert engine.most <= 4, "the others are not in the scheduler's memory"
    assert engine.ranks == sorted(engine.ranks)
    assert (room.faults, room.notes) == ({}, [])
    assert room.told[-1] == ClassProgress(230, (), 0, 0, room.told[-1].left, 0, 2)
    assert room.told[0].sent + room.told[0].due == 230


def test_what_is_refused_three_times_is_a_fault_with_its_reason_and_never_a_number() -> None:
    room = Room(Fake(lambda shard: Reply("w", "", "toy is judged otherwise here")), work_of(3))
    assert {(one.fault, one.tries) for one in room.faults.values()} == {
        ("On the worker w: toy is judged otherwise here", 3)
    }
    assert len(room.faults) == 3


def test_an_answer_that_ends_its_shard_costs_no_neighbour_a_verdict() -> None:
    bad = "toy 7"

    def answer(shard: Shard) -> Reply:
        texts = [one.text for one in shard.answers]
        if bad not in texts:
            return Reply("w", graded(shard))
        return Reply("w", graded(shard, but=texts), "the process of the shard was ended by signal 9")

    room = Room(engine := Fake(answer), work_of(20))
    assert list(room.faults) == [hashlib.sha256(bad.encode()).hexdigest()]
    assert [one.fault for one in room.faults.values()] == [
        "On the worker w: the process of the shard was ended by signal 9"
    ]
    assert Counter(len(shard.answers) for shard in engine.sent) == {20: 2, 1: 20}


def test_of_a_shard_that_failed_what_is_there_counts_and_the_rest_is_sent_again() -> None:
    tries = Counter[str]()

    def answer(shard: Shard) -> Reply:
        tries.update(one.text for one in shard.answers)
        return Reply("w", graded(shard, but=["toy 3"] if tries["toy 3"] == 1 else []), "it ended")

    room = Room(Fake(answer), work_of(20))
    assert (room.faults, tries.total(), tries["toy 3"]) == ({}, 21, 2)


@pytest.mark.parametrize("output", ["", "Traceback\n", '{"schema": 1}\n'])
def test_a_shard_without_results_is_a_fault_that_says_so(output: str) -> None:
    room = Room(Fake(lambda _: Reply("w", output)), work_of(1))
    assert all(one.fault and one.verdict is None for one in room.faults.values())
    assert len(room.faults) == 1


def test_results_under_a_weaker_confinement_are_not_recorded() -> None:
    def weaker(shard: Shard) -> Reply:
        return Reply("w", graded(shard).replace('"confinement": "A", "jobs"', '"confinement": "C", "jobs"'))

    room = Room(Fake(weaker), work_of(2))
    assert {one.fault[:54] for one in room.faults.values()} == {
        "On the worker w: Answers ran under the confinement 'C'"
    }


def test_an_engine_that_has_no_worker_any_more_ends_the_run_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard_loop, "SECONDS_WITHOUT_A_WORKER", 0.05)
    engine: Any = Fake(lambda shard: None)
    engine.places = 0
    with pytest.raises(EngineError, match=r"No worker for 0 s. 0 answers are done and kept: start workers"):
        Room(engine, work_of(2))
