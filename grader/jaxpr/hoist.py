"""Takes the draws of random numbers out of a program, and makes them before it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend import core

from grader.jaxpr.compat import called_program, inner_programs, is_call, is_key, open_program, part_of
from grader.jaxpr.encode import Encoder
from grader.jaxpr.live_equations import live_equations
from grader.jaxpr.wide_draws import fits_wide, numbers, own_program
from grader.marking.comparison import Array
from grader.program.data import NotAProgram
from grader.program.evaluate import Evaluation
from grader.program.keys import unwrap


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
    wanted = (one for eqn in draws for one in (eqn.outvars if known.issuperset(eqn.outvars) else _variables(eqn)))
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
        and (not programs or (is_call(eqn) and all(_of_whole_numbers(one) for inner in programs for one in inner.eqns)))
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
    given = [one.val if isinstance(one, core.Literal) else values[one] for one in bounds]
    return numbers(
        eqn, unwrap(values[key]), [np.asarray(one, b.aval.dtype) for one, b in zip(given, bounds, strict=True)]
    )
