"""The programs of an answer, evaluated in this process as the evaluator does it in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.kit import frames
from grader.marking.comparison import Array
from grader.marking.contracts import Broken
from grader.marking.draws import Draw
from grader.marking.program_comparison import Widened
from grader.marking.program_requirements import Outline
from grader.program.arithmetic import Exact
from grader.program.data import NotAProgram, read
from grader.program.history import in_float64, known
from grader.program.outline import outline
from grader.run import evaluator
from grader.run.programs import packed
from grader.run.tracing import Trace


class InThisProcess:
    """An `EvaluatedPrograms` without a process."""

    def __init__(self, blob: Array, numbers: Sequence[Mapping[str, Array]], text: str) -> None:
        _, (listed, *arrays) = frames.decode(blob.tobytes())
        self._programs = read(listed.tobytes(), arrays)
        self._numbers, self._in_float64 = numbers, in_float64(text)
        self._evaluated = [
            evaluator.exactly(program, drawn) for program, drawn in zip(self._programs, numbers, strict=True)
        ]
        self._values = [one.value for one in self._evaluated]
        self._compared = not any(one.others for one in self._evaluated)

    def values(self) -> Sequence[Array] | None:
        return self._values if self._compared else None

    def draws(self, case: int) -> Sequence[Draw]:
        return evaluator.drawn(self._programs[case], self._numbers[case])

    def reused(self) -> Sequence[Broken | None]:
        found = [one.reused() for one in self._evaluated]
        return [one and Broken(lines=one["lines"], times=one["times"]) for one in found]

    def constants(self) -> Sequence[Array]:
        return self._deviations(evaluator.NoisyConstants)

    def known(self) -> Sequence[bool]:
        return [self._in_float64 or known(program) for program in self._programs]

    def outlines(self) -> Sequence[Outline]:
        return [outline(program) for program in self._programs]

    def rounding(self) -> Sequence[Array]:
        return self._deviations(evaluator.Noisy)

    def widened(self, case: int) -> Widened | None:
        rounded = evaluator.halved(self._programs[case], self._numbers[case])
        if rounded is None:
            return None
        cases = list(zip(self._programs, self._numbers, strict=True))
        wide = [evaluator.evaluated(one, Exact(), drawn, keeps=lambda _: True) for one, drawn in cases]
        moved = [
            evaluator.deviation(one, exact, drawn, evaluator.NoisyConstants, keeps=lambda _: True)
            for (one, drawn), exact in zip(cases, wide, strict=True)
        ]
        return Widened(wide, moved, self.known(), *rounded)

    def worst_line(self, case: int, index: int) -> int:
        return evaluator.worst_line(self._programs[case], self._values[case], self._numbers[case], index)

    def _deviations(self, kind: type[evaluator.NoisyConstants | evaluator.Noisy]) -> list[Array]:
        cases = zip(self._programs, self._values, self._numbers, strict=True)
        return [evaluator.deviation(program, exact, drawn, kind) for program, exact, drawn in cases]


def evaluated_programs(
    traces: Sequence[Trace], file: str, numbers: Sequence[Mapping[str, Array]], text: str = ""
) -> InThisProcess | None:
    """The programs of these traces; None if they cannot be sent or evaluated."""
    blob = packed(traces, file) if traces else None
    try:
        return None if blob is None else InThisProcess(blob, numbers, text)
    except NotAProgram:
        return None
