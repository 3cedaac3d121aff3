"""The process that evaluates the programs of an answer: it reads data, and uses NumPy. No code of the answer runs in it."""

from __future__ import annotations

import contextlib
import os
import resource
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.kit import frames
from grader.marking.comparison import Array, differences
from grader.marking.draws import MOST_DRAWS, Draw
from grader.marking.program_comparison import SAMPLES
from grader.program import draw_names
from grader.program.arithmetic import HALVES, UNIT, Arithmetic, Exact, Noisy, NoisyConstants
from grader.program.data import Block, Equation, NotAProgram, Program, read
from grader.program.evaluate import Consumed, Evaluate, Evaluation
from grader.program.history import known
from grader.program.noiseless_equations import still
from grader.program.outline import outline
from grader.run.pool import EVALUATOR_MEMORY
from grader.sandbox.limits import LINUX

Keeps = Callable[[Equation], bool]

MOST_VALUES_REMEMBERED = 1 << 12
"""An operation that gives more values is evaluated again, so that little memory is held."""
SECONDS_OF_PROCESSOR = 20
"""Seconds of processor time that it may take."""
MOST_LINES_OF_A_KEY = 8
"""The most lines that are told of a key."""
PART_OF_THE_WORST = 0.1
"""A line moves the values much if it moves them by at least this part of what the worst line does."""


def main() -> None:
    """Serve on descriptors 0 and 1, within limits of memory and time."""
    _limit()
    serve(0, 1)


def serve(requests: int, results: int) -> None:
    """Answer questions until the first descriptor ends. The first frame holds the programs.

    Its `sizes` are the numbers of values that they must have to be compared; None if any numbers, and any draws, will do.
    Of programs that are not compared, it can still be asked which keys they use, and how they are built.
    """
    request = frames.read(requests)
    if request is None:
        return
    (blob, *numbers), sizes = request[1], request[0]["sizes"]
    draws = draw_names.parted(numbers)
    try:
        _, (text, *arrays) = frames.decode(blob.tobytes())
        programs = read(text.tobytes(), arrays)
        if len(programs) != len(draws):
            raise NotAProgram("a program for each case is due")
        evaluations = [exactly(one, numbers) for one, numbers in zip(programs, draws, strict=True)]
        values = [one.value for one in evaluations]
        why = _why_not_compared(evaluations, sizes) if sizes is not None else ""
        sent = [] if why else [np.ascontiguousarray(one) for one in values]
        known = {"why": why, "evaluated": True, "halves": any(map(has_halves, programs))}
        frames.write(results, frames.encode(known, sent))
    except (NotAProgram, frames.FrameError, ValueError) as error:
        frames.write(results, frames.encode({"why": str(error)[:500], "evaluated": False}))
        return
    with contextlib.suppress(NotAProgram):  # noise may change how long its loops are
        while (request := frames.read(requests)) is not None:
            frames.write(results, _answer(*request, evaluations, draws))


def _limit() -> None:
    """Bound the time of this process, and its memory where that can be known (Linux)."""
    # With two equal limits of time the kernel would send SIGKILL, as what kills a process from outside does.
    limits = {resource.RLIMIT_CPU: (SECONDS_OF_PROCESSOR, SECONDS_OF_PROCESSOR + 1), resource.RLIMIT_CORE: (0, 0)}
    if LINUX:
        with open("/proc/self/statm") as file:
            most = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") + EVALUATOR_MEMORY
        limits[resource.RLIMIT_AS] = (most, most)
    for name, limit in limits.items():
        with contextlib.suppress(ValueError):  # a limit that is lower already stays
            resource.setrlimit(name, limit)


