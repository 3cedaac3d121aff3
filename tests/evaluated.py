"""The programs of an answer, evaluated in this process as the evaluator does it in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.marking.program_comparison import Widened
from grader.program.analysis import in_float64
from grader.program.data import NotAProgram, read
from grader.run import evaluator_calls as calls
from grader.run.answer.tracing import CaseTrace, packed
from grader.values import frames
from grader.values.arrays import Array
from grader.values.outline import Draw, Outline, Reused


class InThisProcess:
    """An `EvaluatedPrograms` without a process."""

    def __init__(self, blob: bytes, numbers: Sequence[Mapping[str, Array]], text: str) -> None:
        _, (listed, *arrays) = frames.decode(blob)
        programs = read(listed.tobytes(), arrays)
        self._in_float64 = in_float64(text)
        self._programs = [calls.exactly(program, drawn) for program, drawn in zip(programs, numbers, strict=True)]

    def values(self) -> Sequence[Array] | None:
        opened = calls.opened(self._programs, [one.value.size for one in self._programs])
        return None if opened.why else opened.values

    def approximate(self) -> Sequence[Array]:
        return calls.opened(self._programs, [one.value.size for one in self._programs]).approximate

    def draws(self, case: int) -> Sequence[Draw]:
        return calls.draws(self._programs, case)

    def reused(self) -> Sequence[Reused | None]:
        return calls.reused(self._programs)

    def constants(self) -> Sequence[Array]:
        return calls.constants(self._programs)

    def known(self) -> Sequence[bool]:
        return [self._in_float64 or known for known in calls.known(self._programs)]

    def outlines(self) -> Sequence[Outline]:
        return calls.outlines(self._programs)

    def rounding(self) -> Sequence[Array]:
        return calls.rounding(self._programs)

    def widened(self, case: int) -> Widened | None:
        wide = calls.widened(self._programs, case)
        return wide and Widened(wide.exact, wide.deviations, self.known(), wide.line, wide.dtype)

    def worst_line(self, case: int, index: int) -> int:
        return calls.worst_line(self._programs, case, index)


def evaluated_programs(
    traces: Sequence[CaseTrace], file: str, numbers: Sequence[Mapping[str, Array]], text: str = ""
) -> InThisProcess | None:
    """The programs of these traces; None if they cannot be sent or evaluated."""
    blob = packed(traces, file) if traces else None
    try:
        return None if blob is None else InThisProcess(blob, numbers, text)
    except NotAProgram:
        return None
