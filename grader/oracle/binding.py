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

from grader.prng import is_key
from grader.problem import ProblemError

_PROMOTED: dict[Any, Any] = {
    np.dtype(np.float32): np.dtype(np.float64),
    np.dtype(np.complex64): np.dtype(np.complex128),
}
_DTYPE_PARAMS = ("new_dtype", "preferred_element_type", "dtype")


def promoted(dtype: Any) -> Any:
    """float32 -> float64, complex64 -> complex128, anything else (a key's dtype too) as it is."""
    if not isinstance(dtype, np.dtype) and not (isinstance(dtype, type) and issubclass(dtype, np.generic)):
        return dtype
    return _PROMOTED.get(np.dtype(dtype), np.dtype(dtype))


def is_draw(equation: Any) -> bool:
    """Whether a call is a sampler of `jax.random` (`_normal`, `_uniform`, ... as they stand in a jaxpr).

    The names are JAX's own and private; `tests/oracle/test_replay.py` draws from every sampler that the kit relies on.
    """
    name = str(equation.params.get("name", "")).lstrip("_")
    takes_key = any(is_key(atom.aval) for atom in equation.invars)
    return takes_key and (name == "shuffle" or hasattr(jax.random, name))


def uses_up(equation: Any) -> bool:
    """Whether an operation uses up the keys that it takes: a draw or a split does, folding a number in does not."""
    if equation.primitive.name in ("random_split", "random_bits"):
        return True
    kept = ("fold_in", "key_data", "key_impl", "wrap_key_data", "clone")
    return is_draw(equation) and str(equation.params["name"]).lstrip("_") not in kept


def line_of(equation: Any, file: str) -> int:
    """The innermost line of a file that made an equation, 0 where none did.

    Where an equation comes from is not part of JAX's public interface; `tests/author/test_sites.py` holds this against
    the text of a reference.
    """
    traceback = equation.source_info.traceback
    frames = traceback.frames if traceback is not None else ()
    return next((frame.line_num for frame in frames if frame.file_name == file), 0)


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
    if wide:
        compiled = _wide(equation.params["name"], equation.outvars[0].aval.dtype)
    else:
        compiled = _compiled(equation.params["jaxpr"])

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
    "_normal": lambda key, dtype: jax.random.normal(key, (WIDE,), dtype),
    "_uniform": lambda key, dtype, low, high: jax.random.uniform(key, (WIDE,), dtype, low, high),
    "_truncated_normal": lambda key, dtype, low, high: jax.random.truncated_normal(key, low, high, (WIDE,), dtype),
    "_randint": lambda key, dtype, low, high: jax.random.randint(key, (WIDE,), low, high, dtype),
    "_bernoulli": lambda key, dtype, p: jax.random.bernoulli(key, p, (WIDE,)),
}
"""Samplers as they stand in a jaxpr, and a draw of many numbers from the same arguments."""


def _fits_wide(equation: Any) -> bool:
    """Whether a draw is a part of one compiled draw of `WIDE` numbers, so that its own shape need not be compiled.

    With `jax_threefry_partitionable`, JAX's default, a number depends on the key and its index alone, not on the shape;
    `tests/oracle/test_replay.py` holds the two against each other.
    """
    (output, *others), (key, *bounds) = equation.outvars, equation.invars
    return (
        equation.params["name"] in _WIDE
        and not others
        and key.aval.shape == ()
        and str(key.aval.dtype) == "key<fry>"
        and all(bound.aval.shape == () for bound in bounds)
        and output.aval.dtype in (np.float32, np.int32, np.bool_)
        and math.prod(output.aval.shape) <= WIDE
        and bool(jax.config.jax_threefry_partitionable)  # pyright: ignore[reportAttributeAccessIssue]
    )


@functools.cache
def _wide(name: str, dtype: Any) -> Callable[..., Sequence[Any]]:
    return jax.jit(lambda key, *bounds: (_WIDE[name](key, dtype, *bounds),))


REMEMBERED = 5000
_MADE: dict[tuple[Any, ...], tuple[Any, list[Any]]] = {}


def _once(called: tuple[Any, ...], held: Any, make: Callable[[], list[Any]]) -> list[Any]:
    """What was made before for the same call; `held` keeps alive what the call is told by the identity of."""
    if called not in _MADE:
        if len(_MADE) >= REMEMBERED:
            _MADE.clear()
        _MADE[called] = (held, make())
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
