"""Expected values of one call, and how far apart two right float32 answers can be."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr import native
from grader.jaxpr.compat import open_program, part_of
from grader.jaxpr.encode import Encoder
from grader.kit.problem import Case, Problem, graded
from grader.kit.problem_error import ProblemError
from grader.marking.facts import Truth
from grader.marking.program_comparison import FLOAT64_IN_FLOAT32_UNITS
from grader.oracle.branches import Forms, returned_with
from grader.oracle.family import family_of
from grader.oracle.store import WIDER
from grader.program.arithmetic import HALVES, Arithmetic, Exact, Noisy, NoisyConstants, RepeatedNoise
from grader.program.data import DRAWS, Equation, NotAProgram, Program
from grader.program.evaluate import Evaluate, Evaluation, Hook
from grader.program.keys import draw_name, half_name
from grader.program.operations import Unmetered
from grader.values.arrays import (
    MOST_DEVIATIONS,
    NOISY_EVALUATIONS,
    UNIT_ROUNDOFF,
    Array,
    Expected,
    differences,
    largest_magnitude,
)
from grader.values.outline import MOST_DRAWS, Draw

SAMPLES_FOR_KEY = 3
"""Noisy evaluations for the tolerance of a mistake in a key, which holds very many."""

BOUNDED = 1 / 64
"""A tolerance above this part of the largest value says no more than that."""


@dataclass(frozen=True)
class TracedReference:
    """A reference traced for one case: its jaxpr, the shape of its array before the last flattening, and the dtype.

    `file` is that of the reference: its lines are the places of the program. `hook` is that of `Evaluation`. `call` is the
    same for programs that share most of their operations; None for one that shares none. `output` is the number of its array
    among those of the jaxpr, which a trace of several sets of mistakes has.
    """

    jaxpr: core.ClosedJaxpr
    shape: tuple[int, ...]
    dtype: str
    file: str = ""
    hook: Hook | None = None
    call: tuple[object, ...] | None = None
    output: int = 0

    @cached_property
    def alone(self) -> core.ClosedJaxpr:
        """The jaxpr without the other arrays, and without what only they depend on."""
        jaxpr, _ = open_program(self.jaxpr)
        if len(jaxpr.outvars) == 1:
            return self.jaxpr
        outputs = jaxpr.outvars[self.output : self.output + 1]
        needed, equations = _variables(outputs), list[Any]()
        for equation in reversed(jaxpr.eqns):
            read = _variables(equation.invars)
            if not needed.isdisjoint(equation.outvars) or (equation.effects and needed & read):
                needed |= read
                equations.append(equation)
        return part_of(self.jaxpr, (), equations[::-1], outputs)

    @cached_property
    def program(self) -> Program:
        """The jaxpr as a program, which leaves to JAX what has no rule in NumPy.

        Raises:
            ProblemError: where it holds what has no form in a program, such as keys of another generator.
        """
        try:
            return Encoder(self.file, trusted=True).program(self.alone)
        except NotAProgram as error:
            raise _cannot(error) from error

    @cached_property
    def live(self) -> Program:
        """The program without what its values do not depend on.

        Raises:
            ProblemError: as `program`.
        """
        return replace(self.program, block=self.program.block.live())

    @cached_property
    def evaluation(self) -> Evaluation:
        """The exact evaluation of the program, without the hook."""
        return Evaluation(self.program, native=native, meter=Unmetered())

    def evaluate(self, arithmetic: Arithmetic) -> Array:
        """The values, of shape (n,), in an arithmetic.

        Raises:
            ProblemError: where an operation can be evaluated neither by a rule nor by JAX in float64.
        """
        return outputs_of(replace(self.evaluation.again(arithmetic), hook=self.hook))[0]

    @cached_property
    def exact(self) -> Array:
        """The exact values, of shape (n,), read-only: many questions need them."""
        values = self.shared(Exact)
        values.setflags(write=False)
        return values

    def shared(self, arithmetic: Callable[..., Arithmetic], *arguments: float) -> Array:
        """As `evaluate`, in an arithmetic that does to a number what is a function of the number.

        What another program of the same call has evaluated in this arithmetic is not evaluated again.
        """
        if self.call is None or self.hook is not None:
            return self.evaluate(arithmetic(*arguments))
        try:
            return family_of(self.call, self.file, self.jaxpr).values(self.jaxpr, self.output, (arithmetic, *arguments))
        except NotAProgram as error:
            raise _cannot(error) from error

    @cached_property
    def drawn(self) -> tuple[list[Draw], dict[str, Array]]:
        """The draws that the values depend on, in order, and the numbers that they give.

        The numbers are float32 of shape (n,), by their names (see `program.keys`).

        Raises:
            ProblemError: as `evaluate`.
        """
        found: dict[str, Array] = {}

        def hook(equation: Equation, inputs: list[Array], evaluate: Evaluate) -> list[Array]:
            outputs = evaluate(equation, inputs)
            if equation.operation == "end_normal":
                found[half_name(inputs[0])] = np.ravel(outputs[0]).astype(np.float32)
            elif equation.operation in DRAWS and [form.dtype for form in equation.forms] == ["float32"]:
                keys, *bounds = inputs
                rows = outputs[0].reshape(keys.size, -1)
                for key, values in zip(keys.ravel(), rows, strict=True):
                    name = draw_name(str(equation.parameters["sampler"]), int(key), values.size, bounds)
                    found[name] = values.astype(np.float32)
            return outputs

        evaluation = replace(self.evaluation.again(Exact()), program=self.live, hook=hook)
        outputs_of(evaluation)
        return [use.as_draw() for use in evaluation.consumed if use.draws], found


def _variables(atoms: Sequence[Any]) -> set[Any]:
    return {atom for atom in atoms if not isinstance(atom, core.Literal)}


def outputs_of(evaluation: Evaluation) -> list[Array]:
    """The outputs of a reference's program.

    Raises:
        ProblemError: where an operation can be evaluated neither by a rule nor by JAX in float64.
    """
    try:
        return evaluation.outputs()
    except NotAProgram as error:
        raise _cannot(error) from error


def _cannot(error: NotAProgram) -> ProblemError:
    return ProblemError(
        f"the reference cannot be evaluated in float64: {error}. Write that step in another way, or choose smaller cases"
    )


TRACES_BETWEEN_CLEARINGS = 300
"""Traces of a reference with layers after which JAX forgets the earlier ones. It compares each new trace of a
jitted function of Flax with all before it.
"""

_traces = 0


def trace(problem: Problem, case: Case, forms: Forms = ()) -> TracedReference:
    """The reference as a jaxpr in ordinary float32, with some mistakes made.

    Raises:
        ProblemError: if the reference raises, or does not return one 1-D array of real numbers.
    """
    call = f"{problem.name}{case}"
    _forget_old_traces()
    try:
        with _ordinary_numbers():
            # A mistake may make an int of a float.
            watched = [_Float(value) if isinstance(value, float) and not forms else value for value in case]
            program: core.ClosedJaxpr = jax.make_jaxpr(lambda: _flattened(graded(problem, forms)(*watched)))()
    except _FloatForInt as error:
        raise ProblemError(
            f"the case {case} of {problem.name} holds the float {error}, and the reference makes an int of it: write an int"
        ) from error
    except Exception as error:  # the instructor's code may raise anything, and that is a fault of the kit
        raise _raised(call, forms, error) from error
    if len(program.out_avals) != 1 or len(program.out_avals[0].shape) != 1:
        raise _not_one_array(call)
    (aval,) = program.out_avals
    assert problem.solution is not None
    return TracedReference(program, _shape_before_flattening(program), _dtype(call, aval), problem.solution.file)


def trace_sets(problem: Problem, case: Case, sets: Sequence[Forms]) -> list[TracedReference | Raises]:
    """The same for each of several sets of mistakes, as one jaxpr; what says so for a set with which the reference raises.

    Single mistakes are kept for `trace_once`, and those that are kept are not traced again.

    Raises:
        ProblemError: if the reference does not return one array of real numbers.
    """
    called = _call(problem, case)
    found: dict[Forms, TracedReference | Raises] = {
        forms: _KEPT[(*called, forms)] for forms in sets if (*called, forms) in _KEPT
    }
    missing = [forms for forms in sets if forms not in found]
    found |= zip(missing, _traced_together(problem, case, missing), strict=True) if missing else ()
    for forms in missing:
        traced = found[forms]
        if len(forms) == 1 and isinstance(traced, TracedReference):
            _keep((*called, forms), traced)
    return [found[forms] for forms in sets]


def _traced_together(problem: Problem, case: Case, sets: Sequence[Forms]) -> list[TracedReference | Raises]:
    call = f"{problem.name}{case}"
    outcomes: list[int | Raises] = []

    def arrays() -> list[Any]:
        found: list[Any] = []
        for forms, returned in zip(sets, returned_with(problem, case, sets), strict=True):
            try:
                if isinstance(returned, Exception):
                    raise returned
                array = _flattened(returned)
            except Exception as error:
                outcomes.append(_raised(call, forms, error))
                continue
            if jax.tree.structure(array) != jax.tree.structure(0):
                raise _not_one_array(call)
            outcomes.append(len(found))
            found.append(array)
        return found

    _forget_old_traces(len(sets))
    with _ordinary_numbers():
        program: core.ClosedJaxpr = jax.make_jaxpr(arrays)()
    assert problem.solution is not None
    file, kept_as = problem.solution.file, _call(problem, case)
    traced = [
        TracedReference(program, aval.shape, _dtype(call, aval), file, None, kept_as, output)
        for output, aval in enumerate(program.out_avals)
    ]
    return [outcome if isinstance(outcome, Raises) else traced[outcome] for outcome in outcomes]


def _forget_old_traces(more: int = 1) -> None:
    global _traces
    if "flax" in sys.modules:
        _traces += more
        if _traces >= TRACES_BETWEEN_CLEARINGS:
            _traces = 0
            jax.clear_caches()


@contextlib.contextmanager
def _ordinary_numbers() -> Generator[None]:
    with jax.enable_x64(False), jax.default_matmul_precision("highest"):
        yield


def _raised(call: str, forms: Forms, error: Exception) -> Raises:
    turned = f" with {forms_in_words(forms)}" if forms else ""
    summary = str(error).strip().splitlines()[0] if str(error).strip() else ""
    raises = Raises(f"the reference of {call}{turned} raises {type(error).__name__}: {summary}")
    raises.__cause__ = error
    return raises


def _not_one_array(call: str) -> ProblemError:
    return ProblemError(f"the reference of {call} should return one array")


def _dtype(call: str, aval: Any) -> str:
    dtype = np.dtype(aval.dtype)
    if dtype.kind == "c":
        raise ProblemError(f"the reference of {call} returns {dtype}: return real numbers, as real and imaginary parts")
    return dtype.name


def forms_in_words(forms: Forms) -> str:
    """Mistakes in a few words, for messages."""
    return "; ".join(f"{form.pitfall}: {form.shown}" if len(forms) > 1 else form.shown for form in forms)


def _flattened(returned: Any) -> Any:
    """One array, flattened; what is no array as it is."""
    if jax.tree.structure(returned) != jax.tree.structure(0) or np.ndim(returned) == 1:
        return returned
    return jnp.reshape(returned, -1)


class Raises(ProblemError):
    """The reference itself raises."""


class _FloatForInt(Exception):
    """A float stands in a case where the reference needs an int."""


class _Float(float):
    """A float of a case. An answer gets it as it is, so a reference that needs an int may not make one of it."""

    def __int__(self) -> int:
        raise _FloatForInt(repr(float(self)))


def truth_of(problem: Problem) -> tuple[list[TracedReference], Truth]:
    """The reference traced for every case, and the expected values of all cases.

    Raises:
        ProblemError: as `trace`.
    """
    traced = [trace_once(problem, case) for case in problem.cases]
    expected = [expect(reference, by_row=problem.by_row) for reference in traced]
    bounds = [coarse(reference, due.values) for reference, due in zip(traced, expected, strict=True)]
    truth = Truth(
        expected,
        [reference.shape for reference in traced],
        [reference.dtype for reference in traced],
        bounds,
        [drawn(reference)[0] for reference in traced],
        [drawn(reference)[1] for reference in traced],
        [uncertain(reference) for reference in traced],
    )
    return traced, truth


def uncertain(traced: TracedReference, samples: int = NOISY_EVALUATIONS) -> Array:
    """How far the constants that float32 rounds can move each value: the largest of some evaluations."""
    deviation = np.zeros(traced.exact.shape)
    for seed in range(samples):
        moved = differences(traced.shared(NoisyConstants, seed), traced.exact)
        if not seed and not moved.any():
            break  # it has no such constant
        deviation = np.maximum(deviation, moved)
    return np.where(np.isfinite(deviation), deviation, 0.0)


def drawn(traced: TracedReference) -> tuple[list[Draw], dict[str, Array]]:
    """The draws of a reference and their numbers (see `Traced.drawn`); no draws if too many to compare."""
    draws, numbers = traced.drawn
    return (draws if len(draws) <= MOST_DRAWS else []), numbers


def trace_once(problem: Problem, case: Case, forms: Forms = ()) -> TracedReference:
    """The same as `trace`, with a cache: the same mistake is computed more than once."""
    called = (*_call(problem, case), forms)
    if called not in _KEPT:
        traced = trace(problem, case, forms)
        _keep(called, replace(traced, call=called[:-1]) if forms else traced)
    return _KEPT[called]


def _call(problem: Problem, case: Case) -> tuple[object, ...]:
    return problem.solution, (problem.contract, problem.wrt), repr(case)


def _keep(called: tuple[object, ...], traced: TracedReference) -> None:
    if len(_KEPT) >= MOST_TRACES_KEPT:
        _KEPT.clear()
    _KEPT[called] = traced


MOST_TRACES_KEPT = 700
_KEPT: dict[tuple[object, ...], TracedReference] = {}


def _shape_before_flattening(program: core.ClosedJaxpr) -> tuple[int, ...]:
    """The shape that the reference's last reshape gets; the flat shape if the reference does not end with a reshape."""
    (output,) = program.jaxpr.outvars
    if program.jaxpr.eqns:
        last = program.jaxpr.eqns[-1]
        if last.primitive.name == "reshape" and last.outvars[0] is output:
            return tuple(int(size) for size in last.invars[0].aval.shape)
    return tuple(int(size) for size in program.out_avals[0].shape)


