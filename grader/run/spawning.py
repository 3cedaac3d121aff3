"""Starts each child in a fresh interpreter: slower than forking, and possible on every platform."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence

from grader.run.child import START, Child, Launcher, start_thread
from grader.run.environment import environment


class Spawning(Launcher):
    """Starts children that import jax themselves (see `spawned.py`).

    Args:
        clean: whether answers are confined: their processes then start with harmless environment variables only.
    """

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
        # Copies, because the Child closes its descriptors by number: a file object would close them a second time.
        request, result, output = (os.dup(pipe.fileno()) for pipe in pipes)
        for pipe in pipes:
            pipe.close()
        child = Child(process.pid, request, lambda: _kill_group(process), result)
        child.read_output(output)
        start_thread(_note_end, process, child)
        return child

    def uncounted(self) -> str:
        return "each answer is started in a fresh interpreter"

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
