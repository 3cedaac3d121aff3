"""One operation as JAX itself evaluates it: in float64, or a draw as it stands."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr.compat import called_program, draws_by_index, sampler
from grader.jaxpr.prng import is_key
from grader.kit.problem import ProblemError

_PROMOTED: dict[Any, Any] = {
    np.dtype(np.float32): np.dtype(np.float64),
    np.dtype(np.complex64): np.dtype(np.complex128),
}
_DTYPE_PARAMS = ("new_dtype", "preferred_element_type", "dtype", "out_dtype")


def promoted(dtype: Any) -> Any:
    """float32 -> float64, complex64 -> complex128, anything else (a key's dtype too) as it is."""
    if not isinstance(dtype, np.dtype) and not (isinstance(dtype, type) and issubclass(dtype, np.generic)):
        return dtype
    return _PROMOTED.get(np.dtype(dtype), np.dtype(dtype))


@functools.lru_cache(maxsize=4096)
def _compiled(draw: core.ClosedJaxpr) -> Callable[..., Sequence[Any]]:
    """A draw, compiled. Those that read the same are the same, unless they close over numbers that their text hides."""
    compiled = jax.jit(core.jaxpr_as_fun(draw))
    return compiled if draw.consts else _BY_TEXT.setdefault(str(draw), compiled)


_BY_TEXT: dict[str, Callable[..., Sequence[Any]]] = {}


def draw(equation: Any, arguments: Sequence[Any]) -> list[Any]:
    """A draw of `jax.random` as it stands in the program, in float32: an answer must see the very same inputs.

    The same draw from the same key is made once: it is asked for in every replay.
    """
    given = [
        argument if is_key(argument) else np.asarray(argument, atom.aval.dtype)
        for argument, atom in zip(arguments, equation.invars, strict=True)
    ]
    wide = _fits_wide(equation)
    compiled = _wide(sampler(equation), equation.outvars[0].aval.dtype) if wide else _compiled(called_program(equation))

    def make() -> list[Any]:
        with jax.enable_x64(False):
            outputs = compiled(*given)
        if wide:
            shape = equation.outvars[0].aval.shape
            return [np.asarray(outputs[0])[: math.prod(shape)].reshape(shape)]
        return [output if is_key(output) else np.asarray(output) for output in outputs]

    return _once(
        (compiled, *(variable.aval.shape for variable in equation.outvars if wide), *(_mark(one) for one in given)),
        given,
        make,
    )


WIDE = 4096
_WIDE: dict[str, Callable[..., Any]] = {
    "normal": lambda key, dtype: jax.random.normal(key, (WIDE,), dtype),
    "uniform": lambda key, dtype, low, high: jax.random.uniform(key, (WIDE,), dtype, low, high),
    "truncated_normal": lambda key, dtype, low, high: jax.random.truncated_normal(key, low, high, (WIDE,), dtype),
    "randint": lambda key, dtype, low, high: jax.random.randint(key, (WIDE,), low, high, dtype),
    "bernoulli": lambda key, dtype, p: jax.random.bernoulli(key, p, (WIDE,)),
}
"""Samplers by name, and a draw of many numbers from the same arguments."""


def _fits_wide(equation: Any) -> bool:
    """Whether a draw is a part of one compiled draw of `WIDE` numbers, so that its own shape need not be compiled.

    `tests/oracle/test_replay.py` compares the two.
    """
    (output, *others), (key, *bounds) = equation.outvars, equation.invars
    return (
        sampler(equation) in _WIDE
        and not others
        and key.aval.shape == ()
        and draws_by_index(key.aval)
        and all(bound.aval.shape == () for bound in bounds)
        and output.aval.dtype in (np.float32, np.int32, np.bool_)
        and math.prod(output.aval.shape) <= WIDE
    )


@functools.cache
def _wide(name: str, dtype: Any) -> Callable[..., Sequence[Any]]:
    return jax.jit(lambda key, *bounds: (_WIDE[name](key, dtype, *bounds),))


def in_float32(equation: Any, arguments: Sequence[Any]) -> list[Any]:
    """An operation on each number by itself, as it stands in the program: in float32."""
    (x,) = arguments
    flat = np.ravel(x).astype(np.float32)
    wide = np.resize(flat, max(WIDE, flat.size)) if flat.size else np.zeros(WIDE, np.float32)
    compiled = _alone(equation.primitive, tuple(equation.params.items()))

    def make() -> list[Any]:
        with jax.enable_x64(False):
            return [np.asarray(compiled(wide))[: flat.size].reshape(np.shape(x))]

    return _once((compiled, _mark(wide), np.shape(x)), wide, make)


@functools.cache
def _alone(primitive: core.Primitive, params: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
    return jax.jit(lambda x: primitive.bind(x, **dict(params)))


REMEMBERED = 5000
_MADE: dict[tuple[Any, ...], tuple[Any, list[Any]]] = {}


def _once(called: tuple[Any, ...], keep_alive: Any, make: Callable[[], list[Any]]) -> list[Any]:
    """What was made before for the same call. `keep_alive` holds objects whose `id()` is part of the cache key."""
    if called not in _MADE:
        if len(_MADE) >= REMEMBERED:
            _MADE.clear()
        _MADE[called] = (keep_alive, make())
    return list(_MADE[called][1])


def _mark(argument: Any) -> object:
    """What tells an argument from others: a key by its identity, which `bind` keeps, an array by its bytes."""
    if is_key(argument):
        return id(argument)
    array = np.asarray(argument)
    return array.dtype.str, array.shape, array.tobytes()


def cannot(equation: Any, reason: str) -> ProblemError:
    """The fault of an operation that cannot be promoted, by its name."""
    return ProblemError(
        f"the reference uses {equation.primitive.name!r}, which cannot be evaluated in float64 ({reason}): "
        "write that step with other operations"
    )


_SCATTERS = ("scatter", "scatter_add", "scatter_mul", "scatter_min", "scatter_max")


def _scatter(equation: Any, arguments: Sequence[Any]) -> Any:
    """A scatter by its public function: the primitive itself carries a float32 program for its updates."""
    name = equation.primitive.name.replace("-", "_")
    if name not in _SCATTERS:
        return None
    kept = ("dimension_numbers", "indices_are_sorted", "unique_indices", "mode")
    arrays = [jnp.asarray(argument) for argument in arguments]
    return getattr(jax.lax, name)(*arrays, **{key: equation.params[key] for key in kept})


def bind(equation: Any, arguments: Sequence[Any]) -> list[Any]:
    """The operation as JAX itself evaluates it in float64. What makes or takes apart keys is done once."""
    if not any(is_key(variable.aval) for variable in (*equation.outvars, *equation.invars)):
        return _bind(equation, arguments)
    called = (id(equation), *(_mark(one) for one in arguments))
    return _once(called, (equation, list(arguments)), lambda: _bind(equation, arguments))


def _bind(equation: Any, arguments: Sequence[Any]) -> list[Any]:
    params = dict(equation.params)
    params.update({name: promoted(params[name]) for name in _DTYPE_PARAMS if params.get(name) is not None})
    try:
        with jax.enable_x64(True):
            outputs = _scatter(equation, arguments)
            if outputs is None:
                outputs = equation.primitive.bind(*arguments, **params)
    except (TypeError, ValueError, NotImplementedError, jax.errors.JaxRuntimeError) as error:
        raise cannot(equation, (str(error).strip().splitlines() or [type(error).__name__])[0]) from error
    listed = list(outputs) if equation.primitive.multiple_results else [outputs]
    return [output if is_key(output) else np.asarray(output) for output in listed]
