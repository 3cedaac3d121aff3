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

from grader.jaxpr.compat import sampler
from grader.marking.comparison import Array


@dataclass(frozen=True)
class Lowered:
    """Programs as one, ready for the compiler, and the numbers of their draws."""

    lowered: jax.stages.Lowered
    drawn: Sequence[Sequence[Array]]

    def compile(self) -> Callable[[], Sequence[jax.Array]]:
        """The compiled programs: a function that gives the output of each."""
        compiled = self.lowered.compile()
        return lambda: compiled(self.drawn)


def lower(programs: Sequence[core.ClosedJaxpr]) -> Lowered:
    """Lower programs without inputs, with one output each, as one program. Their draws are made."""
    parts = [_without_draws(program) for program in programs]

    def run(drawn: Sequence[Sequence[Any]]) -> list[Any]:
        return [core.jaxpr_as_fun(part)(*numbers)[0] for (part, _), numbers in zip(parts, drawn, strict=True)]

    drawn = [numbers for _, numbers in parts]
    return Lowered(jax.jit(run).lower(drawn), drawn)


def _without_draws(program: core.ClosedJaxpr) -> tuple[core.ClosedJaxpr, Sequence[Array]]:
    if not any(sampler(eqn) for eqn in program.jaxpr.eqns):
        return program, ()
    from grader.jaxpr.hoist import hoist  # here and not above: its imports take as long as many an answer compiles

    hoisted = hoist(program)
    return hoisted.program, hoisted.drawn
