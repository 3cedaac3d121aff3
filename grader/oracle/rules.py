"""JAX's primitives in NumPy: the operations common in references, without a compiler in between.

An operation missing here is bound in JAX itself, so this table is about speed and never about coverage. The tests hold
every rule against JAX's own float64 result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.oracle.binding import promoted

Array = npt.NDArray[Any]
Params = Mapping[str, Any]
Rule = Callable[..., Array]


def quiet() -> np.errstate:
    """No warnings: what divides by zero is seen in the values."""
    return np.errstate(all="ignore")


def _elementwise(function: Callable[..., Array]) -> Rule:
    return lambda params, *arguments: function(*arguments)


def _reduce(function: Callable[..., Array]) -> Rule:
    return lambda params, x: function(x, axis=tuple(params["axes"]))


def _reduce_extreme(function: Callable[..., Array], sign: int) -> Rule:
    """max or min; of nothing, the value that changes no other."""

    def rule(params: Params, x: Array) -> Array:
        if x.dtype.kind == "f":
            neutral: Any = -sign * np.inf
        else:
            limits = np.iinfo(x.dtype) if x.dtype.kind in "iu" else None
            neutral = sign < 0 if limits is None else limits.min if sign > 0 else limits.max
        return function(x, axis=tuple(params["axes"]), initial=neutral)

    return rule


def _cumulate(function: Callable[..., Array]) -> Rule:
    def rule(params: Params, x: Array) -> Array:
        axis = params["axis"]
        if params["reverse"]:
            return np.flip(function(np.flip(x, axis), axis=axis), axis)
        return function(x, axis=axis)

    return rule


def _div(params: Params, x: Array, y: Array) -> Array:
    if x.dtype.kind in "fc":
        return np.divide(x, y)
    return np.where(y == 0, -1, np.trunc(np.divide(x, np.where(y == 0, 1, y)))).astype(x.dtype)


def _rem(params: Params, x: Array, y: Array) -> Array:
    return np.fmod(x, y) if x.dtype.kind == "f" else np.where(y == 0, x, np.fmod(x, np.where(y == 0, 1, y)))


def _round(params: Params, x: Array) -> Array:
    half_to_even = int(params["rounding_method"]) == 1
    return np.rint(x) if half_to_even else np.copysign(np.floor(np.abs(x) + 0.5), x)


def _select(params: Params, which: Array, *cases: Array) -> Array:
    if which.dtype == np.bool_:
        return np.where(which, cases[1], cases[0])
    return np.choose(which, cases)


def _convert(params: Params, x: Array) -> Array:
    dtype = promoted(params["new_dtype"])
    if x.dtype.kind == "f" and dtype.kind in "iu":
        # XLA saturates, and NaN becomes 0; NumPy leaves both undefined.
        limits = np.iinfo(dtype)
        held = np.clip(np.nan_to_num(np.trunc(x), posinf=np.inf, neginf=-np.inf), float(limits.min), float(limits.max))
        return np.where(held >= float(limits.max), limits.max, held).astype(dtype)
    return x.astype(dtype)


def _broadcast(params: Params, x: Array) -> Array:
    shape, kept = params["shape"], params["broadcast_dimensions"]
    sizes = [1] * len(shape)
    for axis, size in zip(kept, x.shape, strict=True):
        sizes[axis] = size
    return np.broadcast_to(x.reshape(sizes), shape)


def _slice(params: Params, x: Array) -> Array:
    strides = params["strides"] or (1,) * x.ndim
    limits = zip(params["start_indices"], params["limit_indices"], strides, strict=True)
    return x[tuple(slice(start, stop, step) for start, stop, step in limits)]


def _iota(params: Params) -> Array:
    shape, axis = params["shape"], params["dimension"]
    column = [1] * len(shape)
    column[axis] = shape[axis]
    return np.broadcast_to(np.arange(shape[axis]).reshape(column), shape).astype(params["dtype"])


def _dot(params: Params, x: Array, y: Array) -> Array:
    """Batch axes first, then those of `x` that are kept, then those of `y`: a product of matrices, or a stack of them."""
    (contract_x, contract_y), (batch_x, batch_y) = params["dimension_numbers"]
    if params["preferred_element_type"] is not None:
        x, y = (side.astype(promoted(params["preferred_element_type"])) for side in (x, y))
    kept_x = [axis for axis in range(x.ndim) if axis not in contract_x and axis not in batch_x]
    kept_y = [axis for axis in range(y.ndim) if axis not in contract_y and axis not in batch_y]
    stack, rows, columns = (
        [side.shape[axis] for axis in axes] for side, axes in ((x, batch_x), (x, kept_x), (y, kept_y))
    )
    terms = math.prod(x.shape[axis] for axis in contract_x)
    left = x.transpose((*batch_x, *kept_x, *contract_x)).reshape((*stack, math.prod(rows), terms))
    right = y.transpose((*batch_y, *contract_y, *kept_y)).reshape((*stack, terms, math.prod(columns)))
    return np.matmul(left, right).reshape((*stack, *rows, *columns))


def _dynamic_slice(params: Params, x: Array, *starts: Array) -> Array:
    return x[_window(x.shape, starts, params["slice_sizes"])]


def _dynamic_update_slice(params: Params, x: Array, update: Array, *starts: Array) -> Array:
    result = x.copy()
    result[_window(x.shape, starts, update.shape)] = update
    return result


def _window(shape: Sequence[int], starts: Sequence[Array], sizes: Sequence[int]) -> tuple[slice, ...]:
    clamped = [min(max(int(start), 0), n - size) for start, n, size in zip(starts, shape, sizes, strict=True)]
    return tuple(slice(start, start + size) for start, size in zip(clamped, sizes, strict=True))


RULES: dict[str, Rule] = {
    **{name: _elementwise(getattr(np, name)) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: _elementwise(getattr(np, name)) for name in ("exp", "exp2", "log", "log1p", "expm1", "sqrt", "cbrt")},
    **{name: _elementwise(getattr(np, name)) for name in ("sign", "floor", "ceil", "square", "real", "imag", "conj")},
    "add": _elementwise(np.add),
    "add_any": _elementwise(np.add),
    "sub": _elementwise(np.subtract),
    "mul": _elementwise(np.multiply),
    "div": _div,
    "rem": _rem,
    "neg": _elementwise(np.negative),
    "abs": _elementwise(np.abs),
    "pow": _elementwise(np.power),
    "integer_pow": lambda params, x: x ** np.asarray(params["y"], x.dtype),
    "rsqrt": lambda params, x: 1.0 / np.sqrt(x),
    "logistic": lambda params, x: 1.0 / (1.0 + np.exp(-x)),
    "atan2": _elementwise(np.arctan2),
    "asin": _elementwise(np.arcsin),
    "acos": _elementwise(np.arccos),
    "atan": _elementwise(np.arctan),
    "max": _elementwise(np.maximum),
    "min": _elementwise(np.minimum),
    "eq": _elementwise(np.equal),
    "ne": _elementwise(np.not_equal),
    "lt": _elementwise(np.less),
    "le": _elementwise(np.less_equal),
    "gt": _elementwise(np.greater),
    "ge": _elementwise(np.greater_equal),
    "and": _elementwise(np.bitwise_and),
    "or": _elementwise(np.bitwise_or),
    "xor": _elementwise(np.bitwise_xor),
    "not": _elementwise(np.invert),
    "is_finite": _elementwise(np.isfinite),
    "round": _round,
    "clamp": lambda params, low, x, high: np.minimum(np.maximum(x, low), high),
    "select_n": _select,
    "convert_element_type": _convert,
    "copy": lambda params, x: x,
    "stop_gradient": lambda params, x: x,
    "reshape": lambda params, x: x.reshape(params["new_sizes"]),
    "broadcast_in_dim": _broadcast,
    "transpose": lambda params, x: np.transpose(x, params["permutation"]),
    "squeeze": lambda params, x: np.squeeze(x, tuple(params["dimensions"])),
    "expand_dims": lambda params, x: np.expand_dims(x, tuple(params["dimensions"])),
    "rev": lambda params, x: np.flip(x, tuple(params["dimensions"])),
    "slice": _slice,
    "concatenate": lambda params, *xs: np.concatenate(xs, axis=params["dimension"]),
    "iota": _iota,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "reduce_sum": _reduce(np.sum),
    "reduce_max": _reduce_extreme(np.max, 1),
    "reduce_min": _reduce_extreme(np.min, -1),
    "reduce_prod": _reduce(np.prod),
    "reduce_and": _reduce(np.bitwise_and.reduce),
    "reduce_or": _reduce(np.bitwise_or.reduce),
    "argmax": lambda params, x: np.asarray(np.argmax(x, axis=params["axes"][0])),
    "argmin": lambda params, x: np.asarray(np.argmin(x, axis=params["axes"][0])),
    "cumsum": _cumulate(np.cumsum),
    "cumprod": _cumulate(np.cumprod),
    "cummax": _cumulate(np.maximum.accumulate),
    "cummin": _cumulate(np.minimum.accumulate),
    "dot_general": _dot,
}

SUMS = frozenset(("reduce_sum", "cumsum", "dot_general", "conv_general_dilated", "scatter-add", "reduce_window_sum"))
"""Sums of products: their rounding error is relative to the sum of absolute terms, and not to their result."""

EXACT = frozenset(
    (
        *("abs", "and", "argmax", "argmin", "bitcast_convert_type", "broadcast_in_dim", "ceil", "clamp", "concatenate"),
        *("conj", "convert_element_type", "copy", "cummax", "cummin", "dynamic_slice", "dynamic_update_slice", "eq"),
        *("expand_dims", "floor", "gather", "ge", "gt", "imag", "iota", "is_finite", "le", "lt", "max", "min", "ne"),
        *("neg", "not", "or", "pad", "real", "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reshape", "rev"),
        *("round", "scatter", "select_and_gather_add", "select_n", "sign", "slice", "sort", "split", "squeeze"),
        *("stop_gradient", "top_k", "transpose", "xor"),
    )
)
"""Moves of data and choices between values, which round nothing."""