def expect(traced: TracedReference, *, by_row: bool = False) -> Expected:
    """The expected values in float64 and their tolerance, from SAMPLES evaluations with rounding noise and an exact one.

    The tolerance is MARGIN times the largest deviation, and MARGIN units of rounding of the largest value.

    Args:
        by_row: give each row of the array (along its first axis) its own tolerance.
    """
    exact = traced.exact
    if not by_row:
        return Expected(
            exact, float(_by_value(traced, exact, UNIT_ROUNDOFF, NOISY_EVALUATIONS, MOST_DEVIATIONS).max(initial=0.0))
        )
    rows = exact.reshape(traced.shape[0], -1)
    scale = np.max(np.abs(rows), axis=1, initial=0.0, where=np.isfinite(rows))
    deviation = (
        _by_value(traced, exact, UNIT_ROUNDOFF, NOISY_EVALUATIONS, 1.0, scaled=False)
        .reshape(rows.shape)
        .max(axis=1, initial=0.0)
    )
    bounds = np.broadcast_to((MOST_DEVIATIONS * (deviation + UNIT_ROUNDOFF * scale))[:, None], rows.shape).reshape(-1)
    return Expected(exact, bounds)


def expect_mistake(traced: TracedReference, samples: int = NOISY_EVALUATIONS) -> Expected:
    """The same for a mistake, but with a tolerance for each value, and with repeated noise: mistakes share operations.

    Fewer samples take less time. No tolerance is then larger, because the first samples are the same ones.
    """
    exact = traced.exact
    return Expected(exact, _by_value(traced, exact, UNIT_ROUNDOFF, samples, MOST_DEVIATIONS, repeated=True))


