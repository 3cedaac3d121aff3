"""Starting children, from the process that judges: forked from the template, or in fresh interpreters.

Both ways give a `Child`: a pipe for its request, its result and output read by threads up to a cap, a clock and a
memory watch kept here, and a kill from outside.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.run.environment import environment
from grader.run.errors import LaunchError
from grader.sandbox.cgroup import scope
from grader.sandbox.limits import LINUX, guard_memory

OUTPUT_CAP = 1 << 16
RESULT_CAP = (1 << 28) + (1 << 21)
START = (sys.executable, "-P", os.path.join(os.path.dirname(os.path.abspath(__file__)), "start.py"))
PATIENCE = 5.0
"""Seconds that a trusted process may take to do what it does at once."""


@dataclass
class Child:
    """A running child. `finished` is set once it has ended and all its output has been read."""

    pid: int
    request: int
    kill: Callable[[], None]
    result: int = -1
    status: int | None = None
    output: bytearray = field(default_factory=bytearray)
    dropped: int = 0
    ended: threading.Event = field(default_factory=threading.Event)
    readers: list[threading.Thread] = field(default_factory=list[threading.Thread])
    device: str = "cpu"
    tier: str = "none"
    counted: bool = False
    """Whether the kernel counts its memory, and ends it at its limit."""
    over: str = ""
    """Where it has ended: the limit that the kernel ended it at or held it to, "memory" or "tasks", or nothing."""
    refused: list[str] = field(default_factory=list[str])

    def read_output(self, descriptor: int) -> None:
        """Keep the first bytes of what the child prints, and drain the rest."""
        with os.fdopen(descriptor, "rb", buffering=0) as pipe:
            while part := pipe.read(1 << 16):
                kept = part[: OUTPUT_CAP - len(self.output)]
                self.output += kept
                self.dropped += len(part) - len(kept)

    def wait(self, seconds: float) -> bool:
        """Whether the child has ended, waiting for it at most so long."""
        return self.ended.wait(seconds)

    def close(self) -> None:
        """End the child if it runs, and close the pipes."""
        if not self.ended.is_set():
            self.kill()
            self.ended.wait(PATIENCE)
        for reader in self.readers:
            reader.join(PATIENCE)
        for descriptor in (self.request, self.result):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.request = self.result = -1


class Launcher:
    """Starts children. Enter it to use it; leaving it ends every process that it started."""

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        """Start a child. The kernel keeps it to so many bytes of memory, where they are given and it can count them."""
        raise NotImplementedError

    def uncounted(self) -> str:
        """Why the kernel does not count the memory of answers, or nothing where it does."""
        return "each answer is started in a fresh interpreter"

    def close(self) -> None:
        raise NotImplementedError

    @property
    def alive(self) -> bool:
        """Whether it can still start children."""
        return True


class Forking(Launcher):
    """Forks children from a template process that has imported jax once."""

    def __init__(self, *, clean: bool = False) -> None:
        self.clean = clean
        self._scope = scope() if clean else []
        self._scope_failed = False
        self._begin()
        self._numbers = itertools.count()
        self._children: dict[int, Child] = {}
        self._started: dict[int, int] = {}
        self._news = threading.Condition()
        self._ready: dict[str, Any] | None = None
        self._gone = self._closing = False
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _begin(self) -> None:
        """Start the template: in a group of its own where systemd makes one, so that it can count what answers use."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._template = subprocess.Popen(
                [*self._scope, *START, "template", str(theirs.fileno()), *(["count"] if self.clean else [])],
                pass_fds=[theirs.fileno()],
                env=environment(clean=self.clean, manager=bool(self._scope)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is this process's to handle
            )

    def _begin_again(self) -> bool:
        """Start the template without systemd, where it has not come to anything with it."""
        with self._news:
            if not self._scope or self._ready is not None or self._closing:
                return False
            self._template.wait()
            self._control.close()
            self._scope, self._scope_failed = [], True
            self._begin()
            return True

    def _listen(self) -> None:
        while True:
            try:
                data = self._control.recv(1 << 16)
            except OSError:
                data = b""
            if not data and self._begin_again():
                continue
            with self._news:
                match json.loads(data) if data else None:
                    case None:
                        self._gone = True
                        for child in self._children.values():
                            child.ended.set()
                        self._news.notify_all()
                        return
                    case {"ready": bool()} as message:
                        self._ready = message
                    case {"started": int(number), "pid": int(pid), "counted": bool(counted)}:
                        self._children[number].counted = counted
                        self._started[number] = pid
                    case {"ended": int(number), "status": int(status), "over": str(over)}:
                        child = self._children.pop(number)
                        child.status = status
                        child.over = over
                        child.ended.set()
                    case message:
                        raise ValueError(f"unknown message {message}")
                self._news.notify_all()

    def ready(self) -> None:
        """Wait until the template has imported jax.

        Raises:
            LaunchError: where it cannot, or has more than one thread, so that forking it would not be sound.
        """
        with self._news:
            self._news.wait_for(lambda: self._ready is not None or self._gone)
        if self._ready is None:
            raise LaunchError("the process that imports jax ended at once: does `python -c 'import jax'` work?")
        if not self._ready["ready"]:
            raise LaunchError(f"jax cannot be imported: {self._ready['error']}")
        if self._ready["threads"] not in (1, None):
            raise LaunchError(f"a process that has imported jax has {self._ready['threads']} threads, not one")

    def uncounted(self) -> str:
        self.ready()
        reason = str((self._ready or {})["uncounted"])
        return f"systemd-run gives no scope; {reason}" if reason and self._scope_failed else reason

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        self.ready()
        request, request_write = os.pipe()
        result_read, result = os.pipe()
        output_read, output = os.pipe()
        number = next(self._numbers)
        child = Child(-1, request_write, lambda: self._kill(number), result_read)
        asked = {"start": number, "kind": kind, "imports": list(imports), "memory": memory}
        message = json.dumps(asked).encode()
        with self._news:
            self._children[number] = child
        try:
            socket.send_fds(self._control, [message], [request, result, output])
        except OSError as error:
            os.close(output_read)
            raise LaunchError("the process that forks has ended") from error
        finally:
            for descriptor in (request, result, output):
                os.close(descriptor)
        child.readers.append(_thread(child.read_output, output_read))
        with self._news:
            self._news.wait_for(lambda: number in self._started or self._gone)
            child.pid = self._started.pop(number, -1)
            if self._gone:
                child.ended.set()
        return child

    def _kill(self, number: int) -> None:
        with contextlib.suppress(OSError):
            self._control.send(json.dumps({"kill": number}).encode())
        child = self._children.get(number)
        if child is not None and not child.ended.wait(PATIENCE):
            self._template.kill()  # it does not answer: its children die with it

    @property
    def alive(self) -> bool:
        return not self._gone

    def close(self) -> None:
        with self._news:
            self._closing = True
            if self._ready is None:
                self._template.kill()  # still importing: it has no children yet
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        try:
            self._template.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._template.kill()
            self._template.wait()
        self._listener.join(PATIENCE)
        self._control.close()


