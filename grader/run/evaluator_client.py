"""The evaluator of an answer's programs as the judging process sees it.

If it reaches one of its own limits, there is no program. If it is killed from outside, nothing can be said of the answer:
its verdict must be the one that it gets on a quiet machine.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from grader.kit import frames
from grader.kit.decode import decode
from grader.locale.language import gettext
from grader.marking.comparison import Array
from grader.marking.contracts import Broken
from grader.marking.draws import Draw
from grader.marking.places import Found
from grader.marking.program_comparison import Widened
from grader.marking.program_requirements import Outline
from grader.program import draw_names
from grader.run import line_question, place_question
from grader.run.child import Child, Killed
from grader.run.line_question import Made
from grader.where.packed_steps import Packed

SECONDS_FOR_A_QUESTION = 200.0
"""Seconds that one question may take on the clock. The evaluator limits its own processor time (to a tenth) and work."""
LARGEST_PROGRAMS = 1 << 25
"""The most bytes of programs that are passed on: an answer's own process sends no more (see `jaxpr.encode`)."""


@dataclass(frozen=True)
class _Reused:
    """How often a key is used, and at which lines."""

    times: int
    lines: list[int]


_Reply = tuple[dict[str, Any], list[Array]]


class NoReply(Exception):
    """The evaluator has ended, takes too long, or sends what is no reply."""


