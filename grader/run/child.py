"""A child process as its parent sees it: what it starts with, pipes, an event that its end sets, and a way to kill it."""

from __future__ import annotations

import contextlib
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.locale.language import gettext

OUTPUT_CAP = 1 << 22
"""Bytes of what a child prints that are kept."""
RESULT_CAP = (1 << 28) + (1 << 21)
"""Bytes of a result that are read."""
SECONDS_FOR_A_QUICK_STEP = 5.0
"""Seconds that a trusted process may take for a step that needs almost no time."""
TRIES = 3
"""How often work is tried whose process was killed. Another answer may have ended that: few do so three times."""
KILLED = -9
"""The exit status of a process that was killed; a process of the grader does not end itself so."""


class LaunchError(Exception):
    """No child can be started; the message says why."""


class Killed(LaunchError):
    """Something outside the grader ended one of its processes: the system, for want of memory, or another program."""


@dataclass
class Child:
    """A running child.

    Attributes:
        request: the descriptor that its request is written to; -1 once it is closed.
        kill: ends the child at once.
        result: the descriptor that its result is read from; -1 once it is closed.
        status: its exit status, negative for a signal; None while it runs, and where nobody could find out.
        output: the first bytes that it printed, at most OUTPUT_CAP.
        dropped: how many bytes it printed after those.
        ended: set once the process has ended. Its pipes may still hold bytes then; `close` waits for the readers.
        users: the threads that read or write its pipes.
        tier: the tier of confinement in force, or "none".
        counted: whether the kernel counts its memory, and ends it at its limit.
        over: the limit that the kernel ended it at, or held it to: "memory", "tasks", or nothing.
        refused: the steps of the confinement that the kernel refused.
    """

    pid: int
    request: int
    kill: Callable[[], None]
    result: int = -1
    status: int | None = None
    output: bytearray = field(default_factory=bytearray)
    dropped: int = 0
    ended: threading.Event = field(default_factory=threading.Event)
    users: list[threading.Thread] = field(default_factory=list[threading.Thread])
    tier: str = "none"
    counted: bool = False
    over: str = ""
    refused: list[str] = field(default_factory=list[str])

    def read_output(self, descriptor: int) -> None:
        """Start a thread that keeps the first bytes that the child prints, and drops the rest."""
        self.start_thread(self._read_output, descriptor)

    def start_thread(self, target: Callable[..., None], *arguments: Any) -> threading.Thread:
        """Start a thread that reads or writes its pipes. They stay open as long as it runs."""
        self.users = [*filter(threading.Thread.is_alive, self.users), start_thread(target, *arguments)]
        return self.users[-1]

    def _read_output(self, descriptor: int) -> None:
        with os.fdopen(descriptor, "rb", buffering=0) as pipe:
            while part := pipe.read(1 << 16):
                kept = part[: OUTPUT_CAP - len(self.output)]
                self.output += kept
                self.dropped += len(part) - len(kept)

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most `seconds`. Returns whether the child has ended."""
        return self.ended.wait(seconds)

    def was_killed(self) -> bool:
        """Whether something outside the grader ended it, for a process that has just closed its pipe.

        It waits a moment: how a child ended is known after the end of its pipe. Without a status, the process that
        started it was killed too.
        """
        return self.wait(SECONDS_FOR_A_QUICK_STEP) and self.status in (None, KILLED)

    def close(self) -> None:
        """End the child if it runs, and close the pipes."""
        if not self.ended.is_set():
            self.kill()
            self.ended.wait(SECONDS_FOR_A_QUICK_STEP)
        for user in self.users:
            user.join(SECONDS_FOR_A_QUICK_STEP)
        if any(user.is_alive() for user in self.users):
            return  # its pipes stay open: the thread would go on with another file that gets the same number
        for descriptor in (self.request, self.result):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.request = self.result = -1


class Launcher(ABC):
    """Starts children. `close` ends every process that it started."""

    @abstractmethod
    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        """Start a child.

        Args:
            kind: which work it does: "answer", "oracle" or "evaluator" (see `template.CHILDREN`).
            imports: modules that it will need.
            memory: bytes that the kernel lets it use, where the kernel can count them; 0 for no limit.

        Raises:
            LaunchError: where no child can be started.
        """

    @abstractmethod
    def uncounted(self) -> str:
        """Why the kernel does not count the memory of answers; empty where it counts."""

    @abstractmethod
    def close(self) -> None:
        """End every process that it started."""

    @property
    @abstractmethod
    def alive(self) -> bool:
        """Whether it can still start children."""


def started(launcher: Callable[[], Launcher], kind: str, imports: Sequence[str] = ()) -> Child:
    """A child of the launcher in use. It is tried once: who needs the child decides what comes after a fault.

    Raises:
        Killed: if the process that forks ended meanwhile, which an answer that is not confined can do.
        LaunchError: if it cannot be started.
    """
    used = launcher()
    try:
        return used.start(kind, imports)
    except LaunchError as error:
        if used.alive:
            raise
        raise Killed(gettext("The process that starts the grader's own processes was ended. Try again.")) from error


def start_thread(target: Callable[..., None], *arguments: Any) -> threading.Thread:
    """Start a thread that does not keep this process alive."""
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread
