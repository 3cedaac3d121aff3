"""JAX's primitives in NumPy: every operation that a program may hold is a row of `RULES`, with parameters and costs."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.program import devices, factors, indexing, keys
from grader.program.data import DRAWS, DTYPES, LARGEST_ARRAY, Equation, NotAProgram, holding, promoted, require
from grader.values.arrays import Array

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
    "reshard": lambda x: x,
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
    **{name: getattr(factors, name) for name in ("lu", "triangular_solve", "cholesky", "svd")},
    "random_seed": keys.seed,
    "random_wrap": keys.wrap,
    "random_unwrap": keys.unwrap,
    "random_split": keys.split,
    "random_fold_in": keys.fold_in,
    "random_clone": lambda key: key,
    "random_bits": keys.bits,
    **devices.RULES,
}
"""The rule of every operation that a program may hold."""


def _parameters(rule: Rule) -> tuple[str, ...]:
    if isinstance(rule, np.ufunc):
        return ()
    listed = inspect.signature(rule).parameters.values()
    return tuple(
        parameter.name
        for parameter in listed
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty
    )


PARAMETERS: Mapping[str, tuple[str, ...]] = {name: _parameters(rule) for name, rule in RULES.items()}
"""The parameters that each rule knows, by the name of the operation."""

SUMS = frozenset(
    (
        *("reduce_sum", "cumsum", "dot_general", "conv_general_dilated", "scatter-add", "reduce_window_sum"),
        *("device_psum", "device_reduce_scatter"),
    )
)
"""Sums of products: their rounding error is relative to the sum of the absolute terms, and not to the result."""

EXACT = frozenset(
    (
        *("abs", "and", "argmax", "argmin", "bitcast_convert_type", "broadcast_in_dim", "ceil", "clamp", "concatenate"),
        *("conj", "convert_element_type", "copy", "cummax", "cummin", "dynamic_slice", "dynamic_update_slice", "eq"),
        *("expand_dims", "floor", "gather", "ge", "gt", "imag", "iota", "is_finite", "le", "lt", "max", "min", "ne"),
        *(
            "neg",
            "not",
            "or",
            "pad",
            "real",
            "reduce_and",
            "reduce_max",
            "reduce_min",
            "reduce_or",
            "reshape",
            "reshard",
        ),
        *("rev", "round", "scatter", "select_and_gather_add", "select_n", "sign", "slice", "sort", "split", "squeeze"),
        *("stack", "stop_gradient", "tile", "top_k", "transpose", "unstack", "xor"),
        *(devices.RULES.keys() - {"device_psum", "device_reduce_scatter"}),
    )
)
"""Operations that move or choose values and round nothing."""


def checked(equation: Equation) -> dict[str, Any]:
    """The parameters of an equation as its rule takes them: a dtype in place of its name.

    Raises:
        NotAProgram: if the operation has no rule, or takes other parameters, or parameters of other types.
    """
    known, rule = PARAMETERS.get(equation.operation), RULES.get(equation.operation)
    if isinstance(rule, np.ufunc) and len(equation.inputs) != rule.nin:
        raise NotAProgram(f"{equation.operation!r} takes another number of values")
    if known is None or set(equation.parameters) != set(known):
        raise NotAProgram(f"{equation.operation[:40]!r} is not known with these parameters")
    for name, value in equation.parameters.items():
        if not _TYPES[name](value):
            raise NotAProgram(f"{equation.operation!r} does not take such a {name!r}")
    if equation.operation == "bitcast_convert_type":
        return dict(equation.parameters)
    return {name: _dtype(value) if name in _DTYPES else value for name, value in equation.parameters.items()}


def _dtype(name: str | None) -> np.dtype[Any] | None:
    # The rules compute halves in more bits. Their results are rounded where they are kept.
    return None if name is None else holding(name, wide=False)


def _whole(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 31


def _truth(value: Any) -> bool:
    return type(value) is bool


def _wholes(value: Any) -> bool:
    return type(value) is list and len(value) <= 64 and all(map(_whole, value))


def _lists_of_wholes(value: Any) -> bool:
    return type(value) is list and len(value) <= MOST_DEVICES and all(map(_wholes, value))


def _named(value: Any) -> bool:
    return type(value) is str and value in DTYPES and value != "key"


def _none_or(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or check(value)


def _dimensions(value: Any) -> bool:
    """Whether these are dimension numbers: named lists for `gather` and `scatter`, two pairs of lists for `dot_general`."""
    if type(value) is dict:
        return all(map(_wholes, value.values()))
    return type(value) is list and all(type(pair) is list and all(map(_wholes, pair)) for pair in value)


_DTYPES = ("new_dtype", "preferred_element_type", "dtype")

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("axis", "bit_width", "dimension", "k", "num_keys", "rounding_method", "y"), _whole),
    **dict.fromkeys(("split_axis", "concat_axis"), _whole),
    **dict.fromkeys(("is_stable", "reverse", "left_side", "lower", "transpose_a", "conjugate_a", "tiled"), _truth),
    **dict.fromkeys(("unit_diagonal", "full_matrices", "compute_uv"), _truth),
    **dict.fromkeys(
        ("axes", "broadcast_dimensions", "dimensions", "limit_indices", "new_sizes", "permutation"), _wholes
    ),
    **dict.fromkeys(("reps", "shape", "slice_sizes", "start_indices", "mesh", "argument"), _wholes),
    **dict.fromkeys(("spec", "perm"), _lists_of_wholes),
    "strides": _none_or(_wholes),
    # As many as there are outputs, which may be more than an array has axes.
    "sizes": lambda value: type(value) is list and all(map(_whole, value)),
    "padding_config": lambda value: (
        type(value) is list and all(_wholes(padding) and len(padding) == 3 for padding in value)
    ),
    "dimension_numbers": _dimensions,
    "mode": lambda value: type(value) is str,
    "fill_value": _none_or(lambda value: type(value) in (bool, int, float)),
    "new_dtype": _named,
    "preferred_element_type": _none_or(_named),
    "dtype": _named,
}
"""For each parameter, whether a value is of its type."""

MOST_DEVICES = 64
"""The most devices of one mesh."""

MOST_WORK = 100_000_000
"""The most work of one evaluation, in elements that are read or written. A slow operation counts several times."""

MOST_STEPS = 100_000
"""The most equations that one evaluation may take, in all rounds of all loops. A round counts as one too."""

MOST_BYTES_HELD = 1 << 28
"""The most bytes of all values at one time."""

MOST_KEYS_CONSUMED = 100_000
"""The most keys that draws and splits consume."""

LONGEST_LOOP = 100_000
"""The most rounds of one loop."""

_SLOW: Mapping[str, int] = {
    **dict.fromkeys(("erf", "erfc", "erf_inv", "lgamma"), 20),
    **dict.fromkeys(("random_bits", "random_split", "random_fold_in", *DRAWS), 50),
    **dict.fromkeys(("sort", "top_k", "cumlogsumexp"), 30),
    **dict.fromkeys(("lu", "triangular_solve", "cholesky", "svd"), 100),
    **dict.fromkeys(("gather", "scatter", "pow", "sin", "cos", "tan", "integer_pow"), 5),
    **dict.fromkeys(("scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max"), 20),
}
"""How often an element counts, once if it is not said here."""

_JOINED = frozenset(
    ("concatenate", "stack", "sort", "dynamic_slice", "dynamic_update_slice", "unstack", "triangular_solve")
)
"""Operations whose inputs have shapes that need not fit each other, and which give no more than they take."""


@dataclass
class Meter:
    """Counts what one evaluation takes. Each method raises `NotAProgram` if that is too much."""

    work: int = 0
    steps: int = 0
    held: int = 0

    def step(self, values: int) -> None:
        """Count one equation or one round, which takes and gives a number of values."""
        self.steps += 1 + values // 16
        require(self.steps <= MOST_STEPS, "it takes more steps than are allowed")

    def hold(self, equation: Equation) -> None:
        """Count the values that an equation will give as memory, and as work if its blocks give them."""
        self.held += sum(math.prod(form.shape) * holding(form.dtype, wide=True).itemsize for form in equation.forms)
        require(self.held <= MOST_BYTES_HELD, "it holds more values than are allowed")
        if equation.blocks:
            self.spend(equation.operation, sum(math.prod(form.shape) for form in equation.forms))

    def spend(self, operation: str, elements: int) -> None:
        """Count elements that an operation reads or writes."""
        self.work += elements * _SLOW.get(operation, 1)
        require(self.work <= MOST_WORK, "it is more work than is allowed")

    def compute(self, equation: Equation, inputs: Sequence[Array], parameters: Mapping[str, Any]) -> None:
        """Count the work of an operation, before it is done."""
        largest = _largest(equation, inputs, parameters)
        require(largest <= LARGEST_ARRAY, f"{equation.operation!r} gives an array that is too large")
        elements = sum(x.size for x in inputs) + sum(math.prod(form.shape) for form in equation.forms)
        if equation.operation == "dot_general":
            (contracted, _), _ = parameters["dimension_numbers"]
            elements += largest * math.prod(inputs[0].shape[axis] for axis in contracted) // 8
        self.spend(equation.operation, elements)


class Unmetered(Meter):
    """Counts nothing: for a program that was counted before, and for a reference, which may be of any size."""

    def step(self, values: int) -> None: ...

    def hold(self, equation: Equation) -> None: ...

    def spend(self, operation: str, elements: int) -> None: ...

    def compute(self, equation: Equation, inputs: Sequence[Array], parameters: Mapping[str, Any]) -> None: ...


def bounded(length: int) -> int:
    """The number of rounds of a loop.

    Raises:
        NotAProgram: if it is too large.
    """
    require(0 <= length <= LONGEST_LOOP, "a loop is too long")
    return length


def _largest(equation: Equation, inputs: Sequence[Array], parameters: Mapping[str, Any]) -> int:
    """The most elements that an operation may allocate for one array. Nothing is allocated to find out."""
    match equation.operation:
        case "broadcast_in_dim" | "iota":
            return _product(parameters["shape"])
        case "random_split" | "random_bits":
            return inputs[0].size * _product(parameters["shape"])
        case "tile":
            return inputs[0].size * _product(parameters["reps"])
        case "pad":
            lengths = zip(inputs[0].shape, parameters["padding_config"], strict=True)
            return _product([low + high + n + max(n - 1, 0) * between for n, (low, high, between) in lengths])
        case "gather":
            return _product(inputs[1].shape[:-1]) * _product(parameters["slice_sizes"])
        case "svd":
            return _product(inputs[0].shape[:-2]) * max(inputs[0].shape[-2:]) ** 2
        case "top_k":
            require(parameters["k"] <= inputs[0].shape[parameters["axis"]], "more values are taken than there are")
            return inputs[0].size
        case "split":
            require(len(parameters["sizes"]) == len(equation.forms), "an array has another number of parts")
            return inputs[0].size
        case "dot_general":
            (contracted, _), (stacked, _) = parameters["dimension_numbers"]
            x, y = (_product(input_.shape) for input_ in inputs)
            terms, stack = (_product([inputs[0].shape[axis] for axis in axes]) for axes in (contracted, stacked))
            return (x // terms) * (y // terms) // stack
        case name if name.startswith("scatter"):
            window = parameters["dimension_numbers"]["update_window_dims"]
            written = _product(inputs[1].shape[:-1]) * _product([inputs[2].shape[axis] for axis in window])
            return max(written, *(x.size for x in inputs))
        case name if name in _JOINED:
            require(
                name != "unstack" or len(equation.forms) >= inputs[0].shape[parameters["axis"]],
                "an array has too many rows",
            )
            return sum(x.size for x in inputs)
        case _ if "mesh" in parameters:
            require(_product(parameters["mesh"]) <= MOST_DEVICES, "it has too many devices")
            return _product(parameters["mesh"]) * max((_product(x.shape) for x in inputs), default=1)
        case _:
            # Rules by element spread their inputs along each other's axes.
            shapes = {x.shape for x in inputs if x.ndim}
            return (
                _product(np.broadcast_shapes(*shapes)) if len(shapes) > 1 else max((x.size for x in inputs), default=0)
            )


def _product(shape: Sequence[int]) -> int:
    """The product of lengths; a length of zero counts as one, because the other axes may be made first."""
    return math.prod(max(length, 1) for length in shape)