class EvaluatorClient:
    """The programs of one answer, evaluated in another process.

    Args:
        start: starts an evaluator, which waits for its first frame. It is called once, when something is asked.
        blob: what the answer's process sent as its programs: bytes that nobody has read.
        numbers: what the draws of the reference give, for each case.
        sizes: how many values each case has; None if another number, and other draws, will do.
        in_float64: whether all numbers that the answer computes outside of its trace have 64 bits.

    Each question raises `Killed` if something outside the grader ended the evaluator.
    """

    def __init__(
        self,
        start: Callable[[], Child],
        blob: Array,
        numbers: Sequence[Mapping[str, Array]],
        sizes: Sequence[int] | None,
        in_float64: bool,
    ) -> None:
        self._start = start
        self._late = False
        self._asked: dict[str, list[Array] | None] = {}
        self._halves = self._evaluated = False
        self._known = [True] * len(numbers) if in_float64 else None
        self._programs = (
            {"sizes": sizes},
            [blob if blob.size <= LARGEST_PROGRAMS else blob[:0], *draw_names.joined(numbers)],
        )

    @cached_property
    def _child(self) -> Child:
        return self._start()

    def values(self) -> list[Array] | None:
        """The exact values of each case; None if the programs cannot be evaluated."""
        if "values" not in self._asked:
            try:
                header, arrays = self._reply(*self._programs)
                self._asked["values"] = None if header["why"] else arrays
                self._evaluated = header["evaluated"] is True
                self._halves = header.get("halves") is True
            except NoReply:
                self._asked["values"] = None
        return self._asked["values"]

    def draws(self, case: int) -> Sequence[Draw]:
        """The draws of the program of a case, with their lines; none if they are not known."""
        header = self._of_evaluated({"ask": "draws", "case": case})
        return () if header is None else decode(list[Draw], header["draws"])

    def reused(self) -> list[Broken | None] | None:
        """How the program of each case uses a key more than once, None where it does not; None if that is not known."""
        header = self._of_evaluated({"ask": "reused"})
        if header is None:
            return None
        found = decode(list[_Reused | None], header["reused"])
        return [one and Broken(lines=one.lines, times=one.times) for one in found]

    def constants(self) -> list[Array] | None:
        """How far the constants that float32 rounds can move each value of each case."""
        return self._ask("constants")

    def known(self) -> list[bool] | None:
        """Whether the history of every number in the program of each case is known."""
        if self.values() is None:
            return None
        if self._known is None:
            with contextlib.suppress(NoReply):
                self._known = decode(list[bool], self._reply({"ask": "known"})[0]["known"])
        return self._known

    def outlines(self) -> list[Outline] | None:
        """What can be asked about the program of each case."""
        header = self._of_evaluated({"ask": "outlines"})
        return None if header is None else decode(list[Outline], header["outlines"])

    def rounding(self) -> list[Array] | None:
        """How far the rounding of float32 can move each value of each case."""
        return self._ask("rounding")

    def widened(self, case: int) -> Widened | None:
        """The programs without rounding to 16 bits; None if they do not round to that, or cannot be evaluated so."""
        if self.values() is None or not self._halves:
            return None
        try:
            header, arrays = self._reply({"ask": "widened", "case": case})
        except NoReply:
            return None
        half, known = len(arrays) // 2, self.known()
        if not half or known is None:
            return None
        return Widened(arrays[:half], arrays[half:], known, int(header["line"]), str(header["dtype"]))

    def worst_line(self, case: int, index: int) -> int:
        """The line of the answer whose rounding moves one value the most; 0 if none is known."""
        if self.values() is None:
            return 0
        try:
            return int(self._reply({"ask": "worst", "case": case, "index": index})[0]["line"])
        except NoReply:
            return 0

    def where(
        self,
        steps: Packed,
        due: Sequence[Array],
        allowed: Sequence[Array],
        text: str,
        *,
        part: float = 1.0,
        together: bool = True,
    ) -> list[Found]:
        """The places where the programs go wrong, proven on the cases of `steps`; none if none is found.

        Args:
            due, allowed: the right values of every case, and how far each value may be from them, both in one dimension.
            text: the answer.
            part: of the time that a search may take.
            together: whether two places that are wrong together are looked for, if no one place is found.
        """
        if self.values() is None:
            return []
        question, arrays = place_question.question(steps, due, allowed, part=part, together=together)
        try:
            return place_question.located(*self._reply(question, arrays), steps.cases, text)
        except (NoReply, ValueError):
            return []

    def lines(self, steps: Packed | None, case: int, text: str) -> list[Made]:
        """What each expression of the first program makes; nothing if that cannot be told.

        Args:
            steps: those of the reference; None if they are not to be compared.
            case: the case of the problem that the program is for.
            text: the answer.
        """
        if self.values() is None:
            return []
        try:
            return line_question.lines(self._reply(*line_question.question(steps, case))[0], text)
        except (NoReply, ValueError):
            return []

    def close(self) -> None:
        """End the evaluator."""
        if "_child" in vars(self):  # nothing was asked of it otherwise, and it was not started
            self._child.close()

    def _of_evaluated(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """The reply to a question on programs that were evaluated, whether they can be compared or not; None without one."""
        self.values()
        if not self._evaluated:
            return None
        try:
            return self._reply(question)[0]
        except NoReply:
            return None

    def _ask(self, kind: str) -> list[Array] | None:
        if self.values() is None:
            return None
        if kind not in self._asked:
            try:
                self._asked[kind] = self._reply({"ask": kind})[1]
            except NoReply:
                self._asked[kind] = None
        return self._asked[kind]

    def _reply(self, header: dict[str, Any], arrays: Sequence[Array] = ()) -> _Reply:
        """Ask something, and wait for the reply.

        Raises:
            NoReply: if there is none.
            Killed: if something outside the grader ended the evaluator.
        """
        received: list[_Reply] = []
        self._in_time(self._write, frames.encode(header, [np.ascontiguousarray(one) for one in arrays]))
        self._in_time(self._read, received)
        if received:
            return received[0]
        if not self._late and self._child.was_killed():
            raise Killed(
                gettext(
                    "The process that evaluates the answer's program was killed, perhaps because the machine had no "
                    "memory left. Make room, and try again."
                )
            )
        raise NoReply("it ended, took too long, or sent what is no reply")

    def _write(self, frame: bytes) -> None:
        with contextlib.suppress(OSError):  # it has ended: the reply is missing then
            frames.write(self._child.request, frame)

    def _in_time(self, work: Callable[..., None], *arguments: Any) -> None:
        """Read or write a pipe of the evaluator. If that takes too long, the evaluator is killed."""
        thread = self._child.start_thread(work, *arguments)
        thread.join(SECONDS_FOR_A_QUESTION)
        if thread.is_alive():
            self._late = True
            self._child.kill()
            thread.join(SECONDS_FOR_A_QUESTION)

    def _read(self, received: list[_Reply]) -> None:
        with contextlib.suppress(frames.FrameError, OSError):
            if (message := frames.read(self._child.result)) is not None:
                received.append(message)
