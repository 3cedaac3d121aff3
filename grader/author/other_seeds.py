"""Other seeds of a problem's cases: the chosen seeds may hide, by chance, what most others show."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from grader.kit.problem import Case

SEEDS = 16
"""How many other seeds each size is tried with."""


def other_seeds(cases: Sequence[Case]) -> Iterator[Case]:
    """The sizes of the cases with `SEEDS` other seeds each, sizes in the order of the cases."""
    for sizes in dict.fromkeys(case[1:] for case in cases):
        others = (seed for seed in itertools.count() if (seed, *sizes) not in cases)
        yield from ((seed, *sizes) for seed in itertools.islice(others, SEEDS))


def advice(parameters: Sequence[str], cases: Sequence[Case], probe: Case) -> str:
    """What to do with a call beyond the cases that shows what no case does: take its seed, or add it."""
    if all(case[1:] != probe[1:] for case in cases):
        return f"the case {probe} would, so add it"
    return f"{seed_of(parameters, probe)} does, so take it"


def seed_of(parameters: Sequence[str], case: Case) -> str:
    """The seed of a call, and its sizes by name."""
    sizes = ", ".join(f"{name}={value}" for name, value in zip(parameters[1:], case[1:], strict=True))
    return f"{parameters[0]} {case[0]}{sizes and f' of the case {sizes}'}"
