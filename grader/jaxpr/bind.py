"""One operation of a jaxpr: by its rule in NumPy or as JAX itself evaluates it. Arithmetic in float64, draws in float32."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr.compat import asks_for, called_program, sampler, unknown
from grader.jaxpr.prng import is_key
from grader.jaxpr.wide import by_element, fits_wide, numbers
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
    compiled = None if wide else _compiled(called_program(eqn))

    def make() -> list[Any]:
        with jax.enable_x64(False):
            if compiled is None:
                key, *bounds = inputs
                return [numbers(eqn, np.asarray(jax.random.key_data(key)), bounds)]
            return [output if is_key(output) else np.asarray(output) for output in compiled(*inputs)]

    forms = tuple((one.aval.shape, one.aval.dtype) for one in eqn.outvars) if wide else ()
    return _once((compiled or sampler(eqn), *forms, *(_identity(one) for one in inputs)), inputs, make)


def in_float32(eqn: Any, arguments: Sequence[Any]) -> list[Any]:
    """The outputs of an elementwise operation of one input, in float32."""
    (x,) = arguments
    flat = np.ravel(x).astype(np.float32)
    compiled = _elementwise(eqn.primitive, tuple(eqn.params.items()))

    def make() -> list[Any]:
        with jax.enable_x64(False):
            return [by_element(compiled, flat).reshape(np.shape(x))]

    return _once((compiled, _identity(flat), np.shape(x)), flat, make)


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
    return _scattering(name, tuple((key, eqn.params[key]) for key in kept))(*map(jnp.asarray, arguments))


@functools.cache
def _scattering(name: str, params: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
    # Compiled: a scatter is traced each time it is called, which takes longer than to compile it once for all replays.
    return jax.jit(functools.partial(getattr(jax.lax, name), **dict(params)))


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
