"""An attempt, watched from outside: what is measured, which limit ends it, and how each end is reported.

The children here are pipes without a process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from types import SimpleNamespace
from typing import Any

import numpy as np
import psutil
import pytest

from grader.marking.verdict import Status
from grader.options import Limits
from grader.run import attempt as module
from grader.run import frames
from grader.run.attempt import NotConfined, attempt, imports_of, prepare
from grader.run.child import OUTPUT_CAP, Child
from grader.run.returned import Task

TASK = Task("größe = 1\n", "a.py", "toy", ("seed", "n"), ((0, 2),), contract="keys", argnum=1)
HEADER: dict[str, Any] = {
    "values": ["float32"],
    "again": [],
    "raised": None,
    "transformed": [],
    "broken": None,
    "insights": [],
    "device": "cpu",
}
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
def pipes() -> Generator[Pipes]:
    made = Pipes()
    yield made
    made.close()


def test_a_child_gets_the_text_and_the_cases_and_its_values_come_back(pipes: Pipes) -> None:
    pipes.child.tier = "B"
    pipes.end(sent=frames.encode(HEADER, [ROW]))
    given = attempt(pipes.child, TASK, Limits())
    header, (text,) = pipes.asked()
    assert text.tobytes().decode() == TASK.text
    assert header == {
        "filename": "a.py",
        "function": "toy",
        "parameters": ["seed", "n"],
        "cases": [[0, 2]],
        "as_written": False,
        "contract": "keys",
        "argnum": 1,
        "draws": False,
        "arrays": header["arrays"],
    }
    assert (given.failure, given.confinement, pipes.kills) == (None, "B", 0)
    (row,) = given.answered
    assert row.array is not None
    assert row.array.tolist() == [0.0, 1.0]


def test_a_child_that_ends_without_a_result_has_crashed(pipes: Pipes) -> None:
    pipes.end(-11)
    given = attempt(pipes.child, TASK, Limits())
    assert given.failure is Status.CRASH
    assert "SIGSEGV" in given.message


def test_a_child_that_runs_longer_than_the_limit_is_killed(pipes: Pipes) -> None:
    given = attempt(pipes.child, TASK, Limits(seconds=0.0))
    assert (given.failure, pipes.kills) == (Status.TIMEOUT, 1)
    assert given.message == "It was still running after 0 s, and was stopped."


@pytest.mark.parametrize(("measure", "message"), [("_memory", "of memory"), ("_threads", "threads")])
def test_a_child_that_uses_more_than_it_may_is_killed(
    measure: str, message: str, pipes: Pipes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, measure, lambda *_, **__: 1 << 40)
    given = attempt(pipes.child, TASK, Limits())
    assert (given.failure, pipes.kills) == (Status.MEMORY, 1)
    assert message in given.message


def test_memory_that_the_kernel_counts_is_not_measured_here(pipes: Pipes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_memory", lambda *_, **__: 1 << 40)
    pipes.child.counted = True
    assert attempt(pipes.child, TASK, Limits(seconds=0.0)).failure is Status.TIMEOUT


@pytest.mark.parametrize(("over", "message"), [("memory", "of memory"), ("tasks", "threads")])
def test_a_limit_of_the_kernel_that_ended_a_child_is_reported(over: str, message: str, pipes: Pipes) -> None:
    pipes.child.over = over
    pipes.end(-9)
    given = attempt(pipes.child, TASK, Limits())
    assert given.failure is Status.MEMORY
    assert message in given.message


def test_what_a_child_printed_is_shown_and_the_rest_is_counted(pipes: Pipes) -> None:
    pipes.child.output, pipes.child.dropped = bytearray(b"x" * OUTPUT_CAP), 7
    pipes.end(1)
    assert attempt(pipes.child, TASK, Limits()).output == "x" * OUTPUT_CAP + "\n[7 more bytes were printed]"


def prepared(pipes: Pipes, confine: str) -> Child:
    launcher: Any = SimpleNamespace(start=lambda *_: pipes.child)
    return prepare(launcher, (), "cpu", warm=False, confine=confine, memory=7)


def test_a_prepared_child_has_the_tier_that_it_reports(pipes: Pipes) -> None:
    frames.write(pipes.result, frames.encode({"tier": "B", "refused": ["no user namespace"]}))
    child = prepared(pipes, "A")
    assert (child.tier, child.refused, pipes.kills) == ("B", ["no user namespace"], 0)
    header, _ = pipes.asked()
    assert (header["device"], header["warm"], header["confine"], header["memory"]) == ("cpu", False, "A", 7)


def test_without_confinement_a_prepared_child_reports_nothing(pipes: Pipes) -> None:
    assert prepared(pipes, "").tier == "none"


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
    sent: bytes, over: str, reason: str, pipes: Pipes
) -> None:
    pipes.child.over = over
    pipes.end(1, sent)
    with pytest.raises(NotConfined, match=reason):
        prepared(pipes, "A")
    assert pipes.child.result == -1, "the child is closed"


# Memory of several processes


def process(full: Callable[[], Any], resident: int = 7) -> Any:
    return SimpleNamespace(memory_full_info=full, memory_info=lambda: SimpleNamespace(rss=resident))


def refuse() -> Any:
    raise psutil.AccessDenied(1)


def test_of_pages_that_processes_share_each_counts_its_part() -> None:
    assert module._share(process(lambda: SimpleNamespace(pss=3, uss=2))) == 3  # pyright: ignore[reportPrivateUsage]
    assert module._share(process(lambda: SimpleNamespace(uss=2))) == 2  # pyright: ignore[reportPrivateUsage]


def test_of_a_process_that_hides_its_pages_all_are_counted() -> None:
    assert module._share(process(refuse)) == 7  # pyright: ignore[reportPrivateUsage]


def test_a_descendant_that_hides_or_has_ended_does_not_reduce_the_sum() -> None:
    def ended() -> Any:
        raise psutil.NoSuchProcess(1)

    below = [process(refuse, 100), process(ended), process(lambda: SimpleNamespace(pss=20, uss=2))]
    answer = process(lambda: SimpleNamespace(pss=3, uss=2))
    answer.children = lambda recursive: below
    assert module._memory(answer, alone=False) == 123  # pyright: ignore[reportPrivateUsage]
    assert module._memory(answer, alone=True) == 7  # pyright: ignore[reportPrivateUsage]


HOGS = """
import ctypes, os, sys, time
from grader.sandbox.limits import become_subreaper

become_subreaper()
if os.fork() == 0:  # ends at once, so that its child is an orphan
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # now no other process of this user may look at its pages
        kept = b"x" * (300 << 20)
        print("ready", flush=True)
        time.sleep(60)
    os._exit(0)
os.wait()
time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are found on Linux alone")
def test_an_orphan_that_hides_is_measured_with_the_answer_that_left_it() -> None:
    answer = subprocess.Popen([sys.executable, "-c", HOGS], stdout=subprocess.PIPE, text=True)
    try:
        assert answer.stdout is not None
        assert answer.stdout.readline() == "ready\n"
        measured = module._memory(psutil.Process(answer.pid), alone=False)  # pyright: ignore[reportPrivateUsage]
        assert measured > 300 << 20
    finally:
        for one in (*psutil.Process(answer.pid).children(recursive=True), answer):
            one.kill()
        answer.wait()
        answer.stdout.close()
