"""Lowers programs for the compiler as one, without their draws of random numbers, which are made before."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.extend import core
from jax.random import bernoulli, normal, randint, truncated_normal, uniform

from grader.jaxpr.compat import (
    called_program,
    compiled_quickly,
    devices_of,
    draws_by_index,
    form_of,
    inner_programs,
    is_call,
    is_key,
    open_program,
    part_of,
    sampler,
    settings_of_traces,
)
from grader.jaxpr.encode import Encoder
from grader.jaxpr.outline import live_equations
from grader.program.data import NotAProgram
from grader.program.evaluate import Evaluation
from grader.program.keys import bits, unwrap, wrap
from grader.values.arrays import Array

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

_OFTEN: dict[str, tuple[Any, ...]] = {
    "uniform": (np.float32, np.float32(0), np.float32(1)),
    "truncated_normal": (np.float32, np.float32(-2), np.float32(2)),
    "randint": (np.int32, np.int32(0), np.int32(2)),
    "bernoulli": (np.bool_, np.float32(0.5)),
}
"""The dtype and the bounds that a draw mostly has."""


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


def wide_numbers(eqn: Any, key: Array, bounds: Sequence[Array]) -> Array:
    """The numbers of a draw that fits (see `fits_wide`), from a key's two words of 32 bits. They are those of JAX."""
    (output,) = eqn.outvars
    name, size = sampler(eqn), math.prod(output.aval.shape)
    if name == "normal":
        flat = _normal(key, size)
    elif name == "uniform" and [float(bound) for bound in bounds] == [0.0, 1.0]:
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


def get_ready(name: str) -> None:
    """Compile the draw of a name of `_DRAWS` with the dtypes that it mostly has."""
    if name == "normal":
        erf_inv(np.zeros(0, np.float32))
        return
    dtype, *bounds = _OFTEN[name]
    with jax.enable_x64(False):
        _compiled(name, np.dtype(dtype))(np.zeros(2, np.uint32), *bounds)


@functools.cache
def _compiled(name: str, dtype: Any) -> Callable[..., Any]:
    def wide(key: Any, *bounds: Any) -> Any:
        return _DRAWS[name](jax.random.wrap_key_data(key, impl="threefry2x32"), (NUMBERS_IN_A_DRAW,), dtype, *bounds)

    return jax.jit(wide)


def own_program(eqn: Any) -> Any:
    """The program that `jax.random` itself calls for a draw of this form."""
    (output,) = eqn.outvars
    inputs = tuple(form_of(atom.aval) for atom in eqn.invars)
    return _own_program(sampler(eqn), output.aval.shape, output.aval.dtype, inputs, settings_of_traces())


@functools.cache
def _own_program(
    name: str, shape: tuple[int, ...], dtype: Any, inputs: tuple[tuple[Any, bool], ...], settings: tuple[Any, ...]
) -> Any:
    """It is another object under other settings."""

    def drawn(key: Any, *bounds: Any) -> Any:
        return _DRAWS[name](key, shape, dtype, *bounds)

    forms = [jax.ShapeDtypeStruct((), input_, weak_type=weak) for input_, weak in inputs]
    traced = jax.make_jaxpr(drawn)(*forms)
    return next(called_program(eqn) for eqn in traced.jaxpr.eqns if sampler(eqn) == name)


@dataclass(frozen=True)
class Hoisted:
    """A program that takes the numbers of draws as inputs, and these numbers, an array for each input."""

    program: core.ClosedJaxpr
    drawn: Sequence[Array] = ()


def hoist(program: core.ClosedJaxpr) -> Hoisted:
    """Make the draws of a program that are known before it runs: those from keys and bounds that follow from whole numbers.

    Draws inside a loop or a function stay in the program, and so do all where NumPy cannot tell what they draw from.

    Args:
        program: a program without inputs.
    """
    known = _known(program.jaxpr)
    live = live_equations(program.jaxpr)
    draws = [eqn for eqn in live if fits_wide(eqn) and known.issuperset(_variables(eqn)) and _is_of_jax(eqn)]
    if not draws:
        return Hoisted(program)
    inputs = [eqn.outvars[0] for eqn in draws]
    wanted = (
        variable for eqn in draws for variable in (eqn.outvars if known.issuperset(eqn.outvars) else _variables(eqn))
    )
    try:
        values = _values(program, list(dict.fromkeys(wanted)))
    except NotAProgram:
        return Hoisted(program)
    drawn = [_made(eqn, values) for eqn in draws]
    made = {id(eqn) for eqn in draws}
    rest = part_of(program, inputs, [eqn for eqn in live if id(eqn) not in made], program.jaxpr.outvars)
    return Hoisted(part_of(rest, inputs, live_equations(rest.jaxpr), program.jaxpr.outvars), drawn)


