"""Other seeds of a problem's cases: the chosen seeds may hide, by chance, what most others show."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from grader.kit.problem import Case

CALLS = 96
"""How many calls on other seeds there are, spread over the sizes of the cases: each costs a trace of the reference."""

MOST_SEEDS = 16
"""The most other seeds that one size is tried with."""


def other_seeds(cases: Sequence[Case]) -> Iterator[Case]:
    """The sizes of the cases with as many other seeds each, sizes in the order of the cases."""
    listed = dict.fromkeys(case[1:] for case in cases)
    for sizes in listed:
        others = (seed for seed in itertools.count() if (seed, *sizes) not in cases)
        yield from ((seed, *sizes) for seed in itertools.islice(others, min(MOST_SEEDS, max(1, CALLS // len(listed)))))


def advice(parameters: Sequence[str], cases: Sequence[Case], probe: Case) -> str:
    """What to do with a call beyond the cases that shows what no case does: take its seed, or add it."""
    if all(case[1:] != probe[1:] for case in cases):
        return f"the case {probe} would, so add it"
    return f"{seed_of(parameters, probe)} does, so take it"


def seed_of(parameters: Sequence[str], case: Case) -> str:
    """The seed of a call, and its sizes by name."""
    sizes = ", ".join(f"{name}={value}" for name, value in zip(parameters[1:], case[1:], strict=True))
    return f"{parameters[0]} {case[0]}{sizes and f' of the case {sizes}'}"
