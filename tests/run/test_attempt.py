"""An attempt, watched from outside: what is measured, which limit ends it, and how each end is reported.

The children here are pipes without a process.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from grader.marking.attempt import OUTSIDE
from grader.marking.verdict import Frame, Status
from grader.options import Limits
from grader.run.child import Child
from grader.run.judge import attempt as module
from grader.run.judge.attempt import (
    LONGEST_OUTPUT,
    LONGEST_OUTPUT_OF_A_CASE,
    NotConfined,
    Usage,
    attempt,
    imports_of,
    prepare,
)
from grader.run.protocol import Opening, Result, ReturnedValue, Task
from grader.values import frames
from grader.values.codec import encode

TASK = Task("größe = 1\n".encode(), "a.py", "toy", ("seed", "n"), ((0, 2),), contract="keys", argnum=1)
SENT = encode(Result((ReturnedValue("float32", np.arange(2, dtype=np.float32)),), compiled=True))
ROW = np.arange(2, dtype=np.float32)


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("import jax\n", ()),
        ("from flax import nnx\n", ("flax.nnx",)),
        ("import optax, flax\n", ("flax.nnx", "optax")),
        ("reflaxed = optaxes = 1\n", ()),
    ],
)
def test_modules_that_a_text_names_are_imported_before_it_runs(text: str, modules: tuple[str, ...]) -> None:
    assert imports_of(text) == modules


class Pipes:
    """The child's ends of the pipes of a child without a process."""

    def __init__(self) -> None:
        self.request, request = os.pipe()
        result, self.result = os.pipe()
        self.kills = 0
        self.child = Child(-1, request, self.kill, result)

    def kill(self) -> None:
        self.kills += 1
        self.end(-9)

    def end(self, status: int = 0, sent: bytes = b"") -> None:
        """The child sends bytes, and ends."""
        frames.write(self.result, sent)
        os.close(self.result)
        self.result = -1
        self.child.status = status
        self.child.ended.set()

    def close(self) -> None:
        self.child.close()
        os.close(self.request)
        if self.result >= 0:
            os.close(self.result)

    def asked(self) -> tuple[dict[str, Any], list[Any]]:
        """The next request that the child gets."""
        frame = frames.read(self.request)
        assert frame is not None
        return frame


@pytest.fixture
def fresh() -> Generator[Pipes]:
    """Those of a child that has said nothing yet."""
    made = Pipes()
    yield made
    made.close()


@pytest.fixture
def pipes(fresh: Pipes) -> Pipes:
    """Those of a child that is ready for its answer."""
    frames.write(fresh.result, encode(Opening("gpu (H200)")))
    return fresh


def test_a_child_gets_the_text_and_the_cases_and_its_values_come_back(pipes: Pipes) -> None:
    pipes.child.tier = "B"
    pipes.end(sent=SENT)
    given = attempt(pipes.child, TASK, Limits())
    header, (text,) = pipes.asked()
    assert text.tobytes().decode() == TASK.text
    assert header == {
        "source": "array",
        "filename": "a.py",
        "function": "toy",
        "parameters": ["seed", "n"],
        "cases": [[0, 2]],
        "as_written": False,
        "contract": "keys",
        "argnum": 1,
        "programs": 0,
        "plain": False,
        "endless": [],
        "outlined": False,
    }
    assert (given.failure, given.run.confinement, given.run.device, pipes.kills) == (None, "B", "gpu (H200)", 0)
    (row,) = given.answered
    assert row.array is not None
    assert row.array.tolist() == [0.0, 1.0]


def test_a_child_without_a_device_says_so_before_it_has_its_answer(fresh: Pipes) -> None:
    fresh.end(sent=encode(Opening(missing="there is no gpu")))
    assert attempt(fresh.child, TASK, Limits()).no_device == "there is no gpu"


def test_a_child_cannot_say_later_that_it_has_no_device(pipes: Pipes) -> None:
    pipes.end(sent=encode(Opening(missing="there is no gpu")))
    given = attempt(pipes.child, TASK, Limits())
    assert (given.failure, given.no_device) == (Status.ERROR, "")


@pytest.mark.parametrize("sent", [b"", b"GRD1", b"no frame at all"])
def test_a_child_that_ends_before_it_is_ready_has_crashed(fresh: Pipes, sent: bytes) -> None:
    fresh.end(-11, sent)
    assert attempt(fresh.child, TASK, Limits()).failure is Status.CRASH