def _answer(
    question: Mapping[str, Any],
    arrays: Sequence[Array],
    evaluations: Sequence[Evaluated],
    draws: Sequence[Mapping[str, Array]],
) -> bytes:
    programs, values = [one.program for one in evaluations], [one.value for one in evaluations]
    kinds: dict[str, type[NoisyConstants | Noisy]] = {"constants": NoisyConstants, "rounding": Noisy}
    match question:
        case {"ask": ("constants" | "rounding") as kind}:
            cases = zip(programs, values, draws, strict=True)
            return frames.encode({}, [deviation(one, exact, drawn, kinds[kind]) for one, exact, drawn in cases])
        case {"ask": "outlines"}:
            return frames.encode({"outlines": [outline(one) for one in programs]})
        case {"ask": "reused"}:
            return frames.encode({"reused": [one.reused() for one in evaluations]})
        case {"ask": "draws", "case": int(case)}:
            return frames.encode({"draws": drawn(programs[case], draws[case])})
        case {"ask": "known"}:
            return frames.encode({"known": [known(one) for one in programs]})
        case {"ask": "widened", "case": int(case)}:
            rounded = halved(programs[case], draws[case])
            if rounded is None:
                return frames.encode({"line": 0, "dtype": ""})
            wide = [evaluated(one, Exact(), drawn, keeps=_always) for one, drawn in zip(programs, draws, strict=True)]
            cases = zip(programs, wide, draws, strict=True)
            moved = [deviation(one, exact, drawn, NoisyConstants, keeps=_always) for one, exact, drawn in cases]
            return frames.encode({"line": rounded[0], "dtype": rounded[1]}, [*wide, *moved])
        case {"ask": "worst", "case": int(case), "index": int(index)}:
            line = worst_line(programs[case], values[case], draws[case], index)
            return frames.encode({"line": line})
        case {"ask": "where"}:
            from grader.run import place_question  # only wrong answers need it

            return frames.encode(*place_question.answer(question, arrays, programs, draws))
        case {"ask": "lines"}:
            from grader.run import line_question

            return frames.encode(*line_question.answer(question, arrays, programs[0], draws[0]))
        case _:
            raise ValueError(f"an unknown question: {question}")


