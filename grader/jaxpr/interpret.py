"""A jaxpr, evaluated again in another arithmetic.

The reference is traced once in its ordinary float32. Here its jaxpr is evaluated operation by operation with every
float32 promoted to float64, exactly or with rounding noise, as JAX's guide to custom interpreters shows. Common
operations have a rule in NumPy (`rules.py`), which compiles nothing; every other one is bound as it is, under x64, with
its dtype parameters promoted. Draws of `jax.random` are bound in float32: an answer must see the very same inputs, but
for the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr import compat
from grader.jaxpr.bind import bind, cannot, draw, in_float32, promoted
from grader.jaxpr.prng import is_key
from grader.jaxpr.rules import EXACT, SUMS, apply, quiet
from grader.kit.problem import ProblemError
from grader.marking.judge import Array

UNIT = 2.0**-24
"""Unit roundoff of float32: half the distance from 1 to the next number."""

CHANGED = "changed"
"""The name of an operation that evaluates itself: one that the audit has changed."""

LONGEST_LOOP = 100_000


class Arithmetic(Protocol):
    """What happens to the result of an operation that float32 would have rounded."""

    def literal(self, value: Array) -> Array:
        """A number that stands in the program."""
        ...

    def rounded(self, value: Array, magnitude: Array | None) -> Array:
        """The result of an operation; `magnitude` is the sum of absolute terms where it is a sum."""
        ...

    def takes(self, equation: Any, keys: Any) -> None:
        """An operation that uses up these keys: a draw or a split."""
        ...

    @property
    def follows(self) -> bool:
        """Whether it asks which keys are used up."""
        ...

    @property
    def exact(self) -> bool:
        """Whether magnitudes need not be computed."""
        ...


class Exact:
    """Float64 throughout: the expected values."""

    exact = True
    follows = False

    def literal(self, value: Array) -> Array:
        return value

    def rounded(self, value: Array, magnitude: Array | None) -> Array:
        return value

    def takes(self, equation: Any, keys: Any) -> None:
        pass


class Noisy:
    """Float64, each inexact result multiplied by `1 + unit*z`, z uniform in [-1, 1] (Monte Carlo arithmetic; Parker 1997).

    The noise of a sum or a dot product is as large as the sum of its absolute terms: cancellation does not hide it.
    """

    exact = follows = False

    def __init__(self, seed: int, unit: float = UNIT) -> None:
        self._random = np.random.default_rng(seed)
        self._unit = unit

    def literal(self, value: Array) -> Array:
        representable = value == value.astype(np.float32)
        return value if bool(np.all(representable)) else self.rounded(value, None)

    def rounded(self, value: Array, magnitude: Array | None) -> Array:
        noise = self._unit * self._random.uniform(-1.0, 1.0, np.shape(value))
        if magnitude is None:
            return value * (1.0 + noise)
        return np.where(np.isfinite(magnitude), value + magnitude * noise, value)

    def takes(self, equation: Any, keys: Any) -> None:
        pass


def replay(closed: core.ClosedJaxpr, arithmetic: Arithmetic, arguments: Sequence[Any] = ()) -> list[Array]:
    """The outputs of `closed`, float32 promoted to float64, in the given arithmetic.

    Raises:
        ProblemError: where an operation can be evaluated neither by a rule nor by binding it under x64.
    """
    with quiet():
        return _run(closed.jaxpr, [constant(const) for const in closed.consts], list(arguments), arithmetic)


def constant(value: Any) -> Any:
    """A number that the program closes over, promoted."""
    if is_key(value):
        return value
    array = np.asarray(value)
    return array.astype(promoted(array.dtype))


def literal_value(literal: core.Literal) -> Array:
    """The number meant by a literal: the shortest decimal that float32 rounds to it, so 0.1 is 0.1 and not 0.100000001."""
    array = np.asarray(literal.val)
    if array.dtype != np.float32 or array.ndim:
        return array.astype(promoted(array.dtype))
    return np.asarray(float(str(array[()])))


def _run(jaxpr: core.Jaxpr, consts: Sequence[Any], arguments: Sequence[Any], arithmetic: Arithmetic) -> list[Any]:
    values: dict[Any, Any] = dict(zip(jaxpr.constvars, consts, strict=True))
    values.update(zip(jaxpr.invars, arguments, strict=True))
    for equation in jaxpr.eqns:
        step(equation, values, arithmetic, jaxpr)
    return [look_up(atom, values, arithmetic) for atom in jaxpr.outvars]


def look_up(atom: Any, values: Mapping[Any, Any], arithmetic: Arithmetic) -> Any:
    """The value of a variable or of a literal."""
    if not isinstance(atom, core.Literal):
        return values[atom]
    value = literal_value(atom)
    return arithmetic.literal(value) if value.dtype.kind == "f" else value


def step(equation: Any, values: dict[Any, Any], arithmetic: Arithmetic, jaxpr: core.Jaxpr) -> None:
    """Evaluate one equation of `jaxpr`, from and into `values`.

    Raises:
        ProblemError: where it cannot be evaluated, or gives another shape than it should.
    """
    if compat.begins_normal(equation, jaxpr):
        arithmetic = Exact()  # the noise of a draw comes with its second half
    arguments = [look_up(atom, values, arithmetic) for atom in equation.invars]
    try:
        if compat.ends_normal(equation, jaxpr):
            outputs: Sequence[Any] = [arithmetic.rounded(one, None) for one in in_float32(equation, arguments)]
        else:
            outputs = evaluate(equation, arguments, arithmetic)
    except (ProblemError, MemoryError):
        raise
    except Exception as error:  # an operation of a JAX that this grader does not know may go wrong in any way
        raise compat.unknown(equation, f"{type(error).__name__}: {error}") from error
    for variable, output in zip(equation.outvars, outputs, strict=True):
        aval: Any = variable.aval
        values[variable] = output if is_key(aval) else np.asarray(output, promoted(aval.dtype))
        if np.shape(values[variable]) != aval.shape:
            raise cannot(equation, "it depends on how many bits a number has")


class Changed(Protocol):
    """An equation that stands in the place of another: what the audit puts into a program."""

    def outputs(self, arguments: list[Any], arithmetic: Arithmetic) -> Sequence[Any]: ...


def evaluate(equation: Any, arguments: list[Any], arithmetic: Arithmetic) -> Sequence[Any]:
    """The outputs of one equation."""
    name = equation.primitive.name
    if name == CHANGED:
        changed: Changed = equation
        return changed.outputs(arguments, arithmetic)
    if arithmetic.follows and compat.consumes_key(equation):
        arithmetic.takes(equation, next(argument for argument in arguments if is_key(argument)))
    if compat.is_call(equation):
        if compat.sampler(equation):
            # Compilers disagree about the last bit of a normal, so a draw is an inexact operation like any other.
            return [
                arithmetic.rounded(output, None) if not is_key(output) and _is_float(output.dtype) else output
                for output in draw(equation, arguments)
            ]
        return _call(compat.called_program(equation), arguments, arithmetic)
    match name:
        case "scan":
            return _scan(compat.scan(equation), arguments, arithmetic)
        case "while":
            return _while(compat.while_loop(equation), arguments, arithmetic)
        case "cond":
            index, *operands = arguments
            branches = compat.branches(equation)
            return _call(branches[min(max(int(index), 0), len(branches) - 1)], operands, arithmetic)
        case _:
            return _operate(equation, arguments, arithmetic)


def _operate(equation: Any, arguments: list[Any], arithmetic: Arithmetic) -> Sequence[Any]:
    name = equation.primitive.name
    outputs = _promoted_outputs(equation, arguments)
    if arithmetic.exact or name in EXACT:
        return outputs
    magnitude = None
    if name in SUMS:
        magnitude = np.asarray(_promoted_outputs(equation, [_absolute(argument) for argument in arguments])[0])
    return [
        arithmetic.rounded(np.asarray(output), magnitude) if _is_float(variable.aval.dtype) else output
        for variable, output in zip(equation.outvars, outputs, strict=True)
    ]


def _promoted_outputs(equation: Any, arguments: list[Any]) -> Sequence[Any]:
    output = None if any(is_key(argument) for argument in arguments) else apply(equation, arguments)
    return bind(equation, arguments) if output is None else [output]


def _absolute(argument: Any) -> Any:
    return np.abs(argument) if _is_float(argument.dtype) else argument


def _is_float(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "fc"


def _call(program: Any, arguments: Sequence[Any], arithmetic: Arithmetic) -> list[Any]:
    jaxpr, consts = compat.open_program(program)
    return _run(jaxpr, [constant(const) for const in consts], arguments, arithmetic)


def _scan(scan: compat.Scan, arguments: list[Any], arithmetic: Arithmetic) -> list[Any]:
    before = scan.constants + scan.carried
    fixed, carry, sequences = arguments[: scan.constants], arguments[scan.constants : before], arguments[before:]
    jaxpr, _ = compat.open_program(scan.body)
    slices = [variable.aval for variable in jaxpr.outvars[scan.carried :]]
    rows: list[list[Any]] = [[] for _ in slices]
    steps = range(scan.length - 1, -1, -1) if scan.reverse else range(scan.length)
    for step in steps:
        outputs = _call(scan.body, [*fixed, *carry, *(xs[step] for xs in sequences)], arithmetic)
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


def _while(loop: compat.While, arguments: list[Any], arithmetic: Arithmetic) -> list[Any]:
    first, last = loop.condition_constants, loop.condition_constants + loop.body_constants
    fixed_condition, fixed_body, state = arguments[:first], arguments[first:last], arguments[last:]
    for _ in range(LONGEST_LOOP):
        if not bool(_call(loop.condition, [*fixed_condition, *state], arithmetic)[0]):
            return state
        state = _call(loop.body, [*fixed_body, *state], arithmetic)
    raise ProblemError(f"a while loop of the reference has not ended after {LONGEST_LOOP} rounds: use smaller cases")
