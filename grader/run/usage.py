"""Measures what the processes of an answer use: memory, processor time, threads."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

import psutil

from grader.run.child import Child


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
    for one in everyone:
        with contextlib.suppress(psutil.Error):
            times = one.cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
            if not counted:
                memory += _share(one) if len(everyone) > 1 else one.memory_info().rss
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
