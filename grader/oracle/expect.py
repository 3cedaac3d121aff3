"""Expected values of one call, and how far apart two right float32 answers can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import jax
import numpy as np
from jax.extend import core

from grader.jaxpr.drawn import draws, numbers
from grader.jaxpr.interpret import OnEqn, evaluate_as_is, replay
from grader.kit.problem import Case, Problem, ProblemError, graded
from grader.marking.draws import Draw
from grader.marking.exact import NARROWER, top
from grader.marking.facts import Truth
from grader.marking.judge import Array, Expected, differences
from grader.oracle.store import WIDER
from grader.program.arithmetic import UNIT, Arithmetic, Exact, Noisy, NoisyConstants

SAMPLES = 8
SAMPLES_FOR_KEY = 3
MARGIN = 8.0
"""tolerance = MARGIN * (largest deviation under rounding noise) + MARGIN * u * max|expected|"""

BOUNDED = 1 / 64
"""A tolerance above this part of the largest value says no more than that."""

COARSE_UNITS = {"float16": 2.0**-11, "bfloat16": 2.0**-8}


@dataclass(frozen=True)
class Traced:
    """A reference traced for one case: its program, the shape of its array before the last flattening, and the dtype.

    `on_eqn` is called in place of the evaluation of each equation.
    """

    program: core.ClosedJaxpr
    shape: tuple[int, ...]
    dtype: str
    on_eqn: OnEqn = evaluate_as_is

    def evaluate(self, arithmetic: Arithmetic) -> Array:
        """The values, of shape (n,), in an arithmetic."""
        return replay(self.program, arithmetic, on_eqn=self.on_eqn)[0]

    @cached_property
    def exact(self) -> Array:
        """The exact values, of shape (n,), read-only: many questions need them."""
        values = self.evaluate(Exact())
        values.setflags(write=False)
        return values


def trace(problem: Problem, case: Case, knobs: Mapping[str, object] | None = None) -> Traced:
    """The reference as a jaxpr in ordinary float32, with some knobs turned.

    Raises:
        ProblemError: if the reference raises, or does not return one 1-D array of real numbers.
    """
    call = f"{problem.name}{case}"
    try:
        with jax.enable_x64(False), jax.default_matmul_precision("highest"):
            # With a knob turned, a reference may make an int of a float: that can be the mistake.
            watched = [_Float(value) if isinstance(value, float) and not knobs else value for value in case]
            program: core.ClosedJaxpr = jax.make_jaxpr(lambda: graded(problem)(*watched, **(knobs or {})))()
    except _FloatForInt as error:
        raise ProblemError(
            f"the case {case} of {problem.name} holds the float {error}, and the reference makes an int of it: write an int"
        ) from error
    except Exception as error:  # the instructor's code may raise anything, and that is a fault of the kit
        turned = f" with {dict(knobs)}" if knobs else ""
        summary = str(error).strip().splitlines()[0] if str(error).strip() else ""
        raise ProblemError(f"the reference of {call}{turned} raises {type(error).__name__}: {summary}") from error
    if len(program.out_avals) != 1 or len(program.out_avals[0].shape) != 1:
        raise ProblemError(f"the reference of {call} should return one 1-D array: end it with .reshape(-1)")
    (aval,) = program.out_avals
    if np.dtype(aval.dtype).kind == "c":
        raise ProblemError(
            f"the reference of {call} returns {aval.dtype}: return real numbers, as real and imaginary parts"
        )
    return Traced(program, _shape_before_flattening(program), np.dtype(aval.dtype).name)


class _FloatForInt(Exception):
    """A float stands in a case where the reference needs an int."""


class _Float(float):
    """A float of a case. An answer gets it as it is, so a reference that needs an int may not make one of it."""

    def __int__(self) -> int:
        raise _FloatForInt(repr(float(self)))


def truth_of(problem: Problem) -> tuple[list[Traced], Truth]:
    """The reference traced for every case, and the expected values of all cases.

    Raises:
        ProblemError: as `trace`.
    """
    traced = [trace_once(problem, case, {}) for case in problem.cases]
    expected = [expect(one, by_row=problem.by_row) for one in traced]
    bounds = [coarse(one, due.values) for one, due in zip(traced, expected, strict=True)]
    truth = Truth(
        expected,
        [one.shape for one in traced],
        [one.dtype for one in traced],
        bounds,
        [draws_of(one) for one in traced],
        [numbers_of(one) for one in traced],
        [uncertain(one) for one in traced],
    )
    return traced, truth


def uncertain(traced: Traced, samples: int = SAMPLES) -> Array:
    """How far the constants that float32 rounds can move each value: the largest of some replays."""
    deviation = np.zeros(traced.exact.shape)
    for seed in range(samples):
        moved = differences(traced.evaluate(NoisyConstants(seed)), traced.exact)
        if not seed and not moved.any():
            break  # it has no such constant
        deviation = np.maximum(deviation, moved)
    return np.where(np.isfinite(deviation), deviation, 0.0)


def numbers_of(traced: Traced) -> dict[str, Array]:
    """What the draws of a reference give; nothing where its keys are not those of JAX's default generator."""
    try:
        return numbers(traced.program)
    except (ProblemError, ValueError, IndexError):
        return {}