def unbounded(traced: TracedReference, mistake: Expected) -> Expected:
    """A mistake whose tolerances are not bounded by its values, as those of a sine of a large angle are.

    There rounding to float32 moves a value by as much as there is, and that says nothing of how much float64 moves it. So
    these tolerances are those of float64, in the ratio of the two units of roundoff.
    """
    bounded = mistake.tolerance > BOUNDED * largest_magnitude(mistake.values)
    if not np.any(bounded):
        return mistake
    # Noise of one unit of float64 would be rounded away: it is MARGIN units here, and no margin comes on top.
    in_ratio = (
        _by_value(
            traced,
            mistake.values,
            MOST_DEVIATIONS * UNIT_ROUNDOFF * FLOAT64_IN_FLOAT32_UNITS,
            NOISY_EVALUATIONS,
            1.0,
            repeated=True,
        )
        / FLOAT64_IN_FLOAT32_UNITS
    )
    return replace(mistake, tolerance=np.where(bounded, np.maximum(mistake.tolerance, in_ratio), mistake.tolerance))


def rough(traced: TracedReference) -> Expected:
    """The same from two noisy evaluations, with a wider margin: three times faster, and enough to rule a mistake out."""
    exact = traced.exact
    return Expected(exact, _by_value(traced, exact, UNIT_ROUNDOFF, 2, WIDER * MOST_DEVIATIONS, repeated=True))


