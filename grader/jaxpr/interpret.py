"""A jaxpr, evaluated again in another arithmetic.

The reference is traced once in its ordinary float32. Here its jaxpr is evaluated operation by operation with every
float32 promoted to float64, exactly or with rounding noise, as JAX's guide to custom interpreters shows. Common
operations have a rule in NumPy (`program/rules.py`), which compiles nothing. Every other operation is bound as it is,
under x64, with its dtype parameters promoted. Draws of `jax.random` are bound in float32, because an answer draws in
float32 too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr import compat
from grader.jaxpr.bind import apply, bind, cannot, draw, in_float32
from grader.jaxpr.prng import is_key
from grader.kit.problem import ProblemError
from grader.marking.judge import Array
from grader.program.arithmetic import Arithmetic, Exact, has_few_bits
from grader.program.rules import EXACT, SUMS, promoted, quiet

LONGEST_LOOP = 100_000
"""Rounds of a while loop, after which it is a fault."""

FEW_BITS = 12
"""A float32 with at most this many significant bits means that number, as 2**-20 does."""

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


def literal_value(literal: core.Literal) -> Array:
    """The number that a literal stands for (see `meant`)."""
    array = np.asarray(literal.val)
    if array.dtype != np.float32 or array.ndim:
        return array.astype(promoted(array.dtype))
    return np.asarray(meant(np.float32(array[()])))


def meant(value: np.float32) -> float:
    """The shortest decimal that float32 rounds to a number: 0.1 in place of 0.100000001. A number of few bits is itself.

    Float32 holds only few bits of the smallest numbers, such as 1e-45: these are decimals.
    """
    is_itself = has_few_bits(value, FEW_BITS) and abs(value) >= np.finfo(np.float32).tiny
    return float(value) if is_itself else float(str(value))


@dataclass(frozen=True)
class Interpreter:
    """Evaluates equations in an arithmetic, and calls a hook for each of them."""

    arithmetic: Arithmetic
    on_eqn: OnEqn = evaluate_as_is

    def call(self, program: Any, arguments: Sequence[Any]) -> list[Any]:
        """The outputs of a program, which may be an inner one."""
        jaxpr, consts = compat.open_program(program)
        env: dict[Any, Any] = dict(zip(jaxpr.constvars, map(self._constant, consts), strict=True))
        env.update(zip(jaxpr.invars, arguments, strict=True))
        for eqn in jaxpr.eqns:
            self.step(eqn, env, jaxpr)
        return [self.read(atom, env) for atom in jaxpr.outvars]

    def _constant(self, value: Any) -> Any:
        array = constant(value)
        return self.arithmetic.constant(array) if not is_key(array) and array.dtype == np.float64 else array

    def read(self, atom: Any, env: Mapping[Any, Any]) -> Any:
        """The value of a variable or of a literal."""
        if not isinstance(atom, core.Literal):
            return env[atom]
        value = literal_value(atom)
        return self.arithmetic.literal(value) if value.dtype.kind == "f" else value

    def step(self, eqn: Any, env: dict[Any, Any], jaxpr: core.Jaxpr) -> None:
        """Evaluate one equation of `jaxpr`: read its inputs from `env`, and write its outputs there.

        Raises:
            ProblemError: where it cannot be evaluated, or gives another shape than it should.
        """
        # The noise of a normal draw in two halves comes with the second half.
        interpreter = replace(self, arithmetic=Exact()) if compat.begins_normal(eqn, jaxpr) else self
        arguments = [interpreter.read(atom, env) for atom in eqn.invars]
        evaluate = interpreter._end_normal if compat.ends_normal(eqn, jaxpr) else interpreter.evaluate
        try:
            outputs = self.on_eqn(eqn, arguments, evaluate)
        except (ProblemError, MemoryError):
            raise
        except Exception as error:  # an operation of a JAX that this grader does not know may go wrong in any way
            raise compat.unknown(eqn, f"{type(error).__name__}: {error}") from error
        for variable, output in zip(eqn.outvars, outputs, strict=True):
            _write(variable, output, env, eqn)

    def evaluate(self, eqn: Any, arguments: list[Any]) -> Sequence[Any]:
        """The outputs of one equation. The hook is called for the equations inside it, not for the equation itself."""
        if compat.is_call(eqn):
            if compat.sampler(eqn):
                # Compilers disagree about the last bit of a normal, so a draw is an inexact operation like any other.
                return [
                    self.arithmetic.rounded(output, None) if _is_float(output.dtype) else output
                    for output in draw(eqn, arguments)
                ]
            return self.call(compat.called_program(eqn), arguments)
        match eqn.primitive.name:
            case "scan":
                return self._scan(compat.scan(eqn), arguments)
            case "while":
                return self._while(compat.while_loop(eqn), arguments)
            case "cond":
                index, *operands = arguments
                branches = compat.branches(eqn)
                return self.call(branches[min(max(int(index), 0), len(branches) - 1)], operands)
            case _:
                return self._operate(eqn, arguments)

    def _end_normal(self, eqn: Any, arguments: list[Any]) -> Sequence[Any]:
        return [self.arithmetic.rounded(output, None) for output in in_float32(eqn, arguments)]

    def _operate(self, eqn: Any, arguments: list[Any]) -> Sequence[Any]:
        name = eqn.primitive.name
        outputs = _promoted_outputs(eqn, arguments)
        if self.arithmetic.exact or name in EXACT:
            return outputs
        magnitude = None
        if name in SUMS:
            magnitude = np.asarray(_promoted_outputs(eqn, [_absolute(argument) for argument in arguments])[0])
        return [
            self.arithmetic.rounded(np.asarray(output), magnitude) if _is_float(variable.aval.dtype) else output
            for variable, output in zip(eqn.outvars, outputs, strict=True)
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


def _write(variable: Any, value: Any, env: dict[Any, Any], eqn: Any) -> None:
    aval = variable.aval
    env[variable] = value if is_key(aval) else np.asarray(value, promoted(aval.dtype))
    if np.shape(env[variable]) != aval.shape:
        raise cannot(eqn, "it depends on how many bits a number has")


def _promoted_outputs(eqn: Any, arguments: list[Any]) -> Sequence[Any]:
    output = None if any(is_key(argument) for argument in arguments) else apply(eqn, arguments)
    return bind(eqn, arguments) if output is None else [output]


def _absolute(argument: Any) -> Any:
    return np.abs(argument) if _is_float(argument.dtype) else argument


def _is_float(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "fc"
