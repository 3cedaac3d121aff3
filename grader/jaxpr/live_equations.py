"""Which equations the outputs of a program depend on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jax.extend import core

from grader.jaxpr.compat import called_program, is_call, open_program

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
        if not any(eqn is one for one in live):
            if eqn.primitive.name in _LOOPS:
                yield eqn
        elif is_call(eqn):
            yield from dead_loops(open_program(called_program(eqn))[0])