def deviation(
    program: Program,
    exact: Array,
    draws: Mapping[str, Array],
    kind: type[NoisyConstants | Noisy],
    keeps: Keeps | None = None,
) -> Array:
    """The largest deviation of each value in SAMPLES noisy evaluations."""
    deviation = np.zeros(exact.shape)
    given: dict[int, Array] = {}
    steady = still(program) if kind is NoisyConstants and keeps is None else set[int]()

    def remembered(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
        outputs = evaluate(equation, inputs)
        if id(equation) in steady and sum(one.size for one in outputs) <= MOST_VALUES_REMEMBERED:
            given.update(zip(equation.outputs, outputs, strict=True))
        return outputs

    evaluation = Evaluation(program, kind(0), draws, remembered if steady else None, keeps)
    for seed in range(SAMPLES):
        if seed == 1:
            evaluation = evaluation.without(given)
        if seed:
            evaluation = evaluation.again(kind(seed))
        moved = differences(evaluation.output(), exact)
        if not seed and not moved.any():
            break  # nothing in it is noisy
        deviation = np.maximum(deviation, moved)
    return deviation


@dataclass(frozen=True)
class Evaluated:
    """A program with its value in float64, and the keys that it consumed.

    Attributes:
        others: whether the value depends on draws that the reference does not make: their last bits are not known here.
    """

    program: Program
    value: Array
    consumed: Sequence[Consumed]
    others: bool

    def reused(self) -> dict[str, Any] | None:
        """The first key that draws and splits consume more than once: how many `times`, and at which `lines`."""
        lines: dict[int, list[int]] = defaultdict(list)
        for one in self.consumed:
            lines[one.key].append(self.program.line(one.equation))
        twice = next((listed for listed in lines.values() if len(listed) > 1), None)
        return (
            None
            if twice is None
            else {"times": len(twice), "lines": [line for line in twice if line][:MOST_LINES_OF_A_KEY]}
        )


def exactly(program: Program, draws: Mapping[str, Array]) -> Evaluated:
    """Evaluate a program in float64.

    Raises:
        NotAProgram: if it cannot be evaluated.
    """
    evaluation = Evaluation(program, Exact(), draws)
    value = evaluation.output()
    others = evaluation.approximate and _live(program, draws).approximate
    return Evaluated(program, value, evaluation.consumed, others)


def drawn(program: Program, draws: Mapping[str, Array]) -> list[Draw]:
    """The draws that the value of a program depends on; nothing for very many."""
    made = [one.as_draw(program.line(one.equation)) for one in _live(program, draws).consumed if one.draws]
    return made if len(made) <= MOST_DRAWS else []


def _live(program: Program, draws: Mapping[str, Array]) -> Evaluation:
    """The evaluation of what the value of a program depends on. Weights of a layer may be drawn, and replaced unread."""
    evaluation = Evaluation(replace(program, block=program.block.live()), Exact(), draws)
    evaluation.output()
    return evaluation


def _why_not_compared(evaluations: Sequence[Evaluated], sizes: Sequence[int]) -> str:
    """Why values cannot be compared with those of the reference; empty if they can."""
    if any(one.others for one in evaluations):
        return "they draw numbers that the reference does not draw"
    return "" if [one.value.size for one in evaluations] == [*sizes] else "they give another number of values"


def evaluated(
    program: Program, arithmetic: Arithmetic, draws: Mapping[str, Array], keeps: Keeps | None = None
) -> Array:
    """The value of a program in an arithmetic. `keeps` is that of `Evaluation`."""
    return Evaluation(program, arithmetic, draws, keeps=keeps).output()


def has_halves(program: Program) -> bool:
    """Whether an operation of a program gives numbers with 16 bits."""
    return any(form.dtype in HALVES for equation in program.block.nested() for form in equation.forms)


def halved(program: Program, draws: Mapping[str, Array]) -> tuple[int, str] | None:
    """The first line at which rounding to 16 bits moves the values much, and the dtype; None if nothing is rounded to that.

    What follows that line often has 16 bits only because of it. The line is 0 if it is not known.
    """
    found: dict[int, str] = {}

    def collect(block: Block) -> None:
        for equation in block.equations:
            dtypes = [form.dtype for form in equation.forms if form.dtype in HALVES]
            if dtypes and not equation.blocks:
                found.setdefault(program.line(equation), dtypes[0])
            for inner in equation.blocks:
                collect(inner)

    collect(program.block)
    wide, moved = evaluated(program, Exact(), draws, keeps=_always), dict[int, float]()
    for line in found:

        def elsewhere(equation: Equation, line: int = line) -> bool:
            return program.line(equation) != line or bool(equation.blocks)

        moved[line] = float(differences(evaluated(program, Exact(), draws, elsewhere), wide).max(initial=0.0))
    most = max(moved.values(), default=0.0)
    first = next((line for line in found if moved[line] >= PART_OF_THE_WORST * most), None)
    return None if first is None else (first, found[first])


def _always(equation: Equation) -> bool:
    return True


def worst_line(program: Program, exact: Array, draws: Mapping[str, Array], index: int) -> int:
    """The line of the file whose rounding moves one value the most; 0 if no line is known."""
    moved: dict[int, float] = {}
    for line in {place.line for place in program.places}:
        for seed in range(2):
            noise = Noisy(seed)

            def hook(
                equation: Equation, inputs: list[Array], evaluate: Evaluate, line: int = line, noise: Noisy = noise
            ) -> list[Array]:
                outputs = evaluate(equation, inputs)
                if program.line(equation) != line or equation.blocks:
                    return outputs
                return [
                    noise.rounded(value, None) if form.dtype == "float32" else value
                    for value, form in zip(outputs, equation.forms, strict=True)
                ]

            value = Evaluation(program, Exact(), draws, hook).output()
            gap = float(differences(value, exact).reshape(-1)[index])
            moved[line] = max(moved.get(line, 0.0), gap)
    worst = max(moved, key=lambda line: moved[line], default=0)
    return worst if moved and moved[worst] > UNIT * 1e-3 * float(np.max(np.abs(exact), initial=0.0)) else 0
