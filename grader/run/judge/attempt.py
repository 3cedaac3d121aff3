"""Runs one answer in a process of its own: what the process used and sent back, or how it ended."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import psutil

from grader.kit.files import size_text
from grader.locale.language import gettext
from grader.marking.attempt import Attempt
from grader.marking.endless_loops import EndlessLoop, endless_loops
from grader.marking.verdict import Printed, Run, Status
from grader.options import Limits
from grader.run.answer.output_streams import by_case
from grader.run.answer.progress_notes import Split, ask, split, whereabouts
from grader.run.child import RESULT_CAP, SECONDS_FOR_A_QUICK_STEP, Child, Launcher
from grader.run.judge.cores import Cores
from grader.run.judge.result_reader import programs_of, read
from grader.run.protocol import WIDE_DRAWS, Likely, Opening, Setup, Task, TracedPrograms
from grader.sandbox.confine import Confined
from grader.sandbox.limits import LINUX, MOST_THREADS
from grader.values import codec, frames
from grader.values.decode import Malformed
from grader.values.message import Message, message, sentences


@dataclass(frozen=True)
class Usage:
    """What the processes of an answer use together.

    Attributes:
        memory: resident bytes; pages that several processes share count once.
        seconds: processor time, of processes that ended and were waited for too.
        threads: threads of the process that computes.
    """

    memory: int = 0
    seconds: float = 0.0
    threads: int = 0


def process_of(child: Child) -> psutil.Process | None:
    """The process of a child that computes; None if there is none any more."""
    try:
        process = psutil.Process(child.pid) if child.pid > 0 else None
        if process is not None and child.tier == "A":
            return process.children(recursive=True)[-1]  # two processes wait for the one that computes
        return process
    except (psutil.Error, IndexError):
        return None


def usage(process: psutil.Process | None, *, alone: bool, counted: bool = False) -> Usage:
    """Measure a process and its descendants.

    A process can hide processor time: that of its children counts only while they run, or if it waits for their end.

    Args:
        alone: whether it can have no descendants, so that nobody has to look for them.
        counted: whether the kernel counts the memory, so that it is not measured here.
    """
    if process is None:
        return Usage()
    try:
        everyone = [process] if alone else [process, *process.children(recursive=True)]
        threads = process.num_threads()
    except psutil.Error:
        return Usage()
    memory, seconds = 0, 0.0
    for member in everyone:
        with contextlib.suppress(psutil.Error):
            times = member.cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
            if not counted:
                memory += _share(member) if len(everyone) > 1 else member.memory_info().rss
    return Usage(memory, seconds, threads)


def resident(process: psutil.Process | None) -> int:
    """The resident bytes of one process, those that it shares too; 0 if it has ended."""
    try:
        return 0 if process is None else process.memory_info().rss
    except psutil.Error:
        return 0


def _share(process: psutil.Process) -> int:
    """Resident bytes of one of several processes: of pages that it shares, only its part.

    If its pages cannot be inspected, the shared pages count in full.
    """
    try:
        full = process.memory_full_info()
    except psutil.AccessDenied:
        return process.memory_info().rss
    return getattr(full, "pss", full.uss)


LONGEST_OUTPUT, LONGEST_OUTPUT_OF_A_CASE = 1 << 16, 1 << 14
"""Bytes that are kept of all that an answer prints, and of what it prints in one case."""

SECONDS_BETWEEN_LOOKS = 0.02
"""Seconds between two measurements of what an answer uses."""


def imports_of(text: str) -> tuple[str, ...]:
    """Modules that the template should import before it forks, so that the answer does not wait for their import."""
    modules = {"flax": "flax.nnx", "optax": "optax"}
    return tuple(module for name, module in modules.items() if re.search(rf"\b{name}\b", text))


def draws_of(text: str) -> tuple[str, ...]:
    """The draws that an answer may make: those that it names; with Flax, which draws by itself, all."""
    return tuple(name for name in WIDE_DRAWS if re.search(rf"\b({name}|flax)\b", text))


def prepare(
    launcher: Launcher,
    imports: Sequence[str],
    device: str,
    *,
    likely: Likely | None = None,
    confine: str = "",
    memory: int = 0,
    cores: Cores | None = None,
) -> Child:
    """A child that waits for its task.

    Args:
        likely: as in `Setup`. It takes time, so nobody should be waiting for the child.
        confine: the highest tier of confinement to try; empty for no confinement.
        memory: bytes that the answer may use.
        cores: shares cores out; None for an answer that may use all.

    Raises:
        NotConfined: if a step of the confinement failed, or the process ended before it said so. It has ended then.
    """
    child = launcher.start("answer", imports, memory)
    if cores is not None:
        cores.bind(child)  # before it is told its device, and starts a backend
    _send(child, Setup(device, likely, confine, memory))
    if confine:
        try:
            report = codec.read(Confined, child.result)
        except Malformed:
            report = None
        done = report or Confined("", [_why_it_ended(child)])
        if not done.tier:
            killed = report is None and child.was_killed() and not child.over  # `close` kills one that has not ended
            child.close()
            raise NotConfined("; ".join(done.refused), killed=killed)
        child.tier, child.refused = done.tier, done.refused
        if not LINUX:
            without = gettext("{platform}: no namespaces, no Landlock, no seccomp")
            child.refused = [without.format(platform=sys.platform)]
    return child


def _why_it_ended(child: Child) -> str:
    child.wait(SECONDS_FOR_A_QUICK_STEP)
    if child.over == "memory":
        return gettext("its process ended, which needs more memory than an answer may use")
    return gettext("its process ended")


class NotConfined(Exception):
    """A confinement that failed. The message names the steps that the kernel refused.

    Attributes:
        killed: whether the process was killed before it was confined, and not for a limit: what the kernel would have
            allowed is then unknown.
    """

    def __init__(self, message: str, *, killed: bool = False) -> None:
        super().__init__(message)
        self.killed = killed


def attempt(
    child: Child, task: Task, limits: Limits, traced: Callable[[TracedPrograms], None] = lambda _: None
) -> Attempt:
    """Run an answer on the cases of a task in a prepared child. This process watches the limits and kills the child.

    Args:
        traced: is called with the programs of the answer, in a thread of its own, once they are there.
    """
    start = time.monotonic()
    opening, result = list[Opening](), bytearray()
    reader = child.start_thread(
        _collect, child.result, opening, result, lambda before: _tell(traced, result, before, task)
    )
    loops = endless_loops(task.text, task.function)
    try:
        asked = replace(task, endless=tuple((loop.line, loop.last) for loop in loops))
        child.start_thread(_send, child, asked)  # a child that reads nothing runs out of time
        used = _watch(child, limits, start, result, loops)
        seconds = time.monotonic() - start
    finally:
        # The readers end when the child's pipes end, which happens at the latest when the child is killed.
        if not child.ended.is_set():
            child.kill()
        reader.join(SECONDS_FOR_A_QUICK_STEP)
        child.close()
    whole = bytes(result)
    if opening and opening[0].missing:
        return Attempt(no_device=opening[0].missing)
    given = read(whole, child.status, task) if used.exceeded is None else Attempt(*used.exceeded)
    if given.failure is not None:
        given = replace(given, was=whereabouts(whole, task.filename, task.text, len(task.cases)))
    printed, parts = by_case(bytes(child.output), len(task.cases))
    return replace(
        given,
        run=Run(
            _printed(printed, LONGEST_OUTPUT, child.dropped),
            seconds,
            used.processor,
            device=opening[0].device if opening and given.failure is None else "",
            confinement=child.tier,
            endless=used.endless,
            killed=given.failure is Status.CRASH and child.status == -signal.SIGKILL,
        ),
        printed={case: _printed(part, LONGEST_OUTPUT_OF_A_CASE) for case, part in parts.items()},
        peak=used.peak,
    )


def _send(child: Child, value: Setup | Task) -> None:
    with contextlib.suppress(BrokenPipeError):  # the child has ended already, and its status is reported
        frames.write(child.request, codec.encode(value))


def _tell(traced: Callable[[TracedPrograms], None], result: bytearray, before: Split, task: Task) -> None:
    with contextlib.suppress(Malformed):  # who reads the whole result says what is wrong
        if (programs := programs_of(result, before, task)) is not None:
            traced(programs)


def _collect(
    descriptor: int, opening: list[Opening], result: bytearray, programs_came: Callable[[Split], None]
) -> None:
    """Read what a process says before it has its answer, and then all that it sends."""
    before = Split()
    with contextlib.suppress(OSError, Malformed):  # it may end at any moment, and its status says how
        if (first := codec.read(Opening, descriptor)) is not None:
            opening.append(first)
        while len(result) <= RESULT_CAP and (part := os.read(descriptor, 1 << 20)):
            result += part
            if before.programs == (0, 0):
                before = split(result, before)
                if before.programs != (0, 0):
                    programs_came(before)


@dataclass(frozen=True)
class _Used:
    """Seconds of processor time, the most bytes of memory, and the status and message of a limit that was exceeded.

    `endless` says that the answer was in a loop that only an error could end.
    """

    processor: float
    peak: int
    exceeded: tuple[Status, Message] | None = None
    endless: bool = False


def _watch(child: Child, limits: Limits, start: float, result: bytearray, loops: Sequence[EndlessLoop]) -> _Used:
    """Wait for the end, and kill the child at a limit, or in one of some loops that only an error could end."""
    process, alone = process_of(child), child.tier in ("A", "B")
    size = size_text(limits.memory)
    memory = message("It used more than the {size} of memory that an answer may use.", size=size)
    threads = message("It started more than {count} threads, more than an answer may have.", count=MOST_THREADS)
    too_much, too_many = (Status.MEMORY, memory), (Status.MEMORY, threads)
    before, processor, exceeded = usage(process, alone=alone, counted=child.counted).seconds, 0.0, None
    peak, last = 0, Split()
    while not child.wait(SECONDS_BETWEEN_LOOKS):
        now = usage(process, alone=alone, counted=child.counted)
        processor = max(processor, now.seconds - before)
        peak = max(peak, resident(process) if child.counted else now.memory)
        seconds = time.monotonic() - start
        if now.threads > MOST_THREADS:
            exceeded = too_many
        elif now.memory > limits.memory:
            exceeded = too_much
        elif processor > limits.seconds or seconds > limits.clock:
            exceeded = Status.TIMEOUT, _timeout(processor, seconds, limits)
            ask(process, result)
        if exceeded is not None:
            child.kill()
            return _Used(processor, peak, exceeded)
        last = split(result, last)
        if (
            last.endless
            and (loop := next((warning for warning in loops if warning.line == last.line), None)) is not None
        ):
            child.kill()
            stopped = message("The answer was stopped after {seconds} s.", seconds=f"{seconds:.1f}")
            return _Used(processor, peak, (Status.TIMEOUT, sentences(loop.message, stopped)), endless=True)
    return _Used(processor, peak, {"memory": too_much, "tasks": too_many}.get(child.over))


def _timeout(processor: float, seconds: float, limits: Limits) -> Message:
    if processor > limits.seconds:
        told = message("It was still running after {seconds} s of processor time, and was stopped.")
        return told.with_fields(seconds=f"{limits.seconds:g}")
    return message(
        "It was still running after {seconds} s on the clock, and was stopped. It computed for {computed} s of them; its "
        "limits are {computing_limit} s of computing and {clock_limit} s on the clock. If this machine is busy, give it "
        "more time with {option}.",
        seconds=f"{seconds:.0f}",
        computed=f"{processor:.1f}",
        computing_limit=f"{limits.seconds:g}",
        clock_limit=f"{limits.clock:g}",
        option=limits.option,
    )


def _printed(printed: bytes, most: int, dropped: int = 0) -> Printed:
    return Printed("", printed[:most].decode("utf-8", "replace"), dropped + len(printed[most:]))
