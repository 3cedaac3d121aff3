"""Sessions, over processes and oracles that are only pretended: what is shared, what is tried again, what is refused."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from grader.kit.kit import Kit
from grader.marking.attempt import Attempt
from grader.marking.facts import Truth
from grader.marking.verdict import Run, Status
from grader.options import Policy, Unconfined
from grader.run.child import Killed, LaunchError
from grader.run.judge.attempt import NotConfined
from grader.run.protocol import Task
from grader.session import Session
from grader.values.arrays import Expected
from grader.values.message import verbatim
from tests.conftest import ROOT

TASK = Task(b"import flax\n", "a.py", "toy", ("seed",), ((0,),))
RIGHT, CRASHED = Attempt(run=Run(seconds=1.0)), Attempt(Status.CRASH, verbatim("It ended."))


@dataclass
class FakeLauncher:
    """A launcher that starts nothing."""

    alive: bool = True
    closed: bool = False

    def close(self) -> None:
        self.alive, self.closed = False, True


@dataclass
class FakeChild:
    """A child that waits for its task at a tier."""

    launcher: FakeLauncher
    tier: str = "none"
    kill: Callable[[], None] = lambda: None
    refused: list[str] = field(default_factory=lambda: ["Landlock: not here"])
    closed: bool = False
    ended: threading.Event = field(default_factory=threading.Event)

    def close(self) -> None:
        self.closed = True


@dataclass
class Machine:
    """A machine that has some tiers; every launcher and every child that a session asked it for."""

    best: str = "A"
    launchers: list[FakeLauncher] = field(default_factory=list[FakeLauncher])
    children: list[FakeChild] = field(default_factory=list[FakeChild])
    tried: list[str] = field(default_factory=list[str])
    """The tiers that were asked for."""
    refuse: Callable[[FakeLauncher], None] = lambda _: None

    def launcher(self, *, clean: bool) -> FakeLauncher:
        self.launchers.append(FakeLauncher())
        return self.launchers[-1]

    def prepare(self, launcher: FakeLauncher, *_: Any, confine: str = "", **__: Any) -> FakeChild:
        if confine:
            self.tried.append(confine)
            self.refuse(launcher)
        self.children.append(FakeChild(launcher, max(confine, self.best) if confine else "none"))
        return self.children[-1]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr("grader.session.launcher", made.launcher)
    monkeypatch.setattr("grader.session.prepare", made.prepare)
    return made


def session(confine: str = "") -> Session:
    return Session(Kit(ROOT), policy=Policy(confine))


def answers(monkeypatch: pytest.MonkeyPatch, *outcomes: Callable[[FakeChild], Attempt]) -> list[FakeChild]:
    """Let answers come back as these outcomes, in turn; the children that they ran in."""
    ran: list[FakeChild] = []

    def attempt(child: FakeChild, *_: Any) -> Attempt:
        ran.append(child)
        return outcomes[len(ran) - 1](child)

    monkeypatch.setattr("grader.session.attempt", attempt)
    return ran


def right(child: FakeChild) -> Attempt:
    return RIGHT


def crash(child: FakeChild) -> Attempt:
    return CRASHED


def end_the_template(child: FakeChild) -> Attempt:
    child.launcher.alive = False
    return CRASHED


def lose_the_template(child: FakeChild) -> Attempt:
    child.launcher.alive = False
    raise LaunchError("it has ended")


def test_all_answers_share_one_template_until_it_ends(machine: Machine) -> None:
    shared = session()
    first = shared.launcher()
    assert shared.launcher() is first
    machine.launchers[0].alive = False
    assert shared.launcher() is not first


def test_leaving_a_session_ends_every_template_and_the_spare_child(machine: Machine) -> None:
    with session() as shared:
        shared.launcher()
        machine.launchers[0].alive = False
        shared.prepare(())
    assert [one.closed for one in machine.launchers] == [True, True]
    assert [child.closed for child in machine.children] == [True]


def test_an_aborted_session_starts_nothing_more(machine: Machine) -> None:
    shared = session()
    shared.launcher()
    shared.abort()
    assert machine.launchers[0].closed
    with pytest.raises(LaunchError, match="has ended"):
        shared.launcher()


def test_an_oracle_is_opened_once_and_its_warning_is_noted_at_the_end(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_oracle(kit: Kit, name: str, *_: Any) -> Any:
        opened.append(name)
        return SimpleNamespace(close=lambda: f"{name}: nothing is kept" if name == "one" else None)

    monkeypatch.setattr("grader.session.open_oracle", open_oracle)
    with session() as shared:
        assert shared.oracle("one") is shared.oracle("one")
        shared.oracle("two")
        assert shared.notes == []
    assert (opened, shared.notes) == (["one", "two"], ["one: nothing is kept"])


@pytest.mark.parametrize("failing", [end_the_template, lose_the_template])
def test_an_answer_whose_template_ended_runs_once_more_alone(
    failing: Callable[[FakeChild], Attempt], machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = answers(monkeypatch, failing, right)
    assert session().attempt(TASK) is RIGHT
    assert ran[1].launcher is not ran[0].launcher
    assert ran[1].launcher.closed, "it was for this answer only"


def test_an_answer_that_ends_its_own_template_twice_has_crashed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = answers(monkeypatch, end_the_template, end_the_template)
    assert session().attempt(TASK) is CRASHED
    assert len(ran) == 2


def test_a_crash_that_leaves_the_template_alive_is_not_tried_again(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = answers(monkeypatch, crash)
    assert session().attempt(TASK) is CRASHED
    assert len(ran) == 1


def test_after_an_abort_a_crash_is_not_tried_again(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = session()

    def aborted(child: FakeChild) -> Attempt:
        shared.abort()
        return CRASHED

    ran = answers(monkeypatch, aborted)
    assert shared.attempt(TASK) is CRASHED
    assert len(ran) == 1


@pytest.mark.parametrize(("imports", "used"), [(("flax.nnx",), True), ((), False)])
def test_the_spare_child_is_used_if_it_has_the_imports_of_the_answer(
    imports: tuple[str, ...], used: bool, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = answers(monkeypatch, right, right)
    shared = session()
    shared.prepare(imports)
    (spare,) = machine.children
    shared.attempt(TASK)
    assert (ran[0] is spare, spare.closed) == (used, not used)
    shared.attempt(TASK)
    assert ran[1] is not spare, "it serves one answer"


def test_a_spare_child_that_has_ended_is_not_used(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = answers(monkeypatch, right)
    shared = session()
    shared.prepare(("flax.nnx",))
    machine.children[0].ended.set()
    shared.attempt(TASK)
    assert ran[0] is not machine.children[0]


def test_a_second_spare_child_takes_the_place_of_the_first_or_is_not_needed(machine: Machine) -> None:
    shared = session()
    shared.prepare(())
    shared.prepare(())
    (spare,) = machine.children
    shared.prepare(("optax",))
    assert [child.closed for child in machine.children] == [True, False]
    assert machine.children[0] is spare


def test_of_spare_children_that_two_threads_prepare_at_once_one_is_closed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = threading.Barrier(2)

    def prepare(*arguments: Any, **options: Any) -> FakeChild:
        together.wait(10)
        return machine.prepare(*arguments, **options)

    monkeypatch.setattr("grader.session.prepare", prepare)
    with session() as shared:
        threads = [threading.Thread(target=shared.prepare, args=((),)) for _ in range(2)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert sorted(child.closed for child in machine.children) == [False, True]
    assert all(child.closed for child in machine.children)


def test_stopping_ends_the_answer_that_runs_and_the_session_goes_on(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = session()
    killed: list[FakeChild] = []

    def loop(child: FakeChild) -> Attempt:
        child.kill = lambda: killed.append(child)
        shared.stop()
        return CRASHED

    ran = answers(monkeypatch, loop, right)
    assert shared.attempt(TASK) is CRASHED
    shared.stop()
    assert killed == ran, "an answer that has ended is not ended again"
    assert shared.attempt(TASK) is RIGHT


@pytest.mark.parametrize(
    ("best", "asked", "tier"),
    [("A", "best", "A"), ("B", "best", "B"), ("A", "A", "A"), ("A", "B", "B"), ("B", "B", "B"), ("A", "C", "C")],
)
def test_an_answer_gets_the_tier_that_was_asked_for(best: str, asked: str, tier: str, machine: Machine) -> None:
    machine.best = best
    session(asked).prepare(())
    assert machine.children[-1].tier == tier


@pytest.mark.parametrize(("best", "asked"), [("C", "best"), ("B", "A"), ("C", "A"), ("C", "B")])
def test_a_tier_that_this_machine_does_not_have_is_refused_with_the_reason(
    best: str, asked: str, machine: Machine
) -> None:
    machine.best = best
    with pytest.raises(Unconfined, match=f"as asked \\({asked}\\): Landlock: not here.*--tier C"):
        session(asked).prepare(())
    assert all(child.closed for child in machine.children)


def test_a_tier_that_was_refused_once_is_not_tried_again(machine: Machine) -> None:
    machine.best = "B"
    shared = session("best")
    shared.prepare(())
    shared.prepare(("optax",))
    assert machine.tried == ["A", "B"]


def test_a_confinement_that_failed_half_way_is_tried_at_the_next_tier(machine: Machine) -> None:
    def refuse(launcher: FakeLauncher) -> None:
        if machine.tried == ["A"]:
            raise NotConfined("namespaces: refused")

    machine.refuse = refuse
    session("best").prepare(())
    assert machine.tried == ["A", "B"]


@pytest.mark.parametrize(("kills", "tried"), [(1, ["A", "A"]), (3, ["A", "A", "A", "B"])])
def test_a_child_that_is_killed_while_it_is_confined_says_nothing_about_the_tier(
    kills: int, tried: list[str], machine: Machine
) -> None:
    def kill(launcher: FakeLauncher) -> None:
        if len(machine.tried) <= kills:
            raise NotConfined("its process ended", killed=True)

    machine.refuse = kill
    session("best").prepare(())
    assert machine.tried == tried


def test_a_template_that_ended_says_nothing_about_the_tiers(machine: Machine) -> None:
    def end(launcher: FakeLauncher) -> None:
        launcher.alive = False
        raise NotConfined("its process ended")

    machine.refuse = end
    with pytest.raises(LaunchError):
        session("C").prepare(())


def test_a_kit_that_every_answer_may_read_is_refused(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.session.readable", lambda: [str(ROOT.parent)])
    with pytest.raises(Unconfined, match="which every answer may read: move it"):
        session("best").prepare(())
    session("C").prepare(())


@pytest.mark.parametrize("alive", [True, False])
def test_an_evaluator_is_started_once_and_a_process_that_was_ended_meanwhile_is_told_apart(
    alive: bool, machine: Machine
) -> None:
    started: list[str] = []

    def start(kind: str, imports: Sequence[str] = ()) -> Any:
        started.append(kind)
        shared.alive = alive  # pyright: ignore[reportAttributeAccessIssue]
        raise LaunchError("no")

    one = session()
    shared = one.launcher()
    shared.start = start  # pyright: ignore[reportAttributeAccessIssue]
    truth = Truth([Expected(np.zeros(2), 1e-6)], [(2,)], ["float32"], [{}], numbers=[{}])
    with one.evaluator(np.zeros(1, np.uint8), truth, "") as client:
        assert client is not None
        with pytest.raises(LaunchError) as raised:
            client.values()
    assert (started, raised.type is Killed) == (["evaluator"], not alive)


def test_an_oracle_that_is_released_is_closed_and_what_it_says_is_noted() -> None:
    session = Session(Kit(ROOT))
    session._oracles["toy"] = SimpleNamespace(close=lambda: "It cannot be saved.")  # type: ignore[assignment]
    session.release("toy")
    session.release("never_opened")
    assert session.notes == ["It cannot be saved."]