class Spawning(Launcher):
    """Starts each child in a fresh interpreter: slower, and to be had everywhere."""

    def __init__(self, *, clean: bool = False) -> None:
        self._clean = clean
        self._children: list[subprocess.Popen[bytes]] = []

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        process = subprocess.Popen(
            [*START, "spawned", kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(clean=self._clean),
            start_new_session=True,
        )
        self._children.append(process)
        pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]
        # Descriptors of our own: the Child closes them when it is closed.
        request, result, output = (os.dup(pipe.fileno()) for pipe in pipes)
        for pipe in pipes:
            pipe.close()
        child = Child(process.pid, request, lambda: _kill_group(process), result)
        child.readers.append(_thread(child.read_output, output))
        _thread(_note_end, process, child)
        return child

    def close(self) -> None:
        for process in self._children:
            _kill_group(process)
            process.wait()


def _note_end(process: subprocess.Popen[bytes], child: Child) -> None:
    child.status = process.wait()
    _kill_group(process)
    child.ended.set()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _thread(target: Callable[..., None], *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=target, args=arguments, daemon=True)
    thread.start()
    return thread


_early: Forking | None = None


def start_early(*, clean: bool = False) -> Callable[[], None]:
    """Start the template now, so that `import jax` runs there while this process imports what it needs.

    Returns:
        What to call at the end: it ends the template if nobody has taken it.
    """
    global _early
    if can_fork():
        _early = Forking(clean=clean)
    return _abandon_early


def launcher(*, clean: bool = False) -> Launcher:
    """The way of starting children that this machine has; the template that was started early, once.

    From here on no other process may read or write the memory of this one, which judges what its children send.
    """
    global _early
    guard_memory()
    if not can_fork():
        return Spawning(clean=clean)
    if _early is not None and _early.clean == clean:
        early, _early = _early, None
        return early
    return Forking(clean=clean)


def _abandon_early() -> None:
    if _early is not None:
        _early.close()


def can_fork() -> bool:
    """Whether children are forked: on Linux, unless the environment asks otherwise (GRADER_START=spawn)."""
    return LINUX and os.environ.get("GRADER_START", "fork") != "spawn"
