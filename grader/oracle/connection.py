"""The process of a reference as the judging process sees it: started when it is first asked, and again if it is lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from grader.kit.kit import Kit
from grader.kit.problem import ProblemError
from grader.kit.state import warn_later
from grader.marking.facts import Facts
from grader.marking.judge import Expected
from grader.options import NoSuchDevice
from grader.oracle import messages
from grader.oracle.messages import Question, Reply
from grader.run.child import TRIES, Child, Launcher, started
from grader.run.frames import FrameError

T = TypeVar("T")
R = TypeVar("R", bound=Reply)


class LostChild(ProblemError):
    """The oracle child was killed: by the system, or an answer ended the template, and all its children with it."""


def reply_of(message: Question | Reply, kind: type[R]) -> R:
    """The reply, which should be of this kind.

    Raises:
        ProblemError: if it reports a fault of the kit. With `GRADER_DEBUG=1` this prints the traceback first.
        NoSuchDevice: if it reports that there is no such device.
    """
    match message:
        case messages.FaultReply(text, traceback):
            if os.environ.get("GRADER_DEBUG"):
                print(traceback, file=sys.stderr)
            raise ProblemError(text)
        case messages.NoDeviceReply(text):
            raise NoSuchDevice(text)
        case _:
            assert isinstance(message, kind), f"the reply is {type(message).__name__}, not {kind.__name__}"
            return message


def how_it_ended(child: Child) -> str:
    """The signal or the exit status of a child, and the last line that it printed."""
    status = child.status or 0
    how = f"signal {-status}" if status < 0 else f"status {status}"
    printed = bytes(child.output).decode("utf-8", "replace").strip().splitlines()
    return f" ({how}{f': {printed[-1]}' if printed else ''})"


class Connection:
    """The oracle child of one reference.

    Args:
        reference: the file of the reference, in the kit.
        device: the platform whose numbers are judged.
        launcher: gives the launcher that starts the child.
    """

    def __init__(self, kit: Kit, reference: Path, device: str, launcher: Callable[[], Launcher]) -> None:
        self._reference, self._device, self._launcher = reference, device, launcher
        self._kit, self._shown = kit, kit.shown(reference)
        self._child: Child | None = None
        self._coming = False
        self._facts: Facts | None = None
        self._truth: tuple[messages.TruthReply, list[Expected]] | None = None

    @property
    def has_layers(self) -> bool:
        """Whether the reference uses layers of Flax."""
        return "flax" in self._reference.read_text(encoding="utf-8", errors="replace")

    def facts(self) -> Facts:
        """What the problem declares. If this starts the child, it computes the truth next, before anybody asks for it."""
        return self._facts or self._kept_up(lambda: self._start(truth=True))

    def truth(self) -> tuple[messages.TruthReply, list[Expected]]:
        """The truth, and its expected values."""
        if self._truth is None:
            self._truth = self._kept_up(self._receive_truth)
        return self._truth

    def ask(self, question: Question, kind: type[R]) -> tuple[R, list[Expected]]:
        """The reply to a question, and the expected values that came with it.

        Raises:
            ProblemError: for a fault of the kit, or if the child was lost again and again.
            NoSuchDevice: if this machine does not have the device.
        """
        if self._coming:
            self.truth()  # it comes before any other reply

        def once() -> tuple[R, list[Expected]]:
            if self._child is None:
                self._start(truth=False)
            self._send(question)
            return self._receive(kind)

        return self._kept_up(once)

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.close()
            self._child = None
            self._coming = False

    def _receive_truth(self) -> tuple[messages.TruthReply, list[Expected]]:
        if not self._coming:
            return self.ask(messages.AskTruth(self._device), messages.TruthReply)
        self._coming = False
        return self._receive(messages.TruthReply)

    def _start(self, *, truth: bool) -> Facts:
        self._child = started(self._launcher, "oracle", ["flax.nnx"] if self.has_layers else [])
        self._send(messages.OpenReference(str(self._reference), self._shown, self._device, truth))
        self._coming = truth
        reply, _ = self._receive(messages.FactsReply)
        for warning in reply.warnings:
            warn_later(f"{self._kit.opened(self._reference)}: {warning}")
        self._facts = reply.facts
        return reply.facts

    def _kept_up(self, work: Callable[[], T]) -> T:
        """Do some work; if the child was lost, do it again with a new child, at most TRIES times."""
        for _ in range(TRIES - 1):
            try:
                return work()
            except LostChild:
                self._child = None
        return work()

    def _send(self, question: Question) -> None:
        assert self._child is not None
        try:
            messages.write(self._child.request, question)
        except BrokenPipeError as error:
            self._child.close()
            raise self._lost() from error

    def _lost(self) -> LostChild:
        return LostChild(
            f"{self._shown}: the process of its oracle was killed {TRIES} times, perhaps for want of memory"
        )

    def _receive(self, kind: type[R]) -> tuple[R, list[Expected]]:
        assert self._child is not None
        try:
            message = messages.read(self._child.result)
        except FrameError:
            message = None
        if message is None:
            killed = self._child.was_killed()
            self._child.close()
            if killed:
                raise self._lost()
            raise ProblemError(f"{self._shown}: its process ended without an answer{how_it_ended(self._child)}")
        return reply_of(message[0], kind), message[1]


def ask_all(
    connections: Sequence[Connection], questions: Sequence[Question], kind: type[R]
) -> list[tuple[R, list[Expected]]]:
    """The replies to one question for each connection. All children work at the same time."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(connections)) as pool:
        return list(pool.map(lambda one, question: one.ask(question, kind), connections, questions))