def test_a_child_that_ends_without_a_result_has_crashed(pipes: Pipes) -> None:
    pipes.end(-11)
    given = attempt(pipes.child, TASK, Limits())
    assert given.failure is Status.CRASH
    assert "SIGSEGV" in str(given.message)
    assert not given.run.killed


def test_a_child_that_the_system_killed_is_known_as_such_wherever_it_was(pipes: Pipes) -> None:
    frames.write(pipes.result, frames.encode({"step": "call", "case": 0, "line": 2}))
    pipes.end(-9)
    given = attempt(pipes.child, TASK, Limits())
    assert (given.failure, given.was.step, given.run.killed) == (Status.CRASH, "call", True)


LOOPING = replace(TASK, source=b"def toy(seed, n):\n    while True:\n        pass\n")


def test_a_child_that_says_that_it_is_in_an_endless_loop_is_killed_long_before_its_limit(pipes: Pipes) -> None:
    note = {"step": "call", "case": 0, "line": 2, "endless": True}
    frames.write(pipes.result, frames.encode(note))
    given = attempt(pipes.child, LOOPING, Limits())
    header, _ = pipes.asked()
    assert header["endless"] == [[2, 3]]
    assert (given.failure, given.run.endless, pipes.kills) == (Status.TIMEOUT, True, 1)
    assert str(given.message).startswith("It was in a `while` loop that only an error could end: ")
    assert given.was.frame == Frame(2, "", "while True:")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("text", "line"), [(LOOPING.text, 1), (TASK.text, 2), (LOOPING.text.replace("pass", "break"), 2)]
)
def test_a_loop_that_the_text_does_not_have_ends_nothing(pipes: Pipes, text: str, line: int) -> None:
    frames.write(pipes.result, frames.encode({"step": "call", "case": 0, "line": line, "endless": True}))
    given = attempt(pipes.child, replace(TASK, source=text.encode()), Limits(seconds=0.1))
    assert (given.failure, given.run.endless) == (Status.TIMEOUT, False)


def test_a_limit_on_the_clock_alone_ends_it(pipes: Pipes) -> None:
    given = attempt(pipes.child, TASK, Limits(timeout=0.0))
    assert (given.failure, pipes.kills) == (Status.TIMEOUT, 1)
    assert "its limits are 60 s of computing and 0 s on the clock" in str(given.message)


def test_a_child_that_runs_longer_than_the_limit_is_killed(pipes: Pipes) -> None:
    given = attempt(pipes.child, TASK, Limits(seconds=0.0))
    assert (given.failure, pipes.kills) == (Status.TIMEOUT, 1)
    assert str(given.message) == (
        "It was still running after 0 s on the clock, and was stopped. It computed for 0.0 s of them; its limits are 0 s of "
        "computing and 0 s on the clock. If this machine is busy, give it more time with --timeout."
    )


def using(monkeypatch: pytest.MonkeyPatch, *measured: Usage) -> None:
    """Let each measurement of a child give the next of these; the last one again and again."""
    left = list(measured)
    monkeypatch.setattr(module, "usage", lambda *_, **__: left.pop(0) if len(left) > 1 else left[0])


