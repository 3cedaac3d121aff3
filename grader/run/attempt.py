"""One answer, run in a process of its own: what came back, or how it ended."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import psutil

from grader.contract import Broken
from grader.judge import Answered
from grader.options import Limits
from grader.report.text import size_text
from grader.run import wire
from grader.run.launch import OUTPUT_CAP, RESULT_CAP, Child, Launcher
from grader.verdict import Insight, Status

POLL = 0.02
"""Seconds between two looks at the memory of an answer."""
THREADS = 256 + 8 * (os.cpu_count() or 1)
"""JAX starts some for each core; no answer needs hundreds."""


@dataclass(frozen=True)
class Task:
    """What an answer child is told; `as_written` where it may not be compiled as one program.

    `contract` is what is asked of it beyond its values (see `grader.contract`), `position` the parameter that a derivative
    is taken by.
    """

    text: str
    filename: str
    function: str
    parameters: tuple[str, ...]
    cases: tuple[tuple[int | float, ...], ...]
    as_written: bool = False
    contract: str = ""
    position: int = 0


@dataclass(frozen=True)
class Attempt:
    """What came back of an answer. `failure` is set where its process ended without a whole frame.

    `kept` are the values under the contract, `broken` says how that is not kept.
    """

    failure: Status | None = None
    message: str = ""
    answered: Sequence[Answered] = ()
    again: Mapping[int, Answered] = field(default_factory=dict[int, Answered])
    raised: Mapping[str, Any] | None = None
    kept: Sequence[Answered] = ()
    broken: Broken | None = None
    insights: Sequence[Insight] = ()
    device: str = ""
    no_device: str = ""
    output: str = ""
    seconds: float = 0.0
    confinement: str = "none"


def imports_of(text: str) -> tuple[str, ...]:
    """What the template should import before it forks, so that the answer need not."""
    modules = {"flax": "flax.nnx", "optax": "optax"}
    return tuple(module for name, module in modules.items() if re.search(rf"\b{name}\b", text))


def prepare(
    launcher: Launcher, imports: Sequence[str], device: str, *, warm: bool, confine: str = "", memory: int = 0
) -> Child:
    """A child that waits for its task.

    Args:
        warm: whether nobody is waiting yet, so that its compiler starts too.
        confine: the highest tier of confinement to try, or nothing for none.
        memory: bytes that the answer may use.

    Raises:
        NotConfined: where a step of the confinement failed half-way; the child is gone then.
    """
    child = launcher.start("answer", imports)
    _send(child, {"device": device, "warm": warm, "confine": confine, "memory": memory})
    if confine:
        try:
            said = wire.read(child.result)
        except wire.FrameError:
            said = None
        header = {"tier": "", "refused": ["its process ended"]} if said is None else said[0]
        child.tier, refused = str(header["tier"]), [str(one) for one in header["refused"]]
        if not child.tier:
            child.close()
            raise NotConfined("; ".join(refused))
        child.refused = refused
    return child


class NotConfined(Exception):
    """A confinement that failed: what was refused."""


def attempt(child: Child, task: Task, limits: Limits) -> Attempt:
    """Run an answer on the cases of a task in a prepared child, within limits that are kept from outside."""
    return replace(_attempt(child, task, limits), confinement=child.tier)


def _attempt(child: Child, task: Task, limits: Limits) -> Attempt:
    start = time.monotonic()
    result = bytearray()
    reader = threading.Thread(target=_collect, args=(child.result, result), daemon=True)
    reader.start()
    try:
        _ask(child, task)
        broken = _watch(child, limits, start)
        seconds = time.monotonic() - start
    finally:
        # After the child has ended its pipes end too; closing them here ends the readers in any case.
        if not child.ended.is_set():
            child.kill()
        reader.join(5.0)
        child.close()
    output = _shown(child)
    if broken is not None:
        status, message = broken
        return Attempt(status, message, output=output, seconds=seconds)
    return _read(bytes(result), child.status, len(task.cases), output, seconds)


def _ask(child: Child, task: Task) -> None:
    header = {
        "text": task.text,
        "filename": task.filename,
        "function": task.function,
        "parameters": list(task.parameters),
        "cases": [list(case) for case in task.cases],
        "as_written": task.as_written,
        "contract": task.contract,
        "position": task.position,
    }
    _send(child, header)


def _send(child: Child, header: dict[str, Any]) -> None:
    with contextlib.suppress(BrokenPipeError):  # it has ended already: its status tells
        wire.write(child.request, wire.encode(header))


def _collect(descriptor: int, result: bytearray) -> None:
    with contextlib.suppress(OSError):
        while len(result) <= RESULT_CAP and (part := os.read(descriptor, 1 << 20)):
            result += part


def _watch(child: Child, limits: Limits, start: float) -> tuple[Status, str] | None:
    """Wait for the end; kill at a limit and say which."""
    process, alone = _process(child), child.tier in ("A", "B")
    while not child.wait(POLL):
        used = _memory(process, alone=alone)
        if _threads(process) > THREADS:
            child.kill()
            return Status.MEMORY, f"It started more than {THREADS} threads, more than an answer may have."
        if used > limits.memory:
            child.kill()
            return Status.MEMORY, f"It used more than the {size_text(limits.memory)} of memory that an answer may use."
        if time.monotonic() - start > limits.seconds:
            child.kill()
            return Status.TIMEOUT, f"It was still running after {limits.seconds:g} s, and was stopped."
    return None


def _process(child: Child) -> psutil.Process | None:
    try:
        process = psutil.Process(child.pid) if child.pid > 0 else None
        if process is not None and child.tier == "A":
            return process.children(recursive=True)[-1]  # two processes wait for the one that computes
        return process
    except (psutil.Error, IndexError):
        return None


def _threads(process: psutil.Process | None) -> int:
    with contextlib.suppress(psutil.Error):
        return process.num_threads() if process is not None else 0
    return 0


def _memory(process: psutil.Process | None, *, alone: bool) -> int:
    """Resident bytes of a process and, unless it is `alone`, its descendants; pages that they share count once."""
    if process is None:
        return 0
    used = 0
    with contextlib.suppress(psutil.Error):
        descendants = [] if alone else process.children(recursive=True)
        if not descendants:
            return process.memory_info().rss
        for one in (process, *descendants):
            with contextlib.suppress(psutil.Error):
                full = one.memory_full_info()
                used += getattr(full, "pss", full.uss)
    return used


def _shown(child: Child) -> str:
    text = bytes(child.output[:OUTPUT_CAP]).decode("utf-8", "replace")
    return text + (f"\n[{child.dropped} more bytes were printed]" if child.dropped else "")


def _read(result: bytes, status: int | None, cases: int, output: str, seconds: float) -> Attempt:
    if not result:
        return Attempt(Status.CRASH, ended_text(status), output=output, seconds=seconds)
    try:
        header, arrays = wire.decode(result)
        return _from_frame(header, arrays, cases, output, seconds)
    except (wire.FrameError, KeyError, TypeError, ValueError, StopIteration, AttributeError) as error:
        return Attempt(
            Status.ERROR,
            f"What its process sent back is not one whole result ({error}).",
            output=output,
            seconds=seconds,
        )


def _from_frame(
    header: Mapping[str, Any], arrays: Sequence[wire.Array], cases: int, output: str, seconds: float
) -> Attempt:
    if "no-device" in header:
        return Attempt(no_device=str(header["no-device"]), output=output, seconds=seconds)
    remaining = iter(arrays)
    answered = [_answered(str(kind), remaining) for kind in header["values"]]
    again = {int(index): _answered(str(kind), remaining) for index, kind in header["again"]}
    kept = [_answered(str(kind), remaining) for kind in header["kept"]]
    raised = header["raised"]
    if (
        next(remaining, None) is not None
        or len(answered) > cases
        or len(kept) not in (0, cases)
        or not all(0 <= index < cases for index in again)
    ):
        raise ValueError("its arrays do not fit its cases")
    if raised is None and len(answered) != cases:
        raise ValueError("cases are missing")
    if raised is not None and not isinstance(raised, dict):
        raise ValueError("its exception is not described")
    insights = [Insight(str(name), str(message)) for name, message in header["insights"]]
    if any(insight.name not in ("long-trace", "not-traceable") for insight in insights):
        raise ValueError("an unknown insight")
    return Attempt(
        answered=answered,
        again=again,
        raised=raised,
        kept=kept,
        broken=_broken(header["broken"]),
        insights=insights,
        device=str(header["device"]),
        output=output,
        seconds=seconds,
    )


def _broken(found: Any) -> Broken | None:
    if found is None:
        return None
    raised = found["raised"]
    if raised is not None and not isinstance(raised, dict):
        raise ValueError("its exception is not described")
    return Broken(raised, [int(line) for line in found["lines"]][:8], int(found["times"]))


def _answered(kind: str, arrays: Any) -> Answered:
    if kind.startswith("not:"):
        return Answered(None, instead=kind[4:64])
    return Answered(next(arrays), dtype=kind)


def ended_text(status: int | None) -> str:
    """How a process ended, in words; `status` is an exit code, or minus a signal's number."""
    if status is None:
        return "Its process ended, and nobody could see how."
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        meaning = {"SIGSEGV": " (a segmentation fault)", "SIGABRT": " (it aborted)", "SIGKILL": " (it was killed)"}
        return f"Its process was ended by {name}{meaning.get(name, '')} before it returned a value."
    return f"Its process exited with status {status} before it returned a value."
