"""The evaluator of an answer's programs as the judging process sees it.

If it reaches one of its own limits, there is no program. If it is killed from outside, nothing can be said of the answer:
its verdict must be the one that it gets on a quiet machine.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Concatenate, ParamSpec, TypeVar

from grader.locale.language import gettext
from grader.marking.program_comparison import Widened
from grader.program.keys import PackedDraws
from grader.run import evaluator_calls as calls
from grader.run import questions
from grader.run.child import Child, Killed
from grader.run.evaluator_calls import Opened, Programs, Sent
from grader.run.questions import Made
from grader.values import codec, frames
from grader.values.arrays import Array
from grader.values.decode import Malformed
from grader.values.outline import Draw, Outline, Reused
from grader.values.places import FoundPlace
from grader.where.steps import Packed

P = ParamSpec("P")
R = TypeVar("R")

SECONDS_FOR_A_QUESTION = 200.0
"""Seconds that one question may take on the clock. The evaluator limits its own processor time (to a tenth) and work."""

LARGEST_PROGRAMS = 1 << 25
"""The most bytes of programs that are passed on: an answer's own process sends no more (see `jaxpr.encode`)."""


class NoReply(Exception):
    """The evaluator has ended, takes too long, or sends what is no reply."""


class EvaluatorClient:
    """The programs of one answer, evaluated in another process.

    Args:
        start: starts an evaluator, which waits for its first frame. It is called once, when something is asked.
        programs: what the answer's process sent as its programs: bytes that nobody has read.
        numbers: what the draws of the reference give, for each case.
        sizes: how many values each case has; None if another number, and other draws, will do.
        in_float64: whether all numbers that the answer computes outside of its trace have 64 bits.

    Each question raises `Killed` if something outside the grader ended the evaluator.
    """

    def __init__(
        self,
        start: Callable[[], Child],
        programs: bytes,
        numbers: Sequence[Mapping[str, Array]],
        sizes: Sequence[int] | None,
        in_float64: bool,
    ) -> None:
        self._start = start
        self._late = False
        self._replies: dict[bytes, Any] = {}
        self._all_known = (True,) * len(numbers) if in_float64 else None
        read = programs if len(programs) <= LARGEST_PROGRAMS else b""
        self._sent = Sent(read, PackedDraws.of(numbers), None if sizes is None else tuple(sizes))

    @cached_property
    def _child(self) -> Child:
        return self._start()

    @cached_property
    def _opened(self) -> Opened:
        try:
            return self._exchange(self._sent, Opened)
        except NoReply as error:
            return Opened(why=str(error))

    def values(self) -> Sequence[Array] | None:
        """The exact values of each case; None if the programs cannot be evaluated."""
        return None if self._opened.why else self._opened.values

    def approximate(self) -> Sequence[Array]:
        """The values of each case, if the programs draw numbers that the reference does not draw; else nothing."""
        return self._opened.approximate

    def draws(self, case: int) -> Sequence[Draw]:
        """The draws of the program of a case, with their lines; none if they are not known."""
        return self._call(calls.draws, case) or () if self._opened.evaluated else ()

    def reused(self) -> Sequence[Reused | None] | None:
        """How the program of each case uses a key more than once, None where it does not; None if that is not known."""
        return self._call(calls.reused) if self._opened.evaluated else None

    def outlines(self) -> Sequence[Outline] | None:
        """What can be asked about the program of each case."""
        return self._call(calls.outlines) if self._opened.evaluated else None

    def constants(self) -> Sequence[Array] | None:
        """How far the constants that float32 rounds can move each value of each case."""
        return self._of_all(calls.constants)

    def known(self) -> Sequence[bool] | None:
        """Whether the history of every number in the program of each case is known."""
        return None if self.values() is None else self._all_known or self._call(calls.known)

    def rounding(self) -> Sequence[Array] | None:
        """How far the rounding of float32 can move each value of each case."""
        return self._of_all(calls.rounding)

    def widened(self, case: int) -> Widened | None:
        """The programs without rounding to 16 bits; None if they do not round to that, or cannot be evaluated so."""
        if self.values() is None or not self._opened.halves:
            return None
        wide, known = self._call(calls.widened, case), self.known()
        if wide is None or known is None or len(wide.exact) != len(wide.deviations):
            return None
        return Widened(wide.exact, wide.deviations, known, wide.line, wide.dtype)

    def worst_line(self, case: int, index: int) -> int:
        """The line of the answer whose rounding moves one value the most; 0 if none is known."""
        return 0 if self.values() is None else self._call(calls.worst_line, case, index) or 0

    def where(
        self,
        steps: Packed,
        due: Sequence[Array],
        allowed: Sequence[Array],
        text: str,
        *,
        part: float = 1.0,
        together: bool = True,
    ) -> Sequence[FoundPlace]:
        """The places where the programs go wrong, proven on the cases of `steps`; none if none is found.

        Args:
            due, allowed: the right values of every case, and how far each value may be from them, both in one dimension.
            text: the answer.
            part: of the time that a search may take.
            together: whether two places that are wrong together are looked for, if no one place is found.
        """
        if self.values() is None:
            return ()
        values, bounds = (tuple(listed[case] for case in steps.cases) for listed in (due, allowed))
        found = self._call(calls.where, steps, values, bounds, part, together) or ()
        return found if questions.believed_places(found, steps.cases, text) else ()

    def lines(self, steps: Packed | None, case: int, text: str) -> Sequence[Made]:
        """What each expression of the first program makes; nothing if that cannot be told.

        Args:
            steps: those of the reference; None if they are not to be compared.
            case: the case of the problem that the program is for.
            text: the answer.
        """
        found = () if self.values() is None else self._call(calls.lines, steps, case) or ()
        return found if questions.believed_lines(found, text) else ()

    def close(self) -> None:
        """End the evaluator."""
        if "_child" in vars(self):  # nothing was asked of it otherwise, and it was not started
            self._child.close()

    def _of_all(self, call: Callable[[Programs], R]) -> R | None:
        """The reply to a call about all programs; None without one, or if they are not compared."""
        return None if self.values() is None else self._call(call)

    def _call(self, call: Callable[Concatenate[Programs, P], R], *arguments: P.args, **none: P.kwargs) -> R | None:
        """The reply to a call of a function of `evaluator_calls.py`, which is made once; None without one."""
        request = {"call": call.__name__, "arguments": arguments}
        asked = hashlib.sha256(codec.encode(request)).digest()
        if asked not in self._replies:
            try:
                self._replies[asked] = self._exchange(request, calls.kinds_of(call)[1])
            except NoReply:
                self._replies[asked] = None
        return self._replies[asked]

    def _exchange(self, request: Any, kind: Any) -> Any:
        """Send something, and wait for the reply, which is of this type.

        Raises:
            NoReply: if there is none.
            Killed: if something outside the grader ended the evaluator.
        """
        received: list[tuple[dict[str, Any], list[Array]]] = []
        self._in_time(self._write, codec.encode(request))
        self._in_time(self._read, received)
        for header, arrays in received:
            try:
                return codec.from_frame(kind, header.get("reply"), arrays)
            except Malformed as error:
                raise NoReply("it sent what is no reply") from error
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

    def _read(self, received: list[tuple[dict[str, Any], list[Array]]]) -> None:
        with contextlib.suppress(frames.FrameError, OSError):
            if (message := frames.read(self._child.result)) is not None:
                received.append(message)
