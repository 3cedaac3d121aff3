"""What a problem may ask of a program beyond its values: operations, sizes of values, and how its length grows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jax.extend import core

from grader.jaxpr.compat import inner_programs, line_of, open_program

FAMILIES: Mapping[str, frozenset[str]] = {
    "scan": frozenset(("scan",)),
    "while": frozenset(("while",)),
    "remat": frozenset(("remat", "remat2", "checkpoint")),
    "pallas": frozenset(("pallas_call",)),
    "shard_map": frozenset(("shard_map",)),
    "psum": frozenset(("psum", "psum2", "psum_invariant")),
}
"""The names that primitives of one kind have in different versions of JAX. A `fori_loop` of a known length is a scan."""

LACKS, HOLDS, LARGE, GROWS = "lacks", "holds", "large", "grows"
FACTOR = 4
"""How many times larger a size is in the second trace, where a problem asks how the length grows."""
_MOST = {"no": 1.1, "log": 2.0}
"""How many times longer that trace may be. One that grows with the size is about `FACTOR` times longer."""
SPARE = 8
"""Operations that it may have on top of that."""


@dataclass(frozen=True)
class Asked:
    """What is asked of the programs of an answer, one for each case.

    Attributes:
        needs, forbids: families of primitives.
        largest: the most elements of a value, for each case; empty where any size will do.
        grows: "no", "log", or empty where any length will do.
    """

    needs: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    largest: tuple[int, ...] = ()
    grows: str = ""


@dataclass(frozen=True)
class Breach:
    """How programs are not as asked.

    Attributes:
        kind: LACKS, HOLDS, LARGE or GROWS.
        family: the family that is missing or that is there.
        line: the line of the answer; 0 where none is known.
        shape: of the largest value.
        case: the index of its case.
        lengths: of the trace for a size, and for `FACTOR` times that size.
    """

    kind: str
    family: str = ""
    line: int = 0
    shape: tuple[int, ...] = ()
    case: int = -1
    lengths: tuple[int, int] = (0, 0)


def breach(programs: Sequence[core.ClosedJaxpr], asked: Asked, filename: str) -> Breach | None:
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


def growth(small: core.ClosedJaxpr, large: core.ClosedJaxpr, asked: Asked) -> Breach | None:
    """The breach of a program that is too long for `FACTOR` times the size; None if it is not."""
    lengths = length(small), length(large)
    if not asked.grows or lengths[1] <= _MOST[asked.grows] * lengths[0] + SPARE:
        return None
    return Breach(GROWS, lengths=lengths)


def length(program: core.ClosedJaxpr) -> int:
    """How many operations a program has, with those of its loops and calls, each counted once."""
    return sum(1 for _ in operations(program))


def operations(program: Any) -> Iterator[Any]:
    """The equations of a program, each before those of the programs that it holds."""
    for eqn in open_program(program)[0].eqns:
        yield eqn
        for _, inner in inner_programs(eqn):
            yield from operations(inner)


def _of_family(program: core.ClosedJaxpr, family: str) -> Iterator[Any]:
    return (eqn for eqn in operations(program) if eqn.primitive.name in FAMILIES[family])


def _too_large(program: core.ClosedJaxpr, most: int, filename: str) -> tuple[int, tuple[int, ...]] | None:
    """The line and the shape of the largest value with more than `most` elements; None if there is none."""
    found: tuple[int, tuple[int, ...]] | None = None
    largest = most
    for constant in program.consts:
        if math.prod(shape := tuple(getattr(constant, "shape", ()))) > largest:
            found, largest = (0, shape), math.prod(shape)
    for eqn in operations(program):
        for out in eqn.outvars:
            if math.prod(shape := tuple(getattr(out.aval, "shape", ()))) > largest:
                found, largest = (line_of(eqn, filename), shape), math.prod(shape)
    return found
