"""Starts each child in a fresh interpreter: slower than forking, and possible on every platform.

Run by `start.py`, it is the child too: the same protocol on the same three descriptors, and a fourth one to end by.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

from grader.locale.language import ENGLISH, VARIABLE, gettext
from grader.run.child import SECONDS_FOR_A_QUICK_STEP, Child, Launcher, LaunchError, start_thread
from grader.run.python import module, start


class Spawning(Launcher):
    """Starts children that import jax themselves.

    Args:
        clean: whether answers are confined: their processes then start with harmless environment variables only.
    """

    def __init__(self, *, clean: bool = False) -> None:
        self._clean = clean
        self._sessions: set[_Session] = set()
        # Nobody writes to this pipe. Its second end closes with this process, however that ends.
        self._life = os.pipe()
        self._closed = False
        self._lock = threading.Lock()

    def start(self, kind: str, imports: Sequence[str] = (), memory: int = 0) -> Child:
        with self._lock:
            if self._closed:
                raise LaunchError(gettext("this session has ended"))
            process = start(
                module("spawning", kind, str(self._life[0])),
                clean=self._clean,
                variables={VARIABLE: ENGLISH},  # what runs an answer sends facts, whatever the user speaks
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[self._life[0]],
                start_new_session=True,
            )
            session = _Session(process)
            self._sessions.add(session)
        pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]
        # Copies, because the Child closes its descriptors by number: a file object would close them a second time.
        request, result, output = (os.dup(pipe.fileno()) for pipe in pipes)
        for pipe in pipes:
            pipe.close()
        child = Child(process.pid, request, session.kill, result)
        child.read_output(output)
        start_thread(self._note_end, session, child)
        return child

    def uncounted(self) -> str:
        return gettext("each answer is started in a fresh interpreter")

    @property
    def alive(self) -> bool:
        return not self._closed

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                for descriptor in self._life:
                    os.close(descriptor)
            sessions = [*self._sessions]
        for session in sessions:
            session.kill()
        for session in sessions:
            session.ended.wait(SECONDS_FOR_A_QUICK_STEP)

    def _note_end(self, session: _Session, child: Child) -> None:
        child.status = session.wait()
        with self._lock:
            self._sessions.discard(session)
        child.ended.set()


class _Session:
    """The session of a child: its process, which leads it, and what that leaves behind there."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._lock = threading.Lock()
        self.ended = threading.Event()

    def kill(self) -> None:
        """Kill all its processes. Once it has ended, its number may be that of others, and nobody is killed."""
        with self._lock:
            if not self.ended.is_set():
                self._kill()

    def wait(self) -> int:
        """Wait until its leader has ended, and kill the rest. Returns the leader's exit status."""
        status = self._process.wait()
        with self._lock:
            self._kill()  # the number is not given away yet: `end_with` holds a process in this session
            self.ended.set()
        return status

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS says this of one that has ended
            os.killpg(self._process.pid, signal.SIGKILL)


def main() -> None:
    """The child: the kind of its work and the descriptor that it lives by are its arguments."""
    end_with(int(sys.argv[2]))
    from grader.run.template import run_child
    from grader.sandbox.limits import guard_memory

    guard_memory()
    run_child(sys.argv[1])
    os._exit(0)


def end_with(life: int) -> None:
    """From now on, everything in the session of this process ends when nobody holds the other end of a pipe any more.

    A process of its own waits for that: a thread would wait for the interpreter's lock, which an answer may keep. It is no
    child of this process, whose children count as the answer's.
    """
    if between := os.fork():
        os.waitpid(between, 0)
        os.close(life)
        return
    if os.fork():
        os._exit(0)
    for descriptor in range(3):
        os.close(descriptor)
    os.read(life, 1)
    os.killpg(0, signal.SIGKILL)
