"""Forks children from a template process (see `template.py`), which has imported jax once."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Sequence
from typing import Any

from grader.locale.language import ENGLISH, VARIABLE, gettext
from grader.run.child import SECONDS_FOR_A_QUICK_STEP, Child, Launcher, LaunchError, start_thread
from grader.run.python import module, start
from grader.sandbox.cgroup import scope
from grader.sandbox.seccomp import pidfd_kill

SECONDS_FOR_A_CHILD = 120.0
"""Seconds that the template may take to start a child, or to kill one: it may be importing, on a busy machine."""


class Forking(Launcher):
    """Asks a template for children. A thread listens for what the template reports of them.

    Args:
        clean: whether answers are confined: the template then starts with harmless environment variables only, and tries
            to have the kernel count the memory of answers.
    """

    def __init__(self, *, clean: bool = False) -> None:
        self.clean = clean
        self._scope = scope() if clean else []
        self._scope_failed = False
        self._begin()
        self._numbers = itertools.count()
        self._children: dict[int, Child] = {}
        self._started: dict[int, int | str] = {}
        self._handles: dict[int, int] = {}
        self._changed = threading.Condition()
        self._ready: dict[str, Any] | None = None
        self._gone = self._closing = False
        self._listener = start_thread(self._listen)

    def _begin(self) -> None:
        """Start the template: in its own control group where systemd makes one, so that the kernel can count memory."""
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._template = start(
                module("template", str(theirs.fileno()), *(["count"] if self.clean else [])),
                before=self._scope,
                clean=self.clean,
                variables={VARIABLE: ENGLISH},  # what runs an answer sends facts, whatever the user speaks
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C reaches this process alone, which ends the template
            )

    def _begin_again(self) -> bool:
        """Start the template without systemd, if it was started with it and ended before it was ready."""
        with self._changed:
            if not self._scope or self._ready is not None or self._closing:
                return False
            self._template.wait()
            self._control.close()
            self._scope, self._scope_failed = [], True
            self._begin()
            return True

    def _listen(self) -> None:
        try:
            while self._receive():
                pass
        finally:  # whatever ended it: who waits for the template would wait for ever
            with self._changed:
                self._gone = True
                for child in self._children.values():
                    child.ended.set()
                while self._handles:
                    os.close(self._handles.popitem()[1])
                self._changed.notify_all()

    def _receive(self) -> bool:
        """Take the next message of the template. Returns whether there may be more."""
        try:
            data, handles, _, _ = socket.recv_fds(self._control, 1 << 16, 1, socket.MSG_CMSG_CLOEXEC)
        except OSError:
            data, handles = b"", []
        if not data:
            return self._begin_again()
        with self._changed:
            match json.loads(data):
                case {"ready": bool()} as message:
                    self._ready = message
                case {"started": int(number), "pid": int(pid), "counted": bool(counted)}:
                    self._children[number].counted = counted
                    self._started[number] = pid
                    if handles:
                        self._handles[number] = handles[0]
                case {"refused": int(number), "why": str(why)}:
                    self._children.pop(number).ended.set()
                    self._started[number] = why
                case {"ended": int(number), "status": int(status), "over": str(over)}:
                    if (handle := self._handles.pop(number, None)) is not None:
                        os.close(handle)
                    child = self._children.pop(number)
                    child.status = status
                    child.over = over
                    child.ended.set()
                case message:
                    raise ValueError(f"unknown message {message}")
            self._changed.notify_all()
        return True

    def ready(self) -> None:
        """Wait until the template has imported jax.

        Raises:
            LaunchError: where it cannot import jax, or has more than one thread, so that forking it is not safe.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ready is not None or self._gone)
        if self._ready is None:
            raise LaunchError(
                gettext("the process that imports jax ended at once: does `python -c 'import jax'` work?")
            )
        if not self._ready["ready"]:
            raise LaunchError(gettext("jax cannot be imported: {error}").format(error=self._ready["error"]))
        if (threads := self._ready["threads"]) != 1:
            said = gettext("a process that has imported jax has {count} threads, not one")
            raise LaunchError(said.format(count=threads))

    def uncounted(self) -> str:
        self.ready()
        said, name = (self._ready or {})["uncounted"]
        reason = gettext(said).format(name=name)
        if reason and self._scope_failed:
            return gettext("systemd-run gives no scope; {reason}").format(reason=reason)
        return reason

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        self.ready()
        request, request_write = os.pipe()
        result_read, result = os.pipe()
        output_read, output = os.pipe()
        number = next(self._numbers)
        child = Child(-1, request_write, lambda: self._kill(number), result_read)
        asked = {"start": number, "kind": kind, "imports": list(imports), "memory": memory}
        message = json.dumps(asked).encode()
        with self._changed:
            self._children[number] = child
        try:
            socket.send_fds(self._control, [message], [request, result, output])
        except OSError as error:
            for descriptor in (output_read, request_write, result_read):
                os.close(descriptor)
            with self._changed:  # whoever catches the error asks `alive`, which the listener may not know yet
                self._changed.wait_for(lambda: self._gone, SECONDS_FOR_A_QUICK_STEP)
            raise LaunchError(gettext("the process that forks has ended")) from error
        finally:
            for descriptor in (request, result, output):
                os.close(descriptor)
        child.read_output(output_read)
        with self._changed:
            self._changed.wait_for(lambda: number in self._started or self._gone, SECONDS_FOR_A_CHILD)
            if number not in self._started and not self._gone:
                self._template.kill()  # it does not respond
                self._changed.wait_for(lambda: self._gone, SECONDS_FOR_A_QUICK_STEP)
            started = self._started.pop(number, -1)
            if self._gone:
                child.ended.set()
        if isinstance(started, str):
            child.close()
            raise LaunchError(gettext("no process can be started: {reason}").format(reason=started))
        child.pid = started
        return child

    def _kill(self, number: int) -> None:
        self._template.send_signal(signal.SIGCONT)  # an answer that is not confined can stop the template
        with self._changed:  # until the end is received, and no longer, its handle is open
            if (handle := self._handles.get(number)) is not None:
                with contextlib.suppress(ProcessLookupError):
                    pidfd_kill(handle)
                return
            child = self._children.get(number)
        with contextlib.suppress(OSError):
            self._control.send(json.dumps({"kill": number}).encode())
        if child is not None and not child.ended.wait(SECONDS_FOR_A_CHILD):
            self._template.kill()  # it does not respond: its children die with it

    @property
    def alive(self) -> bool:
        return not self._gone

    def close(self) -> None:
        with self._changed:
            self._closing = True
            if self._ready is None:
                self._template.kill()  # still importing: it has no children yet
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        late = threading.Timer(SECONDS_FOR_A_QUICK_STEP, self._template.kill)
        late.daemon = True
        late.start()
        self._template.wait()  # without a timeout, which would look for the end up to 50 ms late
        late.cancel()
        self._listener.join(SECONDS_FOR_A_QUICK_STEP)
        self._control.close()