def draws_of(traced: Traced) -> list[Draw]:
    """The draws of a reference; none where its keys cannot be followed. They serve the diagnosis alone."""
    try:
        return draws(traced.program)
    except ProblemError:
        return []


def trace_once(problem: Problem, case: Case, knobs: Mapping[str, object]) -> Traced:
    """The same as `trace`, with a cache: the same mistake is computed more than once."""
    under = problem.contract, problem.wrt
    called = (problem.reference, under, repr(case), *((name, repr(value)) for name, value in knobs.items()))
    if called not in _TRACED:
        if len(_TRACED) >= REMEMBERED:
            _TRACED.clear()
        _TRACED[called] = trace(problem, case, knobs)
    return _TRACED[called]


REMEMBERED = 1000
_TRACED: dict[tuple[object, ...], Traced] = {}


def _shape_before_flattening(program: core.ClosedJaxpr) -> tuple[int, ...]:
    """The shape that the reference's last reshape gets; the flat shape if the reference does not end with a reshape."""
    (output,) = program.jaxpr.outvars
    if program.jaxpr.eqns:
        last = program.jaxpr.eqns[-1]
        if last.primitive.name == "reshape" and last.outvars[0] is output:
            return tuple(int(size) for size in last.invars[0].aval.shape)
    return tuple(int(size) for size in program.out_avals[0].shape)


def expect(traced: Traced, *, by_row: bool = False) -> Expected:
    """The expected values in float64 and their tolerance, from SAMPLES replays with rounding noise and an exact one.

    Args:
        by_row: give each row of the array (along its first axis) its own tolerance.
    """
    exact = traced.exact
    if not by_row:
        return Expected(exact, float(_by_value(traced, exact, UNIT, SAMPLES, MARGIN).max(initial=0.0)))
    rows = exact.reshape(traced.shape[0], -1)
    scale = np.max(np.abs(rows), axis=1, initial=0.0, where=np.isfinite(rows))
    deviation = _by_value(traced, exact, UNIT, SAMPLES, 1.0, scaled=False).reshape(rows.shape).max(axis=1, initial=0.0)
    bounds = np.broadcast_to((MARGIN * (deviation + UNIT * scale))[:, None], rows.shape).reshape(-1)
    return Expected(exact, bounds)


def expect_mistake(traced: Traced, samples: int = SAMPLES) -> Expected:
    """The same for a mistake, but with a tolerance for each value.

    Fewer samples take less time. No tolerance is then larger, because the first samples are the same ones.
    """
    exact = traced.exact
    return Expected(exact, _by_value(traced, exact, UNIT, samples, MARGIN))


def unbounded(traced: Traced, mistake: Expected) -> Expected:
    """A mistake whose tolerances are not bounded by its values, as those of a sine of a large angle are.

    There rounding to float32 moves a value by as much as there is, and that says nothing of how much float64 moves it. So
    these tolerances are those of float64, in the ratio of the two units of roundoff.
    """
    bounded = mistake.tolerance > BOUNDED * top(mistake.values)
    if not np.any(bounded):
        return mistake
    # Noise of one unit of float64 would be rounded away: it is MARGIN units here, and no margin comes on top.
    in_ratio = _by_value(traced, mistake.values, MARGIN * UNIT * NARROWER, SAMPLES, 1.0) / NARROWER
    return replace(mistake, tolerance=np.where(bounded, np.maximum(mistake.tolerance, in_ratio), mistake.tolerance))


def rough(traced: Traced) -> Expected:
    """The same from two noisy replays, with a wider margin: three times faster, and enough to rule a mistake out."""
    exact = traced.exact
    return Expected(exact, _by_value(traced, exact, UNIT, 2, WIDER * MARGIN))


def _by_value(traced: Traced, exact: Array, unit: float, samples: int, margin: float, *, scaled: bool = True) -> Array:
    """`margin * (largest deviation under rounding noise + unit * max|exact|)`, value by value; zero for integers.

    Without `scaled`, only `margin * (largest deviation under rounding noise)`.
    """
    if exact.dtype.kind not in "fc":
        return np.zeros(exact.shape)
    scale = float(np.max(np.abs(exact), initial=0.0, where=np.isfinite(exact)))
    deviation = np.zeros(exact.shape)
    for seed in range(samples):
        deviation = np.maximum(deviation, differences(traced.evaluate(Noisy(seed, unit)), exact))
    return margin * (deviation + unit * scale * scaled)


def coarse(traced: Traced, exact: Array) -> dict[str, float]:
    """How far an answer computed in float16 or bfloat16 may be off: the same bound with a larger unit roundoff."""
    if exact.dtype.kind != "f":
        return {}
    bounds = {name: _by_value(traced, exact, unit, 4, MARGIN).max(initial=0.0) for name, unit in COARSE_UNITS.items()}
    # A bound is infinite if rounding makes infinities, and JSON has no infinity.
    return {name: min(float(bound), 1e300) for name, bound in bounds.items()}