def _by_value(
    traced: TracedReference,
    exact: Array,
    unit: float,
    samples: int,
    margin: float,
    *,
    scaled: bool = True,
    repeated: bool = False,
) -> Array:
    """`margin * (largest deviation under rounding noise + unit * max|exact|)`, value by value; zero for integers.

    Without `scaled`, only `margin * (largest deviation under rounding noise)`.
    """
    if exact.dtype.kind not in "fc":
        return np.zeros(exact.shape)
    scale = float(np.max(np.abs(exact), initial=0.0, where=np.isfinite(exact)))
    deviation = np.zeros(exact.shape)
    for seed in range(samples):
        noisy = traced.shared(RepeatedNoise, seed, unit) if repeated else traced.evaluate(Noisy(seed, unit))
        deviation = np.maximum(deviation, differences(noisy, exact))
    return margin * (deviation + unit * scale * scaled)


def coarse(traced: TracedReference, exact: Array) -> dict[str, float]:
    """How far an answer computed in float16 or bfloat16 may be off: the same bound with a larger unit roundoff.

    A dtype that the reference itself rounds to has no bound: it is no mistake there.
    """
    if exact.dtype.kind != "f":
        return {}
    own = {form.dtype for equation in traced.program.block.nested() for form in equation.forms}
    bounds = {
        name: _by_value(traced, exact, unit, 4, MOST_DEVIATIONS).max(initial=0.0)
        for name, unit in HALVES.items()
        if name not in own
    }
    # A bound is infinite if rounding makes infinities, and JSON has no infinity.
    return {name: min(float(bound), 1e300) for name, bound in bounds.items()}


UNSTABLE = 0.01
"""An element is unstable if rounding noise alone moves it by more than this fraction of the largest value."""

NOISES = 16


def unstable(traced: TracedReference, exact: Array) -> int | None:
    """The index of the first unstable element (see UNSTABLE; an integer must not change at all); None if there is none."""
    finite = np.abs(exact[np.isfinite(exact)]) if exact.dtype.kind == "f" else np.abs(exact)
    limit = UNSTABLE * float(finite.max(initial=0.0)) if exact.dtype.kind == "f" else 0.0
    for seed in range(NOISES):
        moved = differences(traced.evaluate(Noisy(1000 + seed)), exact) > limit
        if moved.any():
            return int(np.flatnonzero(moved)[0])
    return None
