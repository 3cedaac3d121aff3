"""The notebook's side of judging: starts the process that judges, asks it, and ends it with this interpreter."""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import tempfile
import threading
from typing import IO

from grader.kit.kit import KitError
from grader.locale.language import gettext
from grader.notebooks.messages import JudgeReply, JudgeRequest, line_of_json
from grader.run.python import module, start
from grader.values.decode import Malformed, from_json


class Judge:
    """The process that judges. It has a session of its own, so that an interrupt of the notebook does not reach it."""

    def __init__(self) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, `leave` closes it
        self._process = start(
            module("notebooks.judge"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, asked: JudgeRequest) -> JudgeReply:
        """What came of an answer. Raises KitError if the process ends meanwhile. That is a fault of the grader."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended: so the reply says
            self._process.stdin.write(line_of_json(asked))
            self._process.stdin.flush()
        try:
            return from_json(JudgeReply, self._process.stdout.readline())
        except Malformed:
            raise KitError(self._why_it_ended()) from None

    def close(self) -> None:
        """End the process; those that it started end with it."""
        self._process.kill()
        self._process.wait()
        self.leave()

    def leave(self) -> None:
        """Close this process's ends of the pipes."""
        for pipe in (self._process.stdin, self._process.stdout, self._errors):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what was not written yet, to a process that has ended
                pipe.close()

    def _why_it_ended(self) -> str:
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        printed = self._errors.read().decode("utf-8", "replace").strip()
        if os.environ.get("GRADER_DEBUG"):
            print(printed)
        if printed:
            said = gettext("The process that judges has ended (status {status}: {printed}).")
        else:
            said = gettext("The process that judges has ended (status {status}).")
        said = said.format(status=self._process.returncode, printed="".join(printed.splitlines()[-1:]))
        more = gettext(
            "This is no fault of your answer: check again, and it is started again. "
            "With GRADER_DEBUG=1 in the environment, more is printed."
        )
        return f"{said} {more}"


_judge: Judge | None = None
_lock = threading.Lock()


def ask(asked: JudgeRequest) -> JudgeReply:
    """What came of an answer. The process that judges is started by the first call; threads wait for each other.

    Raises:
        KitError: if that process ends meanwhile.
    """
    global _judge
    with _lock:
        if _judge is not None and not _judge.alive:
            end()
        if _judge is None:
            _judge = Judge()
        try:
            return _judge.ask(asked)
        except BaseException:  # an interrupt too: the reply that is still to come would be taken for the next one
            end()
            raise


def end() -> None:
    """End the process that judges, if there is one."""
    global _judge
    judge, _judge = _judge, None
    if judge is not None:
        judge.close()


def _forget() -> None:
    """In a fork of this process: the process that judges belongs to the parent."""
    global _judge, _lock
    judge, _judge, _lock = _judge, None, threading.Lock()
    if judge is not None:
        judge.leave()


atexit.register(end)
os.register_at_fork(after_in_child=_forget)
