"""Every operation that a program may hold, by name, with the parameters that its rule takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grader.marking.judge import Array
from grader.program import keys, moves
from grader.program.data import DTYPES
from grader.program.rules import PARAMETERS, RULES

Rule = Callable[..., Any]


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


def _cumlogsumexp(x: Array, *, axis: int, reverse: bool) -> Array:
    flipped = np.flip(x, axis) if reverse else x
    result = np.logaddexp.accumulate(flipped, axis=axis)
    return np.flip(result, axis) if reverse else result


_MORE: dict[str, Rule] = {
    "gather": moves.gather,
    "scatter": moves.scatter,
    **{
        f"scatter-{name}": lambda operand, indices, updates, *, dimension_numbers, mode, combine=combine: moves.scatter(
            operand, indices, updates, dimension_numbers=dimension_numbers, mode=mode, combine=combine
        )
        for name, combine in {
            "add": "add",
            "sub": "subtract",
            "mul": "multiply",
            "min": "minimum",
            "max": "maximum",
        }.items()
    },
    "pad": moves.pad,
    "sort": moves.sort,
    "top_k": moves.top_k,
    "split": moves.split,
    "unstack": moves.unstack,
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
    "cumlogsumexp": _cumlogsumexp,
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
"""Rules beside those of `rules.py`: operations that move values, and those on PRNG keys and on bits."""


def known_parameters(operation: str) -> tuple[str, ...] | None:
    """The parameters that the rule of an operation takes; None for an operation without a rule."""
    if operation in RULES:
        return PARAMETERS.get(operation, ())
    if operation not in _MORE:
        return None
    return _OF_MORE[operation]


_OF_MORE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_MORE, ()),
    "gather": ("dimension_numbers", "slice_sizes", "mode", "fill_value"),
    **{name: ("dimension_numbers", "mode") for name in _MORE if name.startswith("scatter")},
    "pad": ("padding_config",),
    "sort": ("dimension", "is_stable", "num_keys"),
    "top_k": ("k", "axis"),
    "split": ("sizes", "axis"),
    "unstack": ("axis",),
    "tile": ("reps",),
    "cumlogsumexp": ("axis", "reverse"),
    "bitcast_convert_type": ("new_dtype",),
    "random_split": ("shape",),
    "random_bits": ("bit_width", "shape"),
}


OPERATIONS: Mapping[str, Rule] = {**RULES, **_MORE}
"""The rule of every operation."""
