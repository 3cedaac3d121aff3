"""What JAX does not document about its programs, or changes between versions: one function for each fact.

Each fact is read from the shapes of an equation and of its inner programs where that is enough, since shapes are public
and stay. `tests/jaxpr/test_compat.py` has a test for each function; a version of JAX that changes a fact fails there first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax

from grader.jaxpr.prng import is_key
from grader.kit.problem import ProblemError

_CALLS = frozenset(
    (
        *("jit", "pjit", "closed_call", "core_call", "eval_jaxpr", "remat", "remat2", "checkpoint", "custom_lin"),
        *("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "custom_vmap_call"),
    )
)
"""Primitives that only call the one program that they hold: JAX 0.10 to 0.12, and their older names."""

_PARAMETERS_WITHOUT_EFFECT = frozenset(
    ("accuracy", "sharding", "out_sharding", "precision", "weak_type", "index_dtype")
)
"""Parameters that do not change a value in float64. The dtype of an index is that of the output variable."""


def unknown(equation: Any, reason: str) -> ProblemError:
    """The fault of an operation that is not as this module expects it."""
    return ProblemError(
        f"{equation.primitive.name!r} of jax {jax.__version__} is not as this grader knows it ({reason}): "
        "install the jax that `python -m grader doctor` names, or write that step with other operations"
    )


def open_program(program: Any) -> tuple[Any, Sequence[Any]]:
    """The equations of a program and the values of its constants.

    Until JAX 0.11 an inner program is a `ClosedJaxpr` or, in some primitives, a bare `Jaxpr`; since 0.12 one class is both.
    """
    jaxpr = getattr(program, "jaxpr", program)
    return jaxpr, getattr(program, "consts", ())


def inner_programs(equation: Any) -> Iterator[tuple[str, int | None, Any]]:
    """The programs that an equation holds: the name of the parameter, the index where it is a sequence, the program."""
    for name, value in equation.params.items():
        if hasattr(value, "eqns"):
            yield name, None, value
        elif isinstance(value, (tuple, list)):
            yield from ((name, index, one) for index, one in enumerate(value) if hasattr(one, "eqns"))


def replace_inner_program(equation: Any, name: str, index: int | None, program: Any) -> Any:
    """The equation with another program at a place that `inner_programs` gave."""
    params = dict(equation.params)
    if index is None:
        params[name] = program
    else:
        params[name] = tuple(program if at == index else one for at, one in enumerate(params[name]))
    return equation.replace(params=params)


def is_call(equation: Any) -> bool:
    """Whether an equation only calls a program: the same inputs go in, the same outputs come out."""
    return equation.primitive.name in _CALLS


def called_program(equation: Any) -> Any:
    """The program that a call calls.

    Raises:
        ProblemError: where it holds none, several, or one that takes something else.
    """
    programs = [program for _, _, program in inner_programs(equation)]
    if len(programs) != 1:
        raise unknown(equation, f"it holds {len(programs)} programs, not one")
    jaxpr, _ = open_program(programs[0])
    if (len(jaxpr.invars), len(jaxpr.outvars)) != (len(equation.invars), len(equation.outvars)):
        raise unknown(equation, "its program takes other inputs than it does")
    return programs[0]


@dataclass(frozen=True)
class Scan:
    """A scan. `body` takes `constants` inputs, then `carried`, then one slice of each sequence."""

    body: Any
    constants: int
    carried: int
    length: int
    reverse: bool


def scan(equation: Any) -> Scan:
    """What a scan does.

    How many inputs are constants, carried and sequences is `num_consts` and `num_carry` until JAX 0.11 and a private tree
    since 0.12; here it follows from the shapes: a sequence has one axis more outside the body than within.

    Raises:
        ProblemError: where the parameters or the shapes are not those of a scan.
    """
    try:
        body, length, reverse = (equation.params[name] for name in ("jaxpr", "length", "reverse"))
        jaxpr, _ = open_program(body)
        # A value is carried, or one slice of a stacked output; a stacked output has one axis more than its slice.
        stacked = [
            len(out.aval.shape) - len(inner.aval.shape) for out, inner in _pairs(equation.outvars, jaxpr.outvars)
        ]
        sliced = [
            len(given.aval.shape) - len(inner.aval.shape) for given, inner in _pairs(equation.invars, jaxpr.invars)
        ]
    except (KeyError, AttributeError, ValueError) as error:
        raise unknown(equation, f"{type(error).__name__}: {error}") from error
    carried, sequences = stacked.count(0), sliced.count(1)
    constants = len(sliced) - carried - sequences
    in_order = stacked == sorted(stacked) and sliced == sorted(sliced) and {*stacked, *sliced} <= {0, 1}
    if not in_order or constants < 0:
        raise unknown(equation, "its inputs are not constants, carried values and sequences, in this order")
    carry = zip(jaxpr.invars[constants : constants + carried], jaxpr.outvars[:carried], strict=True)
    if any((given.aval.shape, given.aval.dtype) != (out.aval.shape, out.aval.dtype) for given, out in carry):
        raise unknown(equation, "what goes into a round is not of the form that comes out of it")
    return Scan(body, constants, carried, length, bool(reverse))


def _pairs(outer: Sequence[Any], inner: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(outer, inner, strict=True)


@dataclass(frozen=True)
class While:
    """A while loop. `condition` and `body` each take their constants, then the state."""

    condition: Any
    body: Any
    condition_constants: int
    body_constants: int


def while_loop(equation: Any) -> While:
    """What a while loop does. How many inputs are constants follows from how many the state and each program have.

    Raises:
        ProblemError: where the parameters are not those of a while loop.
    """
    try:
        condition, body = equation.params["cond_jaxpr"], equation.params["body_jaxpr"]
    except KeyError as error:
        raise unknown(equation, f"it has no parameter {error}") from error
    state = len(equation.outvars)
    constants = [len(open_program(program)[0].invars) - state for program in (condition, body)]
    if min(constants) < 0 or sum(constants) + state != len(equation.invars):
        raise unknown(equation, "its inputs are not constants and a state")
    return While(condition, body, *constants)


def branches(equation: Any) -> Sequence[Any]:
    """The programs that a `cond` or a `switch` chooses from, by its first input.

    Raises:
        ProblemError: where it holds none, or they do not take the other inputs.
    """
    listed = [program for name, _, program in inner_programs(equation) if name == "branches"]
    if not listed or any(len(open_program(one)[0].invars) != len(equation.invars) - 1 for one in listed):
        raise unknown(equation, "its branches do not take its inputs")
    return listed


def asks_for(equation: Any, known: Sequence[str]) -> list[str]:
    """The parameters of an equation, beyond the known ones, that may change its values. JAX writes None for no wish."""
    return [
        name
        for name, value in equation.params.items()
        if name not in known and name not in _PARAMETERS_WITHOUT_EFFECT and value is not None
    ]


def sampler(equation: Any) -> str:
    """The name of the sampler of `jax.random` that a call is (`normal`, `uniform`, ...), else nothing.

    In a program, a sampler is a call of a private function, `_normal` for `normal`; `permutation` calls `_shuffle`.
    """
    if not is_call(equation) or not any(is_key(atom.aval) for atom in equation.invars):
        return ""
    name = str(equation.params.get("name", "")).lstrip("_")
    return name if name == "shuffle" or (name and hasattr(jax.random, name)) else ""


def begins_normal(equation: Any, jaxpr: Any) -> bool:
    """Whether a draw is the first half of a normal one.

    Since JAX 0.12, the normal initialisers are `erf_inv` of a uniform draw, where they were one draw before. In float32,
    `erf_inv` is off by many last bits near the ends of the interval, so the two halves must stay one draw.
    """
    if sampler(equation) != "uniform":
        return False
    (drawn,) = equation.outvars
    readers = [other for other in jaxpr.eqns if any(atom is drawn for atom in other.invars)]
    read_elsewhere = any(atom is drawn for atom in jaxpr.outvars)
    return bool(readers) and not read_elsewhere and all(other.primitive.name == "erf_inv" for other in readers)


def ends_normal(equation: Any, jaxpr: Any) -> bool:
    """Whether an operation is the second half of a normal draw (see `begins_normal`)."""
    return equation.primitive.name == "erf_inv" and any(
        other.outvars[0] is equation.invars[0] and begins_normal(other, jaxpr) for other in jaxpr.eqns
    )


_KEEPS_KEY = frozenset(("fold_in", "key_data", "key_impl", "wrap_key_data", "clone"))


def consumes_key(equation: Any) -> bool:
    """Whether an operation uses up the keys that it takes: a draw or a split does, folding a number in does not."""
    if equation.primitive.name in ("random_split", "random_bits", "random_gamma"):
        return True
    name = sampler(equation)
    return bool(name) and name not in _KEEPS_KEY


def draws_by_index(key: Any) -> bool:
    """Whether a number drawn from a key depends on its index alone, and not on the shape of the draw.

    So it is for Threefry keys under `jax_threefry_partitionable`, JAX's default.
    """
    partitionable: Any = jax.config.jax_threefry_partitionable  # pyright: ignore[reportAttributeAccessIssue]
    return str(key.dtype) == "key<fry>" and bool(partitionable)


def line_of(equation: Any, file: str) -> int:
    """The innermost line of a file that made an equation, 0 where none did."""
    traceback = getattr(equation.source_info, "traceback", None)
    frames = traceback.frames if traceback is not None else ()
    return next((frame.line_num for frame in frames if frame.file_name == file), 0)
