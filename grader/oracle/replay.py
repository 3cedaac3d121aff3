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

from grader.oracle.binding import bind, cannot, draw, is_draw, promoted, uses_up
from grader.oracle.rules import EXACT, RULES, SUMS, Array, quiet
from grader.prng import is_key
from grader.problem import ProblemError

UNIT = 2.0**-24
"""Unit roundoff of float32: half the distance from 1 to the next number."""

CHANGED = "changed"
"""The name of an operation that evaluates itself: one that the audit has changed."""

LONGEST_LOOP = 100_000

CALLS = {
    "jit": "jaxpr",
    "pjit": "jaxpr",
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "remat": "jaxpr",
    "remat2": "jaxpr",
    "checkpoint": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
    "custom_vjp_call_jaxpr": "fun_jaxpr",
    "custom_lin": "call_jaxpr",
}


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
        step(equation, values, arithmetic)
    return [look_up(atom, values, arithmetic) for atom in jaxpr.outvars]


def look_up(atom: Any, values: Mapping[Any, Any], arithmetic: Arithmetic) -> Any:
    """The value of a variable or of a literal."""
    if not isinstance(atom, core.Literal):
        return values[atom]
    value = literal_value(atom)
    return arithmetic.literal(value) if value.dtype.kind == "f" else value


def step(equation: Any, values: dict[Any, Any], arithmetic: Arithmetic) -> None:
    """Evaluate one equation, from and into `values`.

    Raises:
        ProblemError: where it cannot be evaluated, or gives another shape than it should.
    """
    outputs = evaluate(equation, [look_up(atom, values, arithmetic) for atom in equation.invars], arithmetic)
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
    name, params = equation.primitive.name, equation.params
    if name == CHANGED:
        changed: Changed = equation
        return changed.outputs(arguments, arithmetic)
    if arithmetic.follows and uses_up(equation):
        arithmetic.takes(equation, next(argument for argument in arguments if is_key(argument)))
    if name in CALLS:
        if is_draw(equation):
            # Compilers disagree about the last bit of a normal, so a draw is an inexact operation like any other.
            return [
                arithmetic.rounded(output, None) if not is_key(output) and _is_float(output.dtype) else output
                for output in draw(equation, arguments)
            ]
        return _call(params[CALLS[name]], arguments, arithmetic)
    match name:
        case "scan":
            return _scan(params, arguments, arithmetic)
        case "while":
            return _while(params, arguments, arithmetic)
        case "cond":
            index, *operands = arguments
            branches = params["branches"]
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
    rule = RULES.get(equation.primitive.name)
    if rule is None or any(is_key(argument) for argument in arguments):
        return bind(equation, arguments)
    return [rule(equation.params, *arguments)]


def _absolute(argument: Any) -> Any:
    return np.abs(argument) if _is_float(argument.dtype) else argument


def _is_float(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "fc"


def _call(jaxpr: Any, arguments: Sequence[Any], arithmetic: Arithmetic) -> list[Any]:
    if hasattr(jaxpr, "consts"):
        return _run(jaxpr.jaxpr, [constant(const) for const in jaxpr.consts], arguments, arithmetic)
    return _run(jaxpr, (), arguments, arithmetic)


def _scan(params: Mapping[str, Any], arguments: list[Any], arithmetic: Arithmetic) -> list[Any]:
    consts, carried, length = params["num_consts"], params["num_carry"], params["length"]
    fixed, carry, sequences = arguments[:consts], arguments[consts : consts + carried], arguments[consts + carried :]
    rows: list[list[Any]] = [[] for _ in params["jaxpr"].out_avals[carried:]]
    steps = range(length - 1, -1, -1) if params["reverse"] else range(length)
    for step in steps:
        outputs = _call(params["jaxpr"], [*fixed, *carry, *(xs[step] for xs in sequences)], arithmetic)
        carry = outputs[:carried]
        for row, output in zip(rows, outputs[carried:], strict=True):
            row.append(output)
    stacked: list[Any] = []
    for row, aval in zip(rows, params["jaxpr"].out_avals[carried:], strict=True):
        ordered = row[::-1] if params["reverse"] else row
        if is_key(aval):
            stacked.append(jnp.stack(ordered))
        else:
            stacked.append(np.stack(ordered) if ordered else np.zeros((0, *aval.shape), promoted(aval.dtype)))
    return [*carry, *stacked]


def _while(params: Mapping[str, Any], arguments: list[Any], arithmetic: Arithmetic) -> list[Any]:
    conditions, bodies = params["cond_nconsts"], params["body_nconsts"]
    fixed_condition, fixed_body = arguments[:conditions], arguments[conditions : conditions + bodies]
    state = arguments[conditions + bodies :]
    for _ in range(LONGEST_LOOP):
        if not bool(_call(params["cond_jaxpr"], [*fixed_condition, *state], arithmetic)[0]):
            return state
        state = _call(params["body_jaxpr"], [*fixed_body, *state], arithmetic)
    raise ProblemError(f"a while loop of the reference has not ended after {LONGEST_LOOP} rounds: use smaller cases")
