"""Draws of `jax.random` whose numbers depend on their index alone: each is the beginning of a wide draw.

JAX would compile each shape by itself. A wide draw is compiled once for each sampler, and a normal one not even that: NumPy
makes its uniform numbers, and only `erf_inv` is compiled.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.random import bernoulli, normal, randint, truncated_normal, uniform

from grader.jaxpr.compat import called_program, draws_by_index, form_of, sampler
from grader.marking.comparison import Array
from grader.program.keys import bits, wrap

NUMBERS_IN_A_DRAW = 4096
"""Numbers in one wide draw."""

_DRAWS: dict[str, Callable[..., Any]] = {
    "normal": lambda key, shape, dtype: normal(key, shape, dtype),
    "uniform": lambda key, shape, dtype, low, high: uniform(key, shape, dtype, low, high),
    "truncated_normal": lambda key, shape, dtype, low, high: truncated_normal(key, low, high, shape, dtype),
    "randint": lambda key, shape, dtype, low, high: randint(key, shape, low, high, dtype),
    "bernoulli": lambda key, shape, dtype, p: bernoulli(key, p, shape),
}
"""A draw of numbers that each depend on their index alone, by the name of its sampler."""


def fits_wide(eqn: Any) -> bool:
    """Whether an equation draws the first numbers of a wide draw from the same key and bounds."""
    if sampler(eqn) not in _DRAWS:
        return False
    (output, *others), (key, *bounds) = eqn.outvars, eqn.invars
    return (
        not others
        and key.aval.shape == ()
        and draws_by_index(key.aval)
        and all(bound.aval.shape == () for bound in bounds)
        and output.aval.dtype in (np.float32, np.int32, np.bool_)
        and math.prod(output.aval.shape) <= NUMBERS_IN_A_DRAW
    )


def numbers(eqn: Any, key: Array, bounds: Sequence[Array]) -> Array:
    """The numbers of a draw that fits (see `fits_wide`), from a key's two words of 32 bits. They are those of JAX."""
    (output,) = eqn.outvars
    name, size = sampler(eqn), math.prod(output.aval.shape)
    if name == "normal":
        flat = _normal(key, size)
    elif name == "uniform" and [float(one) for one in bounds] == [0.0, 1.0]:
        flat = _uniform(key, size)
    else:
        with jax.enable_x64(False):
            flat = np.asarray(_compiled(name, output.aval.dtype)(key, *bounds))[:size]
    return flat.reshape(output.aval.shape)


def _uniform(key: Array, size: int) -> Array:
    """Numbers of [0, 1) in float32: 23 random bits are the fraction of a number of [1, 2), less one. No step rounds."""
    drawn = bits(wrap(key), bit_width=32, shape=(size,))
    return ((drawn >> np.uint32(9)) | np.uint32(0x3F800000)).view(np.float32) - np.float32(1)


def _normal(key: Array, size: int) -> Array:
    """`sqrt(2) * erf_inv(u)`, with `u` uniform between -1 and 1: the inverse of the normal distribution, in float32."""
    low, high = np.nextafter(np.float32(-1), np.float32(0)), np.float32(1)
    u = np.maximum(low, _uniform(key, size) * (high - low) + low)
    return np.float32(math.sqrt(2)) * erf_inv(u)


def erf_inv(x: Array) -> Array:
    """The inverse error function of an array of float32 of shape (n,). Small arrays are padded: each shape would compile."""
    wide = np.resize(x, max(NUMBERS_IN_A_DRAW, x.size)) if x.size else np.zeros(NUMBERS_IN_A_DRAW, x.dtype)
    with jax.enable_x64(False):
        return np.asarray(_erf_inv(wide))[: x.size]


_erf_inv = jax.jit(jax.lax.erf_inv)


@functools.cache
def _compiled(name: str, dtype: Any) -> Callable[..., Any]:
    def wide(key: Any, *bounds: Any) -> Any:
        return _DRAWS[name](jax.random.wrap_key_data(key, impl="threefry2x32"), (NUMBERS_IN_A_DRAW,), dtype, *bounds)

    return jax.jit(wide)


def own_program(eqn: Any) -> Any:
    """The program that `jax.random` itself calls for a draw of this form."""
    (output,) = eqn.outvars
    inputs = tuple(form_of(atom.aval) for atom in eqn.invars)
    return _own_program(sampler(eqn), output.aval.shape, output.aval.dtype, inputs)


@functools.cache
def _own_program(name: str, shape: tuple[int, ...], dtype: Any, inputs: tuple[tuple[Any, bool], ...]) -> Any:
    def drawn(key: Any, *bounds: Any) -> Any:
        return _DRAWS[name](key, shape, dtype, *bounds)

    forms = [jax.ShapeDtypeStruct((), one, weak_type=weak) for one, weak in inputs]
    traced = jax.make_jaxpr(drawn)(*forms)
    return next(called_program(one) for one in traced.jaxpr.eqns if sampler(one) == name)
