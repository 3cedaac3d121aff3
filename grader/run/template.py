"""The template: a process that has imported jax, has started no backend, and has one thread, so that it can fork safely.

It reads requests from a Unix socket. Each request carries the three descriptors of a child (request, result, output). The
template forks the child, and reports when and how it ended. It holds neither reference nor answer. It is the subreaper of
its children: processes that an answer leaves behind become children of the template, which kills them. When the socket
closes, the template kills every child and ends.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from grader.sandbox.cgroup import ControlGroup, Groups, NoGroups, take
from grader.sandbox.limits import (
    MOST_THREADS,
    become_subreaper,
    children_of_this_process,
    die_with_parent,
    guard_memory,
    thread_count,
)
from grader.sandbox.seccomp import pidfd_open

MESSAGE_CAP = 1 << 16
SECONDS_BETWEEN_SWEEPS = 0.5
"""Seconds between two searches for orphans while a child runs."""
CHILDREN = {
    "answer": "grader.run.answer.process",
    "oracle": "grader.oracle.server",
    "evaluator": "grader.run.evaluator",
}
"""The modules whose `main` is the work of a child, by its kind."""

FIRST, CONFINES = ("jax", "grader.run.answer.process"), "grader.sandbox.confine"
"""What is imported before the first child, and what is imported as well where answers are confined."""
LATER = ("grader.run.evaluator", "grader.where.search", "grader.oracle.server", "grader.oracle.calls")
"""What is imported while no request is there, in the order in which it is mostly needed. A child that needs one of these
earlier imports it itself."""


def main() -> None:
    """Serve the socket whose descriptor is the first argument, until it closes.

    With `count` as the second argument, the kernel counts the memory of answers where it can.
    """
    control = socket.socket(fileno=int(sys.argv[1]))
    guard_memory()
    become_subreaper()
    groups, uncounted = None, ("not asked for", "")
    if sys.argv[2:] == ["count"]:
        try:
            groups, uncounted = take(), ("", "")
        except NoGroups as error:
            uncounted = error.said, error.name
    gc.disable()  # next to nothing of an import is garbage, and a search for it takes time; a child enables it
    try:
        for name in (*FIRST, CONFINES) if sys.argv[2:] == ["count"] else FIRST:
            importlib.import_module(name)
    except ImportError as error:
        _send(control, {"ready": False, "error": str(error)})
        return
    _send(control, {"ready": True, "threads": thread_count(), "uncounted": uncounted})
    Template(control, groups).serve()
    if groups is not None:
        with contextlib.suppress(OSError):  # a group that is left: its processes were killed, and do not end
            groups.close()


def _send(control: socket.socket, message: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
    with contextlib.suppress(BrokenPipeError):
        socket.send_fds(control, [json.dumps(message).encode()], descriptors)


class Template:
    """The loop: reads requests, forks children, reports their ends."""

    def __init__(self, control: socket.socket, groups: Groups | None) -> None:
        self._control = control
        self._groups = groups
        self._children: dict[int, int] = {}
        self._group_of: dict[int, ControlGroup] = {}
        self._awake, self._wake = os.pipe()
        os.set_blocking(self._awake, False)
        os.set_blocking(self._wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)

    def serve(self) -> None:
        later = list(LATER)
        while True:
            patience = 0 if later else SECONDS_BETWEEN_SWEEPS if self._children else None
            ready, _, _ = select.select([self._control, self._awake], [], [], patience)
            if not ready and later:
                importlib.import_module(later.pop(0))
                continue
            if not ready:
                # An answer is the subreaper of its orphans, and its memory includes theirs. It can give that role up: then
                # its orphans become children of this process.
                self._sweep()
            if self._awake in ready:
                with contextlib.suppress(BlockingIOError):
                    while os.read(self._awake, 4096):
                        pass
                self._reap()
            if self._control in ready and not self._answer_request():
                for pid in self._children:
                    _kill(pid)
                self._sweep(everyone=True)
                for number in [*self._group_of]:
                    self._end_group(number)
                return

    def _answer_request(self) -> bool:
        data, descriptors, _, _ = socket.recv_fds(self._control, MESSAGE_CAP, 3)
        if not data:
            return False
        match json.loads(data):
            case {"start": int(number), "kind": str(kind), "imports": list() as imports, "memory": int(memory)}:
                names: list[str] = imports
                self._start(number, kind, names, memory, descriptors)
                for descriptor in descriptors:
                    os.close(descriptor)
            case {"kill": int(number)}:
                for pid, child in self._children.items():
                    if child == number:
                        _kill(pid)
            case message:
                raise ValueError(f"unknown request {message}")
        return True

    def _start(self, number: int, kind: str, imports: list[str], memory: int, descriptors: list[int]) -> None:
        for name in imports:
            if name not in sys.modules:
                with contextlib.suppress(
                    Exception
                ):  # the answer imports it again, and its own report says what is wrong
                    importlib.import_module(name)
        gc.freeze()  # otherwise a collection in a child writes to pages that it shares with the template, and copies them
        try:
            pid = os.fork()
        except OSError as error:
            _send(self._control, {"refused": number, "why": error.strerror})
            return
        if pid == 0:
            _become(kind, descriptors)
        self._children[pid] = number
        # The child cannot run an answer before it is in its group: its request is written after "started" is sent.
        counted = self._groups is not None and memory > 0 and self._counts(self._groups, number, pid, memory)
        message = {"started": number, "pid": pid, "counted": counted}
        try:
            handle = pidfd_open(pid)
        except OSError:  # before Linux 5.3
            _send(self._control, message)
        else:
            _send(self._control, message, [handle])
            os.close(handle)

    def _counts(self, groups: Groups, number: int, pid: int, memory: int) -> bool:
        """Put a child into a group of its own. Returns whether the kernel counts its memory now."""
        try:
            self._group_of[number] = groups.new(f"answer-{os.getpid()}-{number}", memory, 2 * MOST_THREADS)
            self._group_of[number].add(pid)
        except OSError:
            self._end_group(number)
            return False
        return True

    def _end_group(self, number: int) -> str:
        """End the group of a child, if it has one: the limit that it was ended at (see `Group.end`), if any."""
        over = ""
        if group := self._group_of.pop(number, None):
            with contextlib.suppress(OSError):  # what was killed may take long to end: nobody waits for that
                over = group.end()
                group.remove()
        return over

    def _reap(self) -> None:
        ended: list[tuple[int, int]] = []
        reaped = False
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            reaped = True
            if pid in self._children:
                ended.append((self._children.pop(pid), status))
        over = [self._end_group(number) for number, _ in ended]
        if reaped:
            self._sweep()
        for (number, status), limit in zip(ended, over, strict=True):
            _send(self._control, {"ended": number, "status": os.waitstatus_to_exitcode(status), "over": limit})

    def _sweep(self, *, everyone: bool = False) -> None:
        """Kill and reap orphans until none is left. Orphans are children of this process that it did not start.

        Args:
            everyone: whether to kill the children that it started too.
        """
        for _ in range(1000):
            orphans = [pid for pid in children_of_this_process() if everyone or pid not in self._children]
            if not orphans:
                return
            for pid in orphans:
                _kill(pid)
            for pid in orphans:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)
                self._children.pop(pid, None)


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _become(kind: str, descriptors: list[int]) -> NoReturn:
    """The forked child: start a session, keep the three descriptors and no others, then do its work."""
    code = 70
    try:
        gc.enable()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        # All three are above 2 here, because the template has 0, 1 and 2 open: no copy overwrites one that is still needed.
        for target, descriptor in enumerate(descriptors):
            os.dup2(descriptor, target)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        die_with_parent()
        run_child(kind)
        code = 0
    finally:
        os._exit(code)


def run_child(kind: str) -> None:
    """The work of a child of that kind, on descriptors 0 (request), 1 (result) and 2 (output)."""
    module = importlib.import_module(CHILDREN[kind])
    # Python keeps what it compiles of the package, and nothing of an answer or a reference, which are imported from here on.
    sys.dont_write_bytecode = True
    module.main()
