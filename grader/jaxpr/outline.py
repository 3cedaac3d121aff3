"""What can be asked about a program as JAX traces it: its live equations, its operations, its length, its largest value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from jax.extend import core

from grader.jaxpr.compat import called_program, inner_programs, is_call, line_of, open_program
from grader.values.outline import FAMILIES, Outline

_LOOPS = ("while", "scan")


def live_equations(jaxpr: Any) -> list[Any]:
    """The equations that the outputs depend on, or that have effects, in their order."""
    wanted = {atom for atom in jaxpr.outvars if not isinstance(atom, core.Literal)}
    live: list[Any] = []
    for eqn in reversed(jaxpr.eqns):
        if eqn.effects or not wanted.isdisjoint(eqn.outvars):
            live.append(eqn)
            wanted.update(atom for atom in eqn.invars if not isinstance(atom, core.Literal))
    return live[::-1]


def dead_loops(jaxpr: Any) -> Iterator[Any]:
    """The loops that the outputs do not depend on. JAX removes a loop of which nothing is used, also an endless one.

    When JAX traces a loop, it forwards a carried value that no round changes. So a loop that changes nothing has no outputs.
    """
    live = live_equations(jaxpr)
    for eqn in jaxpr.eqns:
        if not any(eqn is live_eqn for live_eqn in live):
            if eqn.primitive.name in _LOOPS:
                yield eqn
        elif is_call(eqn):
            yield from dead_loops(open_program(called_program(eqn))[0])


def outline(program: core.ClosedJaxpr | None, filename: str) -> Outline:
    """The outline of a program.

    Args:
        program: None where JAX computes nothing.
        filename: the name of the answer's own lines.
    """
    length, holds, largest, line = 0, dict[str, int](), (0,), 0
    for constant in () if program is None else program.consts:
        if math.prod(shape := _shape(constant)) > math.prod(largest):
            largest = shape
    for eqn in _operations(program):
        length += 1
        for family, kind in FAMILIES.items():
            if eqn.primitive.name in kind.primitives and family not in holds:
                holds[family] = line_of(eqn, filename)
        for out in eqn.outvars:
            if math.prod(shape := _shape(out.aval)) > math.prod(largest):
                largest, line = shape, line_of(eqn, filename)
    return Outline(length, holds, largest, line)


def acting(program: core.ClosedJaxpr, *, several: bool = False) -> set[str]:
    """The families that do something in a program: a loop of one round and what one device sends to itself do not.

    Args:
        several: whether it runs on several devices.
    """
    found = set[str]()
    for eqn in open_program(program)[0].eqns:
        mesh = eqn.params.get("mesh")
        among = several if mesh is None else mesh.size > 1
        for family, kind in FAMILIES.items():
            acts = (among or not kind.among_devices) and eqn.params.get("length", 2) > 1
            if acts and eqn.primitive.name in kind.primitives:
                found.add(family)
        found = found.union(*(acting(inner, several=among) for _, inner in inner_programs(eqn)))
    return found


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(getattr(value, "shape", ()))


def _operations(program: Any) -> Iterator[Any]:
    """The equations of a program, each before those of the programs that it holds."""
    for eqn in () if program is None else open_program(program)[0].eqns:
        yield eqn
        for _, inner in inner_programs(eqn):
            yield from _operations(inner)
