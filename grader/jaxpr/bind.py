"""One operation of a jaxpr: by its rule in NumPy or as JAX itself evaluates it. Arithmetic in float64, draws in float32."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core
from jax.random import bernoulli, normal, randint, truncated_normal, uniform

from grader.jaxpr.compat import asks_for, called_program, draws_by_index, sampler, unknown
from grader.jaxpr.prng import is_key
from grader.kit.problem import ProblemError
from grader.marking.judge import Array
from grader.program.rules import PARAMETERS, RULES, promoted

_DTYPE_PARAMS = ("new_dtype", "preferred_element_type", "dtype", "out_dtype")


@functools.lru_cache(maxsize=4096)
def _compiled(draw: core.ClosedJaxpr) -> Callable[..., Sequence[Any]]:
    return jax.jit(core.jaxpr_as_fun(draw))


def draw(eqn: Any, arguments: Sequence[Any]) -> list[Any]:
    """The outputs of a draw of `jax.random` in float32, because an answer draws in float32 too.

    Each draw from each key is made once and remembered: every replay asks for it again.
    """
    inputs = [
        argument if is_key(argument) else np.asarray(argument, atom.aval.dtype)
        for argument, atom in zip(arguments, eqn.invars, strict=True)
    ]
    wide = fits_wide(eqn)
    compiled = _wide(sampler(eqn), eqn.outvars[0].aval.dtype) if wide else _compiled(called_program(eqn))

    def make() -> list[Any]:
        with jax.enable_x64(False):
            outputs = compiled(*inputs)
        if wide:
            shape = eqn.outvars[0].aval.shape
            return [np.asarray(outputs[0])[: math.prod(shape)].reshape(shape)]
        return [output if is_key(output) else np.asarray(output) for output in outputs]

    return _once(
        (compiled, *(variable.aval.shape for variable in eqn.outvars if wide), *(_identity(one) for one in inputs)),
        inputs,
        make,
    )


WIDE = 4096
"""Numbers in one wide draw. Smaller draws are taken from it, because JAX would compile each shape by itself."""

_DRAWS: dict[str, Callable[..., Any]] = {
    "normal": lambda key, shape, dtype: normal(key, shape, dtype),
    "uniform": lambda key, shape, dtype, low, high: uniform(key, shape, dtype, low, high),
    "truncated_normal": lambda key, shape, dtype, low, high: truncated_normal(key, low, high, shape, dtype),
    "randint": lambda key, shape, dtype, low, high: randint(key, shape, low, high, dtype),
    "bernoulli": lambda key, shape, dtype, p: bernoulli(key, p, shape),
}
"""A draw of numbers that each depend on their index alone, by the name of its sampler."""


def fits_wide(eqn: Any) -> bool:
    """Whether a draw gives the first numbers of the draw of `WIDE` numbers from the same key and bounds."""
    if sampler(eqn) not in _DRAWS:
        return False
    (output, *others), (key, *bounds) = eqn.outvars, eqn.invars
    return (
        not others
        and key.aval.shape == ()
        and draws_by_index(key.aval)
        and all(bound.aval.shape == () for bound in bounds)
        and output.aval.dtype in (np.float32, np.int32, np.bool_)
        and math.prod(output.aval.shape) <= WIDE
    )


def own_program(eqn: Any) -> Any:
    """The program that `jax.random` itself calls for a draw of this form (see `fits_wide`)."""
    (output,) = eqn.outvars
    inputs = tuple((atom.aval.dtype, getattr(atom.aval, "weak_type", False)) for atom in eqn.invars)
    return _own_program(sampler(eqn), output.aval.shape, output.aval.dtype, inputs)


@functools.cache
def _own_program(name: str, shape: tuple[int, ...], dtype: Any, inputs: tuple[tuple[Any, bool], ...]) -> Any:
    def drawn(key: Any, *bounds: Any) -> Any:
        return _DRAWS[name](key, shape, dtype, *bounds)

    forms = [jax.ShapeDtypeStruct((), one, weak_type=weak) for one, weak in inputs]
    traced = jax.make_jaxpr(drawn)(*forms)
    return next(called_program(one) for one in traced.jaxpr.eqns if sampler(one) == name)


@functools.cache
def _wide(name: str, dtype: Any) -> Callable[..., Sequence[Any]]:
    return jax.jit(lambda key, *bounds: (_DRAWS[name](key, (WIDE,), dtype, *bounds),))


def in_float32(eqn: Any, arguments: Sequence[Any]) -> list[Any]:
    """The outputs of an elementwise operation of one input, in float32. Small arrays are padded to `WIDE` numbers."""
    (x,) = arguments
    flat = np.ravel(x).astype(np.float32)
    wide = np.resize(flat, max(WIDE, flat.size)) if flat.size else np.zeros(WIDE, np.float32)
    compiled = _elementwise(eqn.primitive, tuple(eqn.params.items()))

    def make() -> list[Any]:
        with jax.enable_x64(False):
            return [np.asarray(compiled(wide))[: flat.size].reshape(np.shape(x))]

    return _once((compiled, _identity(wide), np.shape(x)), wide, make)


@functools.cache
def _elementwise(primitive: core.Primitive, params: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
    return jax.jit(lambda x: primitive.bind(x, **dict(params)))


REMEMBERED = 5000
"""Results that are kept; when there are more, all are forgotten."""

_MADE: dict[tuple[Any, ...], tuple[Any, list[Any]]] = {}


def _once(call: tuple[Any, ...], keep_alive: Any, make: Callable[[], list[Any]]) -> list[Any]:
    """What `make` gave for the same call before. `keep_alive` holds objects whose `id()` is part of `call`."""
    if call not in _MADE:
        if len(_MADE) >= REMEMBERED:
            _MADE.clear()
        _MADE[call] = (keep_alive, make())
    return list(_MADE[call][1])


def _identity(argument: Any) -> object:
    """An argument as part of a cache key: the `id()` of PRNG keys; the dtype, shape and bytes of an array."""
    if is_key(argument):
        return id(argument)
    array = np.asarray(argument)
    return array.dtype.str, array.shape, array.tobytes()


def cannot(eqn: Any, reason: str) -> ProblemError:
    """The fault of an operation that cannot be promoted; the message has its name."""
    return ProblemError(
        f"the reference uses {eqn.primitive.name!r}, which cannot be evaluated in float64 ({reason}): "
        "write that step with other operations"
    )


_SCATTERS = ("scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max")


def _scatter(eqn: Any, arguments: Sequence[Any]) -> Any:
    """A scatter by its public function, because the primitive holds a float32 program; None for another operation."""
    name = eqn.primitive.name.replace("-", "_")
    if name not in _SCATTERS:
        return None
    kept = ("dimension_numbers", "indices_are_sorted", "unique_indices", "mode")
    arrays = [jnp.asarray(argument) for argument in arguments]
    return getattr(jax.lax, name)(*arrays, **{key: eqn.params[key] for key in kept})


def bind(eqn: Any, arguments: Sequence[Any]) -> list[Any]:
    """The outputs of an operation, evaluated by JAX in float64. Operations on PRNG keys are evaluated once and remembered.

    Raises:
        ProblemError: where JAX cannot evaluate it in float64.
    """
    if not any(is_key(variable.aval) for variable in (*eqn.outvars, *eqn.invars)):
        return _bind(eqn, arguments)
    # Not the equation itself: the mistakes of one problem make the same keys, and draw the same numbers from them.
    call = (_operation(eqn), *(_identity(one) for one in arguments))
    return _once(call, (eqn, list(arguments)), lambda: _bind(eqn, arguments))


def _operation(eqn: Any) -> object:
    """An operation as part of a cache key: the same in every program, unless a parameter of it cannot be compared."""
    call = (eqn.primitive, *eqn.params.items())
    try:
        hash(call)
    except TypeError:
        return id(eqn)
    return call


def _bind(eqn: Any, arguments: Sequence[Any]) -> list[Any]:
    params = dict(eqn.params)
    params.update({name: promoted(params[name]) for name in _DTYPE_PARAMS if params.get(name) is not None})
    try:
        with jax.enable_x64(True):
            outputs = _scatter(eqn, arguments)
            if outputs is None:
                outputs = eqn.primitive.bind(*arguments, **params)
    except (TypeError, ValueError, NotImplementedError, jax.errors.JaxRuntimeError) as error:
        raise cannot(eqn, (str(error).strip().splitlines() or [type(error).__name__])[0]) from error
    listed = list(outputs) if eqn.primitive.multiple_results else [outputs]
    return [output if is_key(output) else np.asarray(output) for output in listed]


Rule = Callable[..., Array]


def rule_of(eqn: Any) -> tuple[Rule, dict[str, Any]] | None:
    """The rule of an operation and its parameters; None where it has no rule, or a parameter that its rule does not know.

    Raises:
        ProblemError: where a parameter that the rule needs is missing.
    """
    name = eqn.primitive.name
    rule = RULES.get(name)
    known = PARAMETERS.get(name, ())
    if rule is None or asks_for(eqn, known):
        return None
    if missing := [parameter for parameter in known if parameter not in eqn.params]:
        raise unknown(eqn, f"it has no parameter {missing[0]!r}")
    return rule, {parameter: eqn.params[parameter] for parameter in known}
