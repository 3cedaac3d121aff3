"""What JAX itself computes of a trusted program: draws of random numbers, and operations that have no rule in NumPy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend import core

from grader.jaxpr.compat import called_program, is_key, sampler
from grader.jaxpr.lower import erf_inv, fits_wide, wide_numbers
from grader.program.data import TRUSTED, Equation, NotAProgram
from grader.program.keys import unwrap, wrap
from grader.values.arrays import Array

_DTYPE_PARAMS = ("new_dtype", "preferred_element_type", "dtype", "out_dtype")

MOST_RESULTS_KEPT = 5000
"""Results that are kept; when there are more, all are forgotten."""

_MADE: dict[tuple[Any, ...], list[Array]] = {}


def _once(call: tuple[Any, ...], make: Callable[[], list[Array]]) -> list[Array]:
    """What `make` gave for the same call before: every evaluation of a reference, and of its mistakes, asks for it again."""
    if call not in _MADE:
        if len(_MADE) >= MOST_RESULTS_KEPT:
            _MADE.clear()
        _MADE[call] = make()
    return list(_MADE[call])


def _identity(array: Array) -> tuple[str, tuple[int, ...], bytes]:
    return array.dtype.str, array.shape, array.tobytes()


def draw(equation: Equation, inputs: Sequence[Array]) -> list[Array]:
    """The outputs of a draw of `jax.random` in float32, because an answer draws in float32 too. Keys are uint64."""
    eqn = equation.parameters[TRUSTED]
    given = [
        x if is_key(atom.aval) else np.asarray(x, atom.aval.dtype) for x, atom in zip(inputs, eqn.invars, strict=True)
    ]
    wide = fits_wide(eqn)
    compiled = None if wide else _compiled(called_program(eqn))

    def make() -> list[Array]:
        if compiled is None:
            key, *bounds = given
            return [wide_numbers(eqn, unwrap(key), bounds)]
        with jax.enable_x64(False):
            keys = [_key(x) if is_key(atom.aval) else x for x, atom in zip(given, eqn.invars, strict=True)]
            outputs = map(_held, compiled(*keys))
            return [
                output.astype(np.float32) if jnp.issubdtype(output.dtype, jnp.floating) else output
                for output in outputs
            ]

    forms = tuple((outvar.aval.shape, outvar.aval.dtype) for outvar in eqn.outvars) if wide else ()
    return _once((compiled or sampler(eqn), *forms, *map(_identity, given)), make)


@functools.lru_cache(maxsize=4096)
def _compiled(drawn: core.ClosedJaxpr) -> Callable[..., Sequence[Any]]:
    return jax.jit(core.jaxpr_as_fun(drawn))


def end_normal(x: Array) -> Array:
    """The second half of a normal draw, of any shape, in float32."""
    return _once(("erf_inv", *_identity(x)), lambda: [erf_inv(np.ravel(x)).reshape(x.shape)])[0]


def bind(equation: Equation, inputs: Sequence[Array]) -> list[Array]:
    """The outputs of an operation without a rule, evaluated by JAX in float64.

    Raises:
        NotAProgram: where JAX cannot evaluate it in float64. The message has its name.
    """
    eqn = equation.parameters[TRUSTED]
    params = dict(eqn.params)
    params.update({name: _wide(params[name]) for name in _DTYPE_PARAMS if params.get(name) is not None})
    given = [_key(x) if is_key(atom.aval) else x for x, atom in zip(inputs, eqn.invars, strict=True)]
    try:
        with jax.enable_x64(True):
            outputs = _scatter(eqn, given)
            if outputs is None:
                outputs = eqn.primitive.bind(*given, **params)
    except (TypeError, ValueError, NotImplementedError, jax.errors.JaxRuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise NotAProgram(f"it uses {eqn.primitive.name!r}, which JAX cannot evaluate in float64 ({reason})") from error
    return [_held(output) for output in (outputs if eqn.primitive.multiple_results else [outputs])]


def _wide(dtype: Any) -> Any:
    """The dtype in which an operation is evaluated: float64 for every real float, also for those of 16 bits."""
    if jnp.issubdtype(dtype, jnp.floating):
        return np.dtype(np.float64)
    return np.dtype(np.complex128) if jnp.issubdtype(dtype, jnp.complexfloating) else dtype


def _key(words: Array) -> Any:
    return jax.random.wrap_key_data(jnp.asarray(unwrap(words)), impl="threefry2x32")


def _held(output: Any) -> Array:
    """A result of JAX as an array of NumPy; a key as one uint64."""
    return wrap(np.asarray(jax.random.key_data(output))) if is_key(output) else np.asarray(output)


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
    # Compiled: a scatter is traced each time it is called, which takes longer than to compile it once for all evaluations.
    return jax.jit(functools.partial(getattr(jax.lax, name), **dict(params)))
