"""From a problem and a file to a verdict: what is not run, what an answer's process learns, what the verdict records."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from grader.grade import grade
from grader.kit.kit import Kit
from grader.marking.attempt import Attempt
from grader.marking.facts import Facts, Fresh, Truth
from grader.marking.verdict import Run, Status
from grader.options import NoSuchDevice, Policy
from grader.run.child import TRIES, Child, Killed
from grader.run.judge.evaluator_client import EvaluatorClient
from grader.run.protocol import Task
from grader.session import Session
from grader.values.arrays import Answered, Expected
from tests.author import toys

STUB = "def toy(seed):\n    raise NotImplementedError\n"
WRITTEN = "def toy(seed):\n    return 1\n"


class FakeSession:
    """A session whose answers give three ones for each case that they are called on. It records their tasks."""

    def __init__(self, kit: Kit, fresh: bool = True, **attempt: Any) -> None:
        self.kit, self.policy, self.tasks, self.cores = kit, Policy(fresh=7), list[Any](), None
        self._fresh, self._attempt = fresh, attempt

    def oracle(self, name: str) -> Any:
        return self

    def facts(self) -> Facts:
        return Facts("toy", ("seed",), ((0,), (1,)), (), ())

    def truth(self, count: int = 2) -> Truth:
        return Truth([Expected(np.ones(3), 1e-6)] * count, [(3,)] * count, ["float32"] * count, [{}] * count)

    def fresh(self, seed: int) -> Fresh | None:
        return Fresh(((seed,),), self.truth(1)) if self._fresh else None

    @contextlib.contextmanager
    def evaluator(self, programs: Any, truth: Truth, text: str) -> Generator[None]:
        """Nothing: no answer here has programs."""
        yield None

    def attempt(self, task: Any, traced: Any) -> Attempt:
        self.tasks.append(task)
        ones = [Answered(np.ones(3, np.float32), "float32") for _ in task.cases]
        return Attempt(answered=ones, run=Run(seconds=0.12345, confinement="B"), **self._attempt)


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    kit = Kit(tmp_path)
    kit.stub("toy").parent.mkdir(parents=True)
    kit.stub("toy").write_text(WRITTEN)
    return kit


def test_an_answer_is_called_on_the_cases_and_then_on_fresh_inputs(kit: Kit) -> None:
    session: Any = FakeSession(kit)
    verdict = grade(session, "toy")
    (task,) = session.tasks
    assert (task.text, task.cases) == (WRITTEN, ((0,), (1,), (7,)))
    assert (verdict.status, verdict.file) == (Status.CORRECT, "problems/toy/stub.py")
    assert (verdict.run.seconds, verdict.run.confinement, verdict.run.fresh) == (0.123, "B", 7)


def test_a_key_has_no_fresh_inputs_and_the_verdict_says_so(kit: Kit) -> None:
    session: Any = FakeSession(kit, fresh=False)
    assert grade(session, "toy").run.fresh is None
    assert session.tasks[0].cases == ((0,), (1,))


@pytest.mark.parametrize(
    ("change", "unread"), [(Path.unlink, "missing"), (lambda path: path.write_bytes(b"\xff"), "unreadable")]
)
def test_a_file_that_cannot_be_read_is_not_run(change: Any, unread: str, kit: Kit) -> None:
    change(kit.stub("toy"))
    session: Any = FakeSession(kit)
    verdict = grade(session, "toy")
    assert (verdict.status, verdict.unread, verdict.run.confinement) == (Status.ERROR, unread, None)
    assert session.tasks == []


def test_a_stub_that_is_not_filled_in_is_not_run(kit: Kit) -> None:
    kit.stub("toy").write_text(STUB)
    session: Any = FakeSession(kit)
    assert grade(session, "toy").status is Status.UNATTEMPTED
    assert session.tasks == []


def test_a_device_that_is_not_there_is_an_error_of_the_run(kit: Kit) -> None:
    session: Any = FakeSession(kit, no_device="there is no gpu")
    with pytest.raises(NoSuchDevice, match="there is no gpu"):
        grade(session, "toy")


def kills(monkeypatch: pytest.MonkeyPatch, times: int, *, template: bool) -> list[int]:
    """Let something outside kill the first evaluators as they begin, or the process that forks them; those killed."""
    killed: list[int] = []

    def begin(start: Callable[[], Child], *arguments: Any) -> EvaluatorClient:
        def kills() -> Child:
            child = start()
            if len(killed) < times:
                killed.append(psutil.Process(child.pid).ppid() if template else child.pid)
                os.kill(killed[-1], signal.SIGKILL)
            return child

        return EvaluatorClient(kills, *arguments)

    monkeypatch.setattr("grader.session.EvaluatorClient", begin)
    return killed


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="children are forked on Linux alone")
@pytest.mark.parametrize("template", [False, True])
def test_an_evaluator_that_is_killed_changes_no_verdict(
    template: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys.make(tmp_path, "distance_decay")
    kit = Kit(tmp_path)
    kit.stub("distance_decay").write_text(toys.ANSWER.replace("/ 4", "/ 3.1"))
    with Session(kit) as session:
        quiet = grade(session, "distance_decay")
        assert quiet.where, "only the evaluator finds the place"
        killed, ran = kills(monkeypatch, 1, template=template), list[Task]()
        attempt = session.attempt
        monkeypatch.setattr(session, "attempt", lambda task, traced: ran.append(task) or attempt(task, traced))
        verdict = grade(session, "distance_decay")
        assert (len(killed), len(ran)) == (1, 1), "the answer does not run again"
        without_times = (replace(told, run=replace(told.run, seconds=0, processor=0)) for told in (verdict, quiet))
        assert len({*map(repr, without_times)}) == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="children are forked on Linux alone")
def test_where_the_evaluator_is_killed_again_and_again_there_is_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys.make(tmp_path, "distance_decay")
    kit = Kit(tmp_path)
    kit.stub("distance_decay").write_text(toys.ANSWER)
    killed = kills(monkeypatch, 2 * TRIES, template=False)
    with (
        Session(kit) as session,
        pytest.raises(Killed, match=r"^The process that evaluates .* was killed"),
    ):
        grade(session, "distance_decay")
    assert len(killed) == TRIES