@pytest.mark.parametrize(
    ("used", "status", "message"),
    [
        (Usage(memory=1 << 40), Status.MEMORY, "of memory"),
        (Usage(threads=1 << 20), Status.MEMORY, "threads"),
        (Usage(seconds=70.5), Status.TIMEOUT, "after 60 s of processor time"),
    ],
)
def test_a_child_that_uses_more_than_it_may_is_killed(
    used: Usage, status: Status, message: str, pipes: Pipes, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(monkeypatch, Usage(seconds=10.0), used)
    given = attempt(pipes.child, TASK, Limits())
    assert (given.failure, pipes.kills, given.run.processor) == (status, 1, max(0.0, used.seconds - 10.0))
    assert message in str(given.message)


@pytest.mark.slow
def test_what_a_child_computed_before_it_got_its_answer_does_not_count(
    pipes: Pipes, monkeypatch: pytest.MonkeyPatch
) -> None:
    using(monkeypatch, Usage(seconds=100.0), Usage(seconds=100.2))
    given = attempt(pipes.child, TASK, Limits(seconds=0.3))
    assert given.failure is Status.TIMEOUT
    assert given.run.processor == pytest.approx(0.2)
    assert "after 2 s on the clock, and was stopped. It computed for 0.2 s" in str(given.message), (
        "five times the limit on the clock"
    )


def test_a_child_that_is_killed_says_where_it_was(pipes: Pipes) -> None:
    note = {"step": "call", "case": 0, "line": 0}
    dump = b'Current thread 0x1 (most recent call first):\n  File "a.py", line 1 in toy\n'
    frames.write(pipes.result, frames.encode(note) + dump)
    was = attempt(pipes.child, TASK, Limits(seconds=0.02)).was
    assert (was.step, was.case) == ("call", 0)
    assert was.frame == Frame(1, "toy", "größe = 1")


@pytest.mark.parametrize(("over", "message"), [("memory", "of memory"), ("tasks", "threads")])
def test_a_limit_of_the_kernel_that_ended_a_child_is_reported(over: str, message: str, pipes: Pipes) -> None:
    pipes.child.over = over
    pipes.end(-9)
    given = attempt(pipes.child, TASK, Limits())
    assert given.failure is Status.MEMORY
    assert message in str(given.message)


def test_what_a_child_printed_is_kept_whole_and_by_case_and_the_rest_is_counted(pipes: Pipes) -> None:
    long = b"x" * (LONGEST_OUTPUT + 1)
    pipes.child.output, pipes.child.dropped = bytearray(b"ab\x1e0\x1e" + long), 7
    pipes.end(1)
    given = attempt(pipes.child, TASK, Limits())
    assert str(given.run.output) == f"ab{'x' * (LONGEST_OUTPUT - 2)}\n[10 more bytes were printed]"
    assert str(given.printed[OUTSIDE]) == "ab"
    most = LONGEST_OUTPUT_OF_A_CASE
    assert str(given.printed[0]) == f"{'x' * most}\n[{len(long) - most} more bytes were printed]"


def prepared(fresh: Pipes, confine: str) -> Child:
    launcher: Any = SimpleNamespace(start=lambda *_: fresh.child)
    return prepare(launcher, (), "cpu", confine=confine, memory=7)


def test_a_prepared_child_has_the_tier_that_it_reports(fresh: Pipes) -> None:
    frames.write(fresh.result, frames.encode({"tier": "B", "refused": ["no user namespace"]}))
    child = prepared(fresh, "A")
    assert (child.tier, child.refused, fresh.kills) == ("B", ["no user namespace"], 0)
    header, _ = fresh.asked()
    assert (header["device"], header["likely"], header["confine"], header["memory"]) == ("cpu", None, "A", 7)


def test_without_confinement_a_prepared_child_reports_nothing(fresh: Pipes) -> None:
    assert prepared(fresh, "").tier == "none"


@pytest.mark.parametrize(
    ("sent", "over", "reason"),
    [
        (frames.encode({"tier": "", "refused": ["Landlock: no", "mount: no"]}), "", "^Landlock: no; mount: no$"),
        (b"", "", "^its process ended$"),
        (b"GRD1", "", "^its process ended$"),
        (b"", "memory", "^its process ended, which needs more memory than an answer may use$"),
    ],
)
def test_a_confinement_that_fails_is_an_error_with_the_reason(
    sent: bytes, over: str, reason: str, fresh: Pipes
) -> None:
    fresh.child.over = over
    fresh.end(1, sent)
    with pytest.raises(NotConfined, match=reason) as raised:
        prepared(fresh, "A")
    assert not raised.value.killed
    assert fresh.child.result == -1, "the child is closed"


@pytest.mark.parametrize(("over", "killed"), [("", True), ("memory", False)])
def test_a_child_that_was_killed_before_it_was_confined_is_told_apart(over: str, killed: bool, fresh: Pipes) -> None:
    fresh.child.over = over
    fresh.end(-signal.SIGKILL, b"")
    with pytest.raises(NotConfined, match="its process ended") as raised:
        prepared(fresh, "A")
    assert raised.value.killed == killed


def test_a_child_that_is_killed_because_it_does_not_end_was_not_killed_from_outside(
    fresh: Pipes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("grader.run.judge.attempt", "grader.run.child"):
        monkeypatch.setattr(f"{name}.SECONDS_FOR_A_QUICK_STEP", 0.05)
    monkeypatch.setattr(fresh, "end", lambda status: fresh.child.ended.set())
    os.close(fresh.result)
    fresh.result = -1
    with pytest.raises(NotConfined) as raised:
        prepared(fresh, "A")
    assert (raised.value.killed, fresh.kills) == (False, 1)
