"""What an evaluator is called for: functions of the programs of an answer, with arguments and replies of declared types.

It runs in the process of `evaluator.py`, on data that nobody trusts: `evaluator_client.py` sends the name of a function with
its arguments, and checks the reply.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_type_hints

import numpy as np

from grader.program import analysis
from grader.program import analysis as of_program
from grader.program.analysis import noiseless_equations
from grader.program.arithmetic import HALVES, Arithmetic, Exact, Noisy, NoisyConstants
from grader.program.data import DRAWS, Block, Equation, NotAProgram, Program
from grader.program.evaluate import Consumed, Evaluate, Evaluation
from grader.program.keys import PackedDraws
from grader.run import questions
from grader.run.questions import Made
from grader.values.arrays import NOISY_EVALUATIONS, UNIT_ROUNDOFF, Array, differences
from grader.values.outline import MOST_DRAWS, Draw, Outline, Reused
from grader.values.places import FoundPlace
from grader.where.steps import Packed

Keeps = Callable[[Equation], bool]
Arrays = tuple[Array, ...]

MOST_VALUES_REMEMBERED = 1 << 12
"""An operation that gives more values is evaluated again, so that little memory is held."""

MOST_LINES_OF_A_KEY = 8
"""The most lines that are told of a key."""

PART_OF_THE_WORST = 0.1
"""A line moves the values much if it moves them by at least this part of what the worst line does."""


@dataclass(frozen=True)
class Sent:
    """What an evaluator gets first.

    Attributes:
        programs: what the answer's process sent.
        numbers: what the draws of the reference give, for each case.
        sizes: how many values each program must have to be compared; None if any number, and any draws, will do.
    """

    programs: bytes
    numbers: PackedDraws
    sizes: tuple[int, ...] | None


@dataclass(frozen=True)
class Opened:
    """What an evaluator replies to that.

    Attributes:
        values: the exact values of each case, if they can be compared.
        approximate: the values of programs that depend on draws of their own: the last bits are not known here.
        why: why they cannot be compared; empty if they can.
        evaluated: whether the programs are evaluated. Of programs that are not compared, it can still be asked which keys
            they use, and how they are built.
        halves: whether an operation gives numbers with 16 bits.
    """

    values: Arrays = ()
    approximate: Arrays = ()
    why: str = ""
    evaluated: bool = False
    halves: bool = False


@dataclass(frozen=True)
class Wide:
    """Programs without rounding to 16 bits (see `marking.program_comparison.Widened`)."""

    exact: Arrays
    deviations: Arrays
    line: int
    dtype: str


@dataclass(frozen=True)
class EvaluatedProgram:
    """A program with its value in float64, and the keys that it consumed.

    Attributes:
        draws: what the draws of the reference give on its case.
        others: whether the value depends on the last bits of draws that the reference does not make: nobody knows them here.
    """

    program: Program
    draws: Mapping[str, Array]
    value: Array
    consumed: Sequence[Consumed]
    others: bool


Programs = Sequence[EvaluatedProgram]
"""The programs of an answer, one for each case."""


def exactly(program: Program, draws: Mapping[str, Array]) -> EvaluatedProgram:
    """Evaluate a program in float64.

    Raises:
        NotAProgram: if it cannot be evaluated.
    """
    evaluation = Evaluation(program, Exact(), draws)
    value = np.asarray(evaluation.output())
    # What is rounded to 16 bits may stay the same where a number is moved that it depends on.
    depends = _reads_others if has_halves(program) else _changes_with_others
    others = evaluation.approximate and depends(program, draws, value)
    return EvaluatedProgram(program, draws, value, evaluation.consumed, others)


MOVED = 2.0**-12
"""By up to which part of itself a number is moved that the reference does not draw: much more than its last bits."""


def _reads_others(program: Program, draws: Mapping[str, Array], _: Array) -> bool:
    """Whether a value is computed from numbers that the reference does not draw."""
    return _live(program, draws).approximate


def _changes_with_others(program: Program, draws: Mapping[str, Array], value: Array) -> bool:
    """Whether a value changes where numbers are moved towards zero that the reference does not draw."""
    random = np.random.default_rng(0)

    def moved(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
        before, evaluation.approximate = evaluation.approximate, False
        outputs = evaluate(equation, inputs)
        if evaluation.approximate and equation.operation in (*DRAWS, "end_normal"):
            outputs = [
                numbers * (1.0 - MOVED * random.random(numbers.shape)) if numbers.dtype.kind == "f" else numbers
                for numbers in outputs
            ]
        evaluation.approximate |= before
        return outputs

    evaluation = Evaluation(program, Exact(), draws, hook=moved)
    try:
        return not np.array_equal(evaluation.output(), value, equal_nan=value.dtype.kind == "f")
    except NotAProgram:  # a loop whose length depends on them
        return True


def opened(programs: Programs, sizes: Sequence[int] | None) -> Opened:
    """What is replied to programs that are evaluated; `sizes` as in `Sent`."""
    why = ""
    if sizes is not None and any(program.others for program in programs):
        why = "they depend on numbers that the reference does not draw"
    elif sizes is not None and [program.value.size for program in programs] != [*sizes]:
        why = "they give another number of values"
    values = tuple(program.value for program in programs)
    of_size = sizes is not None and [value.size for value in values] == [*sizes]
    return Opened(
        () if why else values,
        values if why and of_size else (),
        why,
        evaluated=True,
        halves=any(has_halves(program.program) for program in programs),
    )


def constants(programs: Programs) -> Arrays:
    """How far the constants that float32 rounds can move each value of each case."""
    return tuple(deviation(program.program, program.value, program.draws, NoisyConstants) for program in programs)


def rounding(programs: Programs) -> Arrays:
    """How far the rounding of float32 can move each value of each case."""
    return tuple(deviation(program.program, program.value, program.draws, Noisy) for program in programs)


def known(programs: Programs) -> tuple[bool, ...]:
    """Whether the history of every number in the program of each case is known."""
    return tuple(analysis.history_is_known(program.program) for program in programs)


def outlines(programs: Programs) -> tuple[Outline, ...]:
    """What can be asked about the program of each case."""
    return tuple(of_program.outline(program.program) for program in programs)


def reused(programs: Programs) -> tuple[Reused | None, ...]:
    """The first key that the draws and splits of each case consume more than once, None where there is none."""
    return tuple(map(_reused, programs))


def _reused(evaluated_program: EvaluatedProgram) -> Reused | None:
    lines: dict[int, list[int]] = defaultdict(list)
    for use in evaluated_program.consumed:
        lines[use.key].append(evaluated_program.program.line(use.equation))
    twice = next((listed for listed in lines.values() if len(listed) > 1), None)
    return None if twice is None else Reused(len(twice), tuple([line for line in twice if line][:MOST_LINES_OF_A_KEY]))


def draws(programs: Programs, case: int) -> tuple[Draw, ...]:
    """The draws that the value of a case depends on; nothing for very many."""
    program = programs[case].program
    live = _live(program, programs[case].draws)
    made = tuple(use.as_draw(program.line(use.equation)) for use in live.consumed if use.draws)
    return made if len(made) <= MOST_DRAWS else ()


def _live(program: Program, draws: Mapping[str, Array]) -> Evaluation:
    """The evaluation of what the value of a program depends on. Weights of a layer may be drawn, and replaced unread."""
    evaluation = Evaluation(replace(program, block=program.block.live()), Exact(), draws)
    evaluation.output()
    return evaluation


def widened(programs: Programs, case: int) -> Wide | None:
    """The programs without rounding to 16 bits, and where that moves this case; None if nothing of it is rounded to that."""
    rounded = halved(programs[case].program, programs[case].draws)
    if rounded is None:
        return None
    wide = tuple(evaluated(program.program, Exact(), program.draws, keeps=_always) for program in programs)
    deviations = (
        deviation(program.program, exact, program.draws, NoisyConstants, keeps=_always)
        for program, exact in zip(programs, wide, strict=True)
    )
    return Wide(wide, tuple(deviations), *rounded)


def worst_line(programs: Programs, case: int, index: int) -> int:
    """The line of the file whose rounding moves one value of a case the most; 0 if no line is known."""
    program = programs[case]
    return line_of_worst(program.program, program.value, program.draws, index)


def where(
    programs: Programs, steps: Packed, due: Arrays, allowed: Arrays, part: float, together: bool
) -> tuple[FoundPlace, ...]:
    """The places where the programs go wrong (see `questions.find_places`)."""
    listed = [(program.program, program.draws) for program in programs]
    return questions.find_places(listed, steps, due, allowed, part=part, together=together)


def lines(programs: Programs, steps: Packed | None, case: int) -> tuple[Made, ...]:
    """What each expression of the first program makes (see `questions.values_of_lines`)."""
    return questions.values_of_lines(programs[0].program, programs[0].draws, steps, case)


CALLS = {
    call.__name__: call
    for call in (constants, rounding, known, outlines, reused, draws, widened, worst_line, where, lines)
}
"""All that an evaluator is called for, by name."""


@functools.cache
def kinds_of(call: Callable[..., Any]) -> tuple[Any, Any]:
    """The types of the arguments of a call after the programs, as one tuple, and the type of its reply."""
    _, *arguments, reply = get_type_hints(call, include_extras=True).values()
    return tuple[(*arguments,)], reply


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
    steady = noiseless_equations(program) if kind is NoisyConstants and keeps is None else set[int]()

    def remembered(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
        outputs = evaluate(equation, inputs)
        if id(equation) in steady and sum(output.size for output in outputs) <= MOST_VALUES_REMEMBERED:
            given.update(zip(equation.outputs, outputs, strict=True))
        return outputs

    evaluation = Evaluation(program, kind(0), draws, remembered if steady else None, keeps)
    for seed in range(NOISY_EVALUATIONS):
        if seed == 1:
            evaluation = evaluation.without(given)
        if seed:
            evaluation = evaluation.again(kind(seed))
        moved = differences(evaluation.output(), exact)
        if not seed and not moved.any():
            break  # nothing in it is noisy
        deviation = np.maximum(deviation, moved)
    return np.asarray(deviation)


def evaluated(
    program: Program, arithmetic: Arithmetic, draws: Mapping[str, Array], keeps: Keeps | None = None
) -> Array:
    """The value of a program in an arithmetic. `keeps` is that of `Evaluation`."""
    return np.asarray(Evaluation(program, arithmetic, draws, keeps=keeps).output())


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


def line_of_worst(program: Program, exact: Array, draws: Mapping[str, Array], index: int) -> int:
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
    return worst if moved and moved[worst] > UNIT_ROUNDOFF * 1e-3 * float(np.max(np.abs(exact), initial=0.0)) else 0
