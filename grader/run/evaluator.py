"""The process that evaluates the programs of an answer: it reads data, and uses NumPy. No code of the answer runs in it."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from grader.kit import frames
from grader.marking.draws import MOST
from grader.marking.judge import Array, differences
from grader.program import draw_names, keys
from grader.program.arithmetic import HALVES, UNIT, Arithmetic, Exact, Noisy, NoisyConstants
from grader.program.data import Block, Equation, NotAProgram, Program, read
from grader.program.evaluate import Evaluate, Evaluation
from grader.program.history import known
from grader.program.outline import outline
from grader.program.still import still
from grader.run.pool import EVALUATOR
from grader.sandbox.limits import LINUX

Keeps = Callable[[Equation], bool]

SAMPLES = 8
"""Noisy evaluations of each program."""
MOST_REMEMBERED = 1 << 12
"""An operation that gives more values is evaluated again, so that little memory is held."""
SECONDS = 20
"""Seconds of processor time that it may take."""
MUCH = 0.1
"""A line moves the values much if it moves them by at least this part of what the worst line does."""


def main() -> None:
    """Serve on descriptors 0 and 1, within limits of memory and time."""
    _limit()
    serve(0, 1)


def serve(requests: int, results: int) -> None:
    """Answer questions until the first descriptor ends. The first frame holds the programs.

    Its `sizes` are the numbers of values that they must have; None if any numbers, and any draws, will do.
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
        strict = sizes is not None
        evaluations = [exactly(one, numbers, strict=strict) for one, numbers in zip(programs, draws, strict=True)]
        values = [value for value, _ in evaluations]
        if strict and [one.size for one in values] != sizes:
            raise NotAProgram("they give another number of values")
        sent = [np.ascontiguousarray(one) for one in values]
        made = [made if len(made) <= MOST else [] for _, made in evaluations]
        frames.write(results, frames.encode({"why": "", "draws": made, "halves": any(map(has_halves, programs))}, sent))
    except (NotAProgram, frames.FrameError, ValueError) as error:
        frames.write(results, frames.encode({"why": str(error)[:500]}))
        return
    with contextlib.suppress(NotAProgram):  # noise may change how long its loops are
        while (request := frames.read(requests)) is not None:
            frames.write(results, _answer(*request, programs, values, draws))


def _limit() -> None:
    """Bound the time of this process, and its memory where that can be known (Linux)."""
    # With two equal limits of time the kernel would send SIGKILL, as what kills a process from outside does.
    limits = {resource.RLIMIT_CPU: (SECONDS, SECONDS + 1), resource.RLIMIT_CORE: (0, 0)}
    if LINUX:
        with open("/proc/self/statm") as file:
            most = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") + EVALUATOR
        limits[resource.RLIMIT_AS] = (most, most)
    for name, limit in limits.items():
        with contextlib.suppress(ValueError):  # a limit that is lower already stays
            resource.setrlimit(name, limit)


def _answer(
    question: Mapping[str, Any],
    arrays: Sequence[Array],
    programs: Sequence[Program],
    values: Sequence[Array],
    draws: Sequence[Mapping[str, Array]],
) -> bytes:
    kinds: dict[str, type[NoisyConstants | Noisy]] = {"constants": NoisyConstants, "rounding": Noisy}
    match question:
        case {"ask": ("constants" | "rounding") as kind}:
            cases = zip(programs, values, draws, strict=True)
            return frames.encode({}, [deviation(one, exact, drawn, kinds[kind]) for one, exact, drawn in cases])
        case {"ask": "outlines"}:
            return frames.encode({"outlines": [asdict(outline(one)) for one in programs]})
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
            from grader.run import where_asked  # only wrong answers need it

            return frames.encode(*where_asked.answer(question, arrays, programs, draws))
        case {"ask": "lines"}:
            from grader.run import lines_asked

            return frames.encode(*lines_asked.answer(question, arrays, programs[0], draws[0]))
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
        if id(equation) in steady and sum(one.size for one in outputs) <= MOST_REMEMBERED:
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


def exactly(
    program: Program, draws: Mapping[str, Array], *, strict: bool = True
) -> tuple[Array, list[tuple[str, int]]]:
    """The value of a program in float64, and the draws that it makes: key and count as in `grader.marking.draws.Draw`.

    Raises:
        NotAProgram: if it is `strict` and depends on other draws than the reference's: their last bits are not known here.
    """
    evaluation = Evaluation(program, Exact(), draws)
    value = evaluation.output()
    if strict and evaluation.approximate and _draws_others(program, draws):
        raise NotAProgram("it draws numbers that the reference does not draw")
    drawn = [one for one in evaluation.consumed if one.draws]
    return value, [(np.stack(keys.words(np.asarray(one.key, np.uint64))).tobytes().hex(), one.count) for one in drawn]


def _draws_others(program: Program, draws: Mapping[str, Array]) -> bool:
    """Whether the value depends on a draw that the reference does not make. Weights of a layer may be replaced unread."""
    evaluation = Evaluation(replace(program, block=program.block.live()), Exact(), draws)
    evaluation.output()
    return evaluation.approximate


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
    first = next((line for line in found if moved[line] >= MUCH * most), None)
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
