"""A jaxpr, evaluated again in another arithmetic.

The reference is traced once in its ordinary float32. Here its jaxpr is evaluated operation by operation with every
float32 promoted to float64, exactly or with rounding noise, as JAX's guide to custom interpreters shows. Common
operations have a rule in NumPy (`program/rules.py`), which compiles nothing. Every other operation is bound as it is,
under x64, with its dtype parameters promoted. Draws of `jax.random` are bound in float32, because an answer draws in
float32 too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr import compat
from grader.jaxpr.bind import bind, cannot, draw, in_float32
from grader.jaxpr.plan import Output, Plan, literal_value, plan_of
from grader.jaxpr.prng import is_key
from grader.kit.problem import ProblemError
from grader.marking.judge import Array
from grader.program.arithmetic import Arithmetic, Exact
from grader.program.rules import promoted, quiet

LONGEST_LOOP = 100_000
"""Rounds of a while loop, after which it is a fault."""

Evaluate = Callable[[Any, list[Any]], Sequence[Any]]
"""(equation, values of its inputs) -> values of its outputs."""

OnEqn = Callable[[Any, list[Any], Evaluate], Sequence[Any]]
"""The same, given also what would evaluate the equation. It is called for every equation, those of inner programs too."""


def evaluate_as_is(eqn: Any, arguments: list[Any], evaluate: Evaluate) -> Sequence[Any]:
    """The hook that changes nothing."""
    return evaluate(eqn, arguments)


def replay(
    closed: core.ClosedJaxpr,
    arithmetic: Arithmetic,
    arguments: Sequence[Any] = (),
    on_eqn: OnEqn = evaluate_as_is,
) -> list[Array]:
    """The outputs of `closed`, float32 promoted to float64, in the given arithmetic.

    Args:
        arguments: the inputs of `closed`, promoted already.
        on_eqn: called in place of the evaluation of each equation.

    Raises:
        ProblemError: where an operation can be evaluated neither by a rule nor by binding it under x64.
    """
    with quiet():
        return Interpreter(arithmetic, on_eqn).call(closed, arguments)


def constant(value: Any) -> Any:
    """A constant that the program closes over, promoted; PRNG keys stay as they are."""
    if is_key(value):
        return value
    array = np.asarray(value)
    return array.astype(promoted(array.dtype))


@dataclass(frozen=True)
class Interpreter:
    """Evaluates equations in an arithmetic, and calls a hook for each of them."""

    arithmetic: Arithmetic
    on_eqn: OnEqn = evaluate_as_is
    _literals: dict[bytes, Array] = field(default_factory=dict[bytes, Array])
    _constants: dict[int, tuple[Any, Any]] = field(default_factory=dict[int, tuple[Any, Any]])

    def call(self, program: Any, arguments: Sequence[Any]) -> list[Any]:
        """The outputs of a program, which may be an inner one."""
        jaxpr, consts = compat.open_program(program)
        env: dict[Any, Any] = dict(zip(jaxpr.constvars, map(self._constant, consts), strict=True))
        env.update(zip(jaxpr.invars, arguments, strict=True))
        for eqn in jaxpr.eqns:
            self.step(eqn, env, jaxpr)
        return [self.read(atom, env) for atom in jaxpr.outvars]

    def _constant(self, value: Any) -> Any:
        # One array has one rounding error, in all rounds of a loop and wherever it is read.
        if id(value) not in self._constants:
            array = constant(value)
            is_noisy = not is_key(array) and array.dtype == np.float64
            self._constants[id(value)] = value, self.arithmetic.constant(array) if is_noisy else array
        return self._constants[id(value)][1]

    def read(self, atom: Any, env: Mapping[Any, Any]) -> Any:
        """The value of a variable or of a literal."""
        return self._literal(literal_value(atom)) if isinstance(atom, core.Literal) else env[atom]

    def _literal(self, value: Array) -> Array:
        if value.dtype.kind != "f":
            return value
        number = value.tobytes()
        if number in self._literals:
            return self._literals[number]
        read = np.asarray(self.arithmetic.literal(value))
        # The tolerances of the truth come from noise that is another one each time a literal is read.
        if read is value or self.arithmetic.exact:
            self._literals[number] = read
        return read

    def step(self, eqn: Any, env: dict[Any, Any], jaxpr: core.Jaxpr) -> None:
        """Evaluate one equation of `jaxpr`: read its inputs from `env`, and write its outputs there.

        Raises:
            ProblemError: where it cannot be evaluated, or gives another shape than it should.
        """
        plan, interpreter, evaluate = plan_of(eqn), self, self.evaluate
        if plan.is_half:
            # The noise of a normal draw in two halves comes with the second half.
            interpreter = Interpreter(Exact(), self.on_eqn) if compat.begins_normal(eqn, jaxpr) else self
            evaluate = interpreter._end_normal if compat.ends_normal(eqn, jaxpr) else interpreter.evaluate
        arguments = [env[atom] if value is None else interpreter._literal(value) for atom, value in plan.reads]
        try:
            outputs = self.on_eqn(eqn, arguments, evaluate)
        except (ProblemError, MemoryError):
            raise
        except Exception as error:  # an operation of a JAX that this grader does not know may go wrong in any way
            raise compat.unknown(eqn, f"{type(error).__name__}: {error}") from error
        for due, output in zip(plan.outputs, outputs, strict=True):
            env[due.variable] = _of_form(due, output, eqn)

    def evaluate(self, eqn: Any, arguments: list[Any]) -> Sequence[Any]:
        """The outputs of one equation. The hook is called for the equations inside it, not for the equation itself."""
        plan = plan_of(eqn)
        if plan.is_call:
            if plan.sampler:
                # Compilers disagree about the last bit of a normal, so a draw is an inexact operation like any other.
                return [
                    self.arithmetic.rounded(output, None) if _is_float(output.dtype) else output
                    for output in draw(eqn, arguments)
                ]
            return self.call(compat.called_program(eqn), arguments)
        match plan.name:
            case "scan":
                return self._scan(plan.scan, arguments)
            case "while":
                return self._while(compat.while_loop(eqn), arguments)
            case "cond":
                index, *operands = arguments
                branches = compat.branches(eqn)
                return self.call(branches[min(max(int(index), 0), len(branches) - 1)], operands)
            case _:
                return self._operate(plan, arguments)

    def _end_normal(self, eqn: Any, arguments: list[Any]) -> Sequence[Any]:
        return [self.arithmetic.rounded(output, None) for output in in_float32(eqn, arguments)]

    def _operate(self, plan: Plan, arguments: list[Any]) -> Sequence[Any]:
        outputs = _promoted_outputs(plan, arguments)
        if self.arithmetic.exact or plan.is_exact:
            return outputs
        magnitude = None
        if plan.is_sum:
            magnitude = np.asarray(_promoted_outputs(plan, [_absolute(argument) for argument in arguments])[0])
        return [
            self.arithmetic.rounded(np.asarray(output), magnitude) if due.is_float else output
            for due, output in zip(plan.outputs, outputs, strict=True)
        ]

    def _scan(self, scan: compat.Scan, arguments: list[Any]) -> list[Any]:
        before = scan.constants + scan.carried
        fixed, carry, sequences = arguments[: scan.constants], arguments[scan.constants : before], arguments[before:]
        jaxpr, _ = compat.open_program(scan.body)
        slices = [variable.aval for variable in jaxpr.outvars[scan.carried :]]
        rows: list[list[Any]] = [[] for _ in slices]
        indices = range(scan.length - 1, -1, -1) if scan.reverse else range(scan.length)
        for index in indices:
            outputs = self.call(scan.body, [*fixed, *carry, *(xs[index] for xs in sequences)])
            carry = outputs[: scan.carried]
            for row, output in zip(rows, outputs[scan.carried :], strict=True):
                row.append(output)
        stacked: list[Any] = []
        for row, aval in zip(rows, slices, strict=True):
            ordered = row[::-1] if scan.reverse else row
            if is_key(aval):
                stacked.append(jnp.stack(ordered))
            else:
                stacked.append(np.stack(ordered) if ordered else np.zeros((0, *aval.shape), promoted(aval.dtype)))
        return [*carry, *stacked]

    def _while(self, loop: compat.While, arguments: list[Any]) -> list[Any]:
        first, last = loop.condition_constants, loop.condition_constants + loop.body_constants
        fixed_condition, fixed_body, state = arguments[:first], arguments[first:last], arguments[last:]
        for _ in range(LONGEST_LOOP):
            goes_on = np.asarray(self.call(loop.condition, [*fixed_condition, *state])[0])
            if not goes_on.any():
                return state
            after = self.call(loop.body, [*fixed_body, *state])
            # The condition of a vectorised loop has axes, the first ones of the state: only some rows go on.
            state = after if goes_on.all() else [_rows(goes_on, *pair) for pair in zip(after, state, strict=True)]
        raise ProblemError(
            f"a while loop of the reference has not ended after {LONGEST_LOOP} rounds: use smaller cases"
        )


def _rows(which: Array, one: Any, other: Any) -> Any:
    choose = jnp.where if is_key(one) else np.where
    return choose(which.reshape(which.shape + (1,) * (one.ndim - which.ndim)), one, other)


def _of_form(due: Output, value: Any, eqn: Any) -> Any:
    held = value if due.dtype is None else np.asarray(value, due.dtype)
    if held.shape != due.shape:
        raise cannot(eqn, "it depends on how many bits a number has")
    return held


def _promoted_outputs(plan: Plan, arguments: list[Any]) -> Sequence[Any]:
    if plan.rule is None:
        return bind(plan.eqn, arguments)
    rule, parameters = plan.rule
    return [rule(*arguments, **parameters)]


def _absolute(argument: Any) -> Any:
    return np.abs(argument) if _is_float(argument.dtype) else argument


def _is_float(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "fc"