def _variables(eqn: Any) -> list[Any]:
    return [atom for atom in eqn.invars if not isinstance(atom, core.Literal)]


def _known(jaxpr: Any) -> set[Any]:
    """The variables that follow from whole numbers. NumPy gives the same keys and whole numbers as JAX does."""
    known = {variable for variable in jaxpr.constvars if _is_whole(variable.aval)}
    for eqn in jaxpr.eqns:
        if known.issuperset(_variables(eqn)) and _of_whole_numbers(eqn):
            known.update(eqn.outvars)
    return known


def _is_whole(aval: Any) -> bool:
    return is_key(aval) or np.dtype(aval.dtype).kind in "iub"


def _of_whole_numbers(eqn: Any) -> bool:
    """Whether an equation gives keys and whole numbers, by nothing else than such numbers and no loop."""
    programs = [open_program(program)[0] for _, program in inner_programs(eqn)]
    return (
        not eqn.effects
        and all(_is_whole(variable.aval) for variable in eqn.outvars)
        and (
            not programs
            or (is_call(eqn) and all(_of_whole_numbers(equation) for inner in programs for equation in inner.eqns))
        )
    )


def _is_of_jax(eqn: Any) -> bool:
    """Whether a draw is one of `jax.random`, and not a function of the same name that somebody else wrote.

    JAX traces a function of its own once for each form of its inputs, so both equations hold the same program.
    """
    return called_program(eqn) is own_program(eqn)


def _values(program: core.ClosedJaxpr, variables: Sequence[Any]) -> dict[Any, Array]:
    """The values of variables that follow from whole numbers."""
    leading = part_of(program, (), program.jaxpr.eqns, variables)
    leading = part_of(leading, (), live_equations(leading.jaxpr), variables)
    outputs = Evaluation(Encoder("").program(leading)).outputs()
    return dict(zip(variables, outputs, strict=True))


def _made(eqn: Any, values: Mapping[Any, Array]) -> Array:
    """The numbers of a draw, given its own values or those of its inputs."""
    (output,), (key, *bounds) = eqn.outvars, eqn.invars
    if output in values:
        return values[output].astype(output.aval.dtype)
    given = [bound.val if isinstance(bound, core.Literal) else values[bound] for bound in bounds]
    return wide_numbers(
        eqn, unwrap(values[key]), [np.asarray(value, b.aval.dtype) for value, b in zip(given, bounds, strict=True)]
    )


@dataclass(frozen=True)
class Lowered:
    """Programs as one, ready for the compiler, and the numbers of their draws. `places` are those of its programs."""

    lowered: jax.stages.Lowered
    drawn: Sequence[Sequence[Array]]
    places: Sequence[int]


@dataclass(frozen=True)
class Together:
    """Programs that are compiled together: as one, or as several where they run on other devices, as JAX asks."""

    groups: Sequence[Lowered]

    def compile(self) -> Sequence[jax.stages.Compiled]:
        """The programs, compiled."""
        return [compiled_quickly(group.lowered) for group in self.groups]

    def outputs(self) -> Sequence[jax.Array]:
        """The output of each program."""
        return self.run(self.compile())

    def run(self, compiled: Sequence[jax.stages.Compiled]) -> Sequence[jax.Array]:
        """The output of each program, once they are compiled."""
        outputs = dict[int, jax.Array]()
        for group, call in zip(self.groups, compiled, strict=True):
            outputs.update(zip(group.places, call(group.drawn), strict=True))
        return jax.block_until_ready([outputs[place] for place in range(len(outputs))])


def lower(programs: Sequence[core.ClosedJaxpr]) -> Together:
    """Lower programs without inputs, with one output each, to compile them together. Their draws are made."""
    places: dict[frozenset[int], list[int]] = {}
    for place, program in enumerate(programs):
        places.setdefault(devices_of(program.jaxpr) - {0}, []).append(place)
    return Together([_lower([programs[place] for place in group], group) for group in places.values()])


def _lower(programs: Sequence[core.ClosedJaxpr], places: Sequence[int]) -> Lowered:
    parts = [_without_draws(program) for program in programs]

    def run(drawn: Sequence[Sequence[Any]]) -> list[Any]:
        return [core.jaxpr_as_fun(part)(*numbers)[0] for (part, _), numbers in zip(parts, drawn, strict=True)]

    drawn = [numbers for _, numbers in parts]
    return Lowered(jax.jit(run).lower(drawn), drawn, places)


def _without_draws(program: core.ClosedJaxpr) -> tuple[core.ClosedJaxpr, Sequence[Array]]:
    if not any(sampler(eqn) for eqn in program.jaxpr.eqns):
        return program, ()
    hoisted = hoist(program)
    return hoisted.program, hoisted.drawn
