"""Compares the programs of an answer with what a problem asks of them: operations, sizes of values, and length."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from jax.extend import core

from grader.jaxpr.compat import inner_programs, line_of, open_program
from grader.marking.asked import FAMILIES, GROWS, GROWTH, HOLDS, LACKS, LARGE, Asked, Breach

SPARE = 8
"""Operations that a program for a larger size may have on top of its share."""


def breach(programs: Sequence[core.ClosedJaxpr | None], asked: Asked, filename: str) -> Breach | None:
    """The first breach: of an operation that is forbidden, of one that is missing, of a size. None if all is as asked."""
    for family in asked.forbids:
        for program in programs:
            if (eqn := next(_of_family(program, family), None)) is not None:
                return Breach(HOLDS, family, line_of(eqn, filename))
    for family in asked.needs:
        if not all(any(True for _ in _of_family(program, family)) for program in programs):
            return Breach(LACKS, family)
    for case, (program, most) in enumerate(zip(programs, asked.largest, strict=False)):
        if (found := _too_large(program, most, filename)) is not None:
            line, shape = found
            return Breach(LARGE, line=line, shape=shape, case=case)
    return None


def growth(small: core.ClosedJaxpr | None, large: core.ClosedJaxpr | None, asked: Asked) -> Breach | None:
    """The breach of a program that is too long for `FACTOR` times the size; None if it is not."""
    lengths = length(small), length(large)
    if not asked.grows or lengths[1] <= GROWTH[asked.grows] * lengths[0] + SPARE:
        return None
    return Breach(GROWS, case=asked.which, lengths=lengths)


def length(program: core.ClosedJaxpr | None) -> int:
    """How many operations a program has, with those of its loops and calls, each counted once."""
    return sum(1 for _ in operations(program))


def operations(program: Any) -> Iterator[Any]:
    """The equations of a program, each before those of the programs that it holds; none where JAX computes nothing."""
    for eqn in () if program is None else open_program(program)[0].eqns:
        yield eqn
        for _, inner in inner_programs(eqn):
            yield from operations(inner)


def _of_family(program: core.ClosedJaxpr | None, family: str) -> Iterator[Any]:
    return (eqn for eqn in operations(program) if eqn.primitive.name in FAMILIES[family].primitives)


def _too_large(program: core.ClosedJaxpr | None, most: int, filename: str) -> tuple[int, tuple[int, ...]] | None:
    """The line and the shape of the largest value with more than `most` elements; None if there is none."""
    found: tuple[int, tuple[int, ...]] | None = None
    largest = most
    for constant in () if program is None else program.consts:
        if math.prod(shape := tuple(getattr(constant, "shape", ()))) > largest:
            found, largest = (0, shape), math.prod(shape)
    for eqn in operations(program):
        for out in eqn.outvars:
            if math.prod(shape := tuple(getattr(out.aval, "shape", ()))) > largest:
                found, largest = (line_of(eqn, filename), shape), math.prod(shape)
    return found
