"""Lowers programs for the compiler as one, without their draws of random numbers, which are made before.

A compiler takes longer for the draws than for the rest of many a program, and compiles each shape by itself. Draws that are
made before share what is compiled for them (see `wide_draws.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
from jax.extend import core

from grader.jaxpr.compat import devices_of, sampler
from grader.marking.comparison import Array


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

    def compile(self) -> Callable[[], Sequence[jax.Array]]:
        """The compiled programs: a function that gives the output of each."""
        compiled = [one.lowered.compile() for one in self.groups]

        def run() -> Sequence[jax.Array]:
            outputs = dict[int, jax.Array]()
            for one, call in zip(self.groups, compiled, strict=True):
                outputs.update(zip(one.places, call(one.drawn), strict=True))
            return [outputs[place] for place in range(len(outputs))]

        return run


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
    from grader.jaxpr.hoist import hoist  # here and not above: its imports take as long as many an answer compiles

    hoisted = hoist(program)
    return hoisted.program, hoisted.drawn
