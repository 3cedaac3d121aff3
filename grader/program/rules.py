"""JAX's primitives in NumPy, evaluated without a compiler: every operation that a program may hold is a row of `RULES`.

A rule takes the inputs of an operation by position and its parameters by name: its signature lists the parameters that it
knows. A rule with several outputs gives a tuple. Rules that move values are in `indexing.py`, those on keys in `keys.py`.
The program of a reference needs no rule: an operation without one, or with a parameter that its rule does not know, is left
to JAX itself. The tests compare every rule with JAX's own float64 result.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader.marking.comparison import Array
from grader.program import indexing, keys
from grader.program.data import DTYPES, promoted

Rule = Callable[..., Any]


def _reduce(function: Callable[..., Array]) -> Rule:
    return lambda x, *, axes: function(x, axis=tuple(axes))


def _reduce_extreme(function: Callable[..., Array], sign: int) -> Rule:
    """max or min; of an empty axis, the neutral value, as in JAX."""

    def rule(x: Array, *, axes: Sequence[int]) -> Array:
        if x.dtype.kind == "f":
            neutral: Any = -sign * np.inf
        else:
            limits = np.iinfo(x.dtype) if x.dtype.kind in "iu" else None
            neutral = sign < 0 if limits is None else limits.min if sign > 0 else limits.max
        return function(x, axis=tuple(axes), initial=neutral)

    return rule


def _index_of(function: Callable[..., Array]) -> Rule:
    return lambda x, *, axes: np.asarray(function(x, axis=axes[0]))


def _cumulate(function: Callable[..., Array]) -> Rule:
    def rule(x: Array, *, axis: int, reverse: bool) -> Array:
        if reverse:
            return np.flip(function(np.flip(x, axis), axis=axis), axis)
        return function(x, axis=axis)

    return rule


def _div(x: Array, y: Array) -> Array:
    if x.dtype.kind in "fc":
        return np.divide(x, y)
    return np.where(y == 0, -1, np.trunc(np.divide(x, np.where(y == 0, 1, y)))).astype(x.dtype)


def _rem(x: Array, y: Array) -> Array:
    return np.fmod(x, y) if x.dtype.kind == "f" else np.where(y == 0, x, np.fmod(x, np.where(y == 0, 1, y)))


def _round(x: Array, *, rounding_method: Any) -> Array:
    half_to_even = int(rounding_method) == 1
    return np.rint(x) if half_to_even else np.copysign(np.floor(np.abs(x) + 0.5), x)


def _select(which: Array, *cases: Array) -> Array:
    if which.dtype == np.bool_:
        return np.where(which, cases[1], cases[0])
    return np.choose(which, cases, mode="clip")  # as XLA on a CPU does


def _convert(x: Array, *, new_dtype: Any) -> Array:
    dtype = promoted(new_dtype)
    if x.dtype.kind == "f" and dtype.kind in "iu":
        # XLA saturates, and NaN becomes 0; NumPy leaves both undefined.
        limits = np.iinfo(dtype)
        # A float32 does not hold the greatest int32: it rounds it up, and that is none.
        wide = np.nan_to_num(np.trunc(x.astype(np.float64)), posinf=np.inf, neginf=-np.inf)
        return np.clip(wide, limits.min, limits.max).astype(dtype)
    return x.astype(dtype)


def _broadcast(x: Array, *, shape: Sequence[int], broadcast_dimensions: Sequence[int]) -> Array:
    sizes = [1] * len(shape)
    for axis, size in zip(broadcast_dimensions, x.shape, strict=True):
        sizes[axis] = size
    spread = x.reshape(sizes)
    return spread if sizes == list(shape) else np.broadcast_to(spread, shape)


def _slice(
    x: Array, *, start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None
) -> Array:
    limits = zip(start_indices, limit_indices, strides or (1,) * x.ndim, strict=True)
    return x[tuple(slice(start, stop, step) for start, stop, step in limits)]


def _iota(*, dtype: Any, shape: Sequence[int], dimension: int) -> Array:
    column = [1] * len(shape)
    column[dimension] = shape[dimension]
    return np.broadcast_to(np.arange(shape[dimension]).reshape(column), shape).astype(dtype)


def _dot(x: Array, y: Array, *, dimension_numbers: Any, preferred_element_type: Any) -> Array:
    """A product of matrices, or of stacks of matrices: batch axes first, then the free axes of `x`, then those of `y`."""
    (contract_x, contract_y), (batch_x, batch_y) = dimension_numbers
    if preferred_element_type is not None:
        x, y = (side.astype(promoted(preferred_element_type), copy=False) for side in (x, y))
    if not batch_x and [*contract_x] == [x.ndim - 1] and [*contract_y] == [0] and y.ndim <= 2:
        return np.asarray(np.matmul(x, y))
    kept_x = [axis for axis in range(x.ndim) if axis not in contract_x and axis not in batch_x]
    kept_y = [axis for axis in range(y.ndim) if axis not in contract_y and axis not in batch_y]
    stack, rows, columns = (
        [side.shape[axis] for axis in axes] for side, axes in ((x, batch_x), (x, kept_x), (y, kept_y))
    )
    terms = math.prod(x.shape[axis] for axis in contract_x)
    left = x.transpose((*batch_x, *kept_x, *contract_x)).reshape((*stack, math.prod(rows), terms))
    right = y.transpose((*batch_y, *contract_y, *kept_y)).reshape((*stack, terms, math.prod(columns)))
    return np.matmul(left, right).reshape((*stack, *rows, *columns))


def _dynamic_slice(x: Array, *starts: Array, slice_sizes: Sequence[int]) -> Array:
    return x[_window(x.shape, starts, slice_sizes)]


def _dynamic_update_slice(x: Array, update: Array, *starts: Array) -> Array:
    result = x.copy()
    result[_window(x.shape, starts, update.shape)] = update
    return result


def _window(shape: Sequence[int], starts: Sequence[Array], sizes: Sequence[int]) -> tuple[slice, ...]:
    clamped = [min(max(int(start), 0), n - size) for start, n, size in zip(starts, shape, sizes, strict=True)]
    return tuple(slice(start, start + size) for start, size in zip(clamped, sizes, strict=True))


def _special(name: str) -> Rule:
    """A function of SciPy, which takes a fifth of a second to import: few programs need it."""

    def rule(x: Array) -> Array:
        from scipy import special

        return getattr(special, name)(x.astype(np.float64))

    return rule


def _shift(x: Array, by: Array, move: Callable[..., Array]) -> Array:
    """Shifts by the width of the type or more give zeros, as in XLA."""
    width = x.dtype.itemsize * 8
    unsigned = x.view(f"u{x.dtype.itemsize}") if move is np.right_shift else x
    moved = move(unsigned, np.minimum(by, width - 1).astype(unsigned.dtype)).astype(x.dtype)
    return np.where((by < 0) | (by >= width), np.zeros((), x.dtype), moved)


def _shift_with_sign(x: Array, by: Array) -> Array:
    """The first bit of an unsigned number counts as its sign, as in XLA."""
    width = x.dtype.itemsize * 8
    signed = x.view(f"i{x.dtype.itemsize}")
    return np.right_shift(signed, np.where((by < 0) | (by >= width), width - 1, by).astype(signed.dtype)).view(x.dtype)


def _bitcast(x: Array, *, new_dtype: str) -> Array:
    """Smaller numbers get a new last axis, and larger ones take the last axis."""
    if new_dtype == "bfloat16":
        return (x.astype(np.uint32) << np.uint32(16)).view(np.float32)  # it is the upper half of a float32
    dtype = DTYPES[new_dtype]
    if dtype.itemsize < x.dtype.itemsize:
        return np.ascontiguousarray(x[..., None]).view(dtype)
    cast = np.ascontiguousarray(x).reshape(x.shape).view(dtype)
    return cast if dtype.itemsize == x.dtype.itemsize else cast[..., 0]


_COMBINED = {"add": "add", "sub": "subtract", "mul": "multiply", "min": "minimum", "max": "maximum"}
"""The function of NumPy that combines what a scatter writes with what is there, by the end of its name."""

RULES: Mapping[str, Rule] = {
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{name: getattr(np, name) for name in ("exp", "exp2", "log", "log1p", "expm1", "sqrt", "cbrt")},
    **{name: getattr(np, name) for name in ("sign", "floor", "ceil", "square", "real", "imag", "conj")},
    "add": np.add,
    "add_any": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": _div,
    "rem": _rem,
    "neg": np.negative,
    "abs": np.abs,
    "pow": np.power,
    "integer_pow": lambda x, *, y: x ** np.asarray(y, x.dtype),
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "logistic": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "atan2": np.arctan2,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "max": np.maximum,
    "min": np.minimum,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "is_finite": np.isfinite,
    "round": _round,
    "clamp": lambda low, x, high: np.minimum(np.maximum(x, low), high),
    "select_n": _select,
    "convert_element_type": _convert,
    "copy": lambda x: x,
    "stop_gradient": lambda x: x,
    "reshape": lambda x, *, new_sizes: x.reshape(new_sizes),
    "broadcast_in_dim": _broadcast,
    "transpose": lambda x, *, permutation: np.transpose(x, permutation),
    "squeeze": lambda x, *, dimensions: np.squeeze(x, tuple(dimensions)),
    "expand_dims": lambda x, *, dimensions: np.expand_dims(x, tuple(dimensions)),
    "rev": lambda x, *, dimensions: np.flip(x, tuple(dimensions)),
    "slice": _slice,
    "concatenate": lambda *xs, dimension: np.concatenate(xs, axis=dimension),
    "stack": lambda *xs, axis: np.stack(xs, axis),
    "iota": _iota,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "reduce_sum": _reduce(np.sum),
    "reduce_max": _reduce_extreme(np.max, 1),
    "reduce_min": _reduce_extreme(np.min, -1),
    "reduce_prod": _reduce(np.prod),
    "reduce_and": _reduce(np.bitwise_and.reduce),
    "reduce_or": _reduce(np.bitwise_or.reduce),
    "argmax": _index_of(np.argmax),
    "argmin": _index_of(np.argmin),
    "cumsum": _cumulate(np.cumsum),
    "cumprod": _cumulate(np.cumprod),
    "cummax": _cumulate(np.maximum.accumulate),
    "cummin": _cumulate(np.minimum.accumulate),
    "dot_general": _dot,
    "gather": indexing.gather,
    "scatter": indexing.scatter,
    **{f"scatter-{name}": functools.partial(indexing.scatter, combine=combine) for name, combine in _COMBINED.items()},
    "pad": indexing.pad,
    "sort": indexing.sort,
    "top_k": indexing.top_k,
    "split": indexing.split,
    "unstack": indexing.unstack,
    "tile": lambda x, *, reps: np.tile(x, reps),
    "complex": lambda x, y: x + 1j * y,
    "lt_to": lambda x, y: np.where(np.isnan(x), False, np.where(np.isnan(y), True, x < y)),
    "le_to": lambda x, y: np.where(np.isnan(y), True, np.where(np.isnan(x), False, x <= y)),
    "erf": _special("erf"),
    "erfc": _special("erfc"),
    "erf_inv": _special("erfinv"),
    "lgamma": _special("gammaln"),
    "one_minus_square": lambda x: (1 - x) * (1 + x),
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "nextafter": np.nextafter,
    "cumlogsumexp": _cumulate(np.logaddexp.accumulate),
    "shift_left": lambda x, by: _shift(x, by, np.left_shift),
    "shift_right_logical": lambda x, by: _shift(x, by, np.right_shift),
    "shift_right_arithmetic": _shift_with_sign,
    "bitcast_convert_type": _bitcast,
    "random_seed": keys.seed,
    "random_wrap": keys.wrap,
    "random_unwrap": keys.unwrap,
    "random_split": keys.split,
    "random_fold_in": keys.fold_in,
    "random_clone": lambda key: key,
    "random_bits": keys.bits,
}
"""The rule of every operation that a program may hold."""


def _parameters(rule: Rule) -> tuple[str, ...]:
    if isinstance(rule, np.ufunc):
        return ()
    listed = inspect.signature(rule).parameters.values()
    return tuple(one.name for one in listed if one.kind is one.KEYWORD_ONLY and one.default is one.empty)


PARAMETERS: Mapping[str, tuple[str, ...]] = {name: _parameters(rule) for name, rule in RULES.items()}
"""The parameters that each rule knows, by the name of the operation."""


SUMS = frozenset(("reduce_sum", "cumsum", "dot_general", "conv_general_dilated", "scatter-add", "reduce_window_sum"))
"""Sums of products: their rounding error is relative to the sum of the absolute terms, and not to the result."""

EXACT = frozenset(
    (
        *("abs", "and", "argmax", "argmin", "bitcast_convert_type", "broadcast_in_dim", "ceil", "clamp", "concatenate"),
        *("conj", "convert_element_type", "copy", "cummax", "cummin", "dynamic_slice", "dynamic_update_slice", "eq"),
        *("expand_dims", "floor", "gather", "ge", "gt", "imag", "iota", "is_finite", "le", "lt", "max", "min", "ne"),
        *("neg", "not", "or", "pad", "real", "reduce_and", "reduce_max", "reduce_min", "reduce_or", "reshape", "rev"),
        *("round", "scatter", "select_and_gather_add", "select_n", "sign", "slice", "sort", "split", "squeeze"),
        *("stack", "stop_gradient", "tile", "top_k", "transpose", "unstack", "xor"),
    )
)
"""Operations that move or choose values and round nothing."""
