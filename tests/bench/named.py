"""`python -m tests.bench.named`: what share of sets of mistakes the diagnosis names, from programs and from values alone.

Every pair of mistakes of a problem is made, and random triples. Such an answer is the worked answer with these mistakes. Its
values have the rounding noise of float32. Its program gives numbers of float64, with the noise of another right order of
operations. A set is named if the diagnosis names it, or names a set that gives the same numbers in float64.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grader.jaxpr.compat import only_cpu
from grader.kit.kit import Kit
from grader.kit.mistakes import pitfall_sets
from grader.kit.problem import Problem
from grader.marking.comparison import MOST_TOLERANCES_OF_VALUES, MOST_TOLERANCES_WITH_PROGRAM
from grader.marking.diagnosis import diagnose
from grader.marking.evidence import Evidence
from grader.oracle.expect import Forms, Raises, TracedReference, expect_mistake, forms_in_words, trace_once, uncertain
from grader.oracle.server import load
from grader.program.arithmetic import Exact, Noisy
from grader.values.arrays import EQUALS_A_MISTAKE, MOST_DEVIATIONS, Array, differences
from grader.values.outline import Draw
from tests.bench.processes import machine
from tests.computed import Computed
from tests.conftest import ROOT
from tests.test_problems import as_answered, in_float32

PAIR, TRIPLE = 2, 3
TRIPLES = 500
SEED = 16
FLOAT64 = 2.0**-50
"""Eight units of roundoff of float64: how far another right order of operations may move the result of each."""


@dataclass(frozen=True)
class Evaluated:
    """The programs of an answer that makes a set of mistakes: the worked answer with these mistakes, once for each case."""

    traced: Sequence[TracedReference]

    @cached_property
    def _values(self) -> list[Array]:
        return [one.evaluate(Noisy(SEED, FLOAT64)) for one in self.traced]

    def values(self) -> Sequence[Array]:
        return self._values

    def constants(self) -> Sequence[Array]:
        return [uncertain(one) for one in self.traced]

    def rounding(self) -> Sequence[Array]:
        return [
            np.broadcast_to(expect_mistake(one).tolerance, one.evaluate(Exact()).shape) / MOST_DEVIATIONS
            for one in self.traced
        ]

    def known(self) -> Sequence[bool]:
        return [True] * len(self.traced)

    def draws(self, case: int) -> Sequence[Draw]:
        return ()

    def widened(self, case: int) -> None:
        return None  # no reference rounds to 16 bits

    def outlines(self) -> None:
        return None  # nothing is asked of them

    def worst_line(self, case: int, index: int) -> int:
        return 0

    def _exact(self) -> list[Array]:
        return [one.evaluate(Exact()) for one in self.traced]


def evaluated(problem: Problem, forms: Forms) -> Evaluated:
    """The programs of an answer with some mistakes."""
    return Evaluated([trace_once(problem, case, forms) for case in problem.cases])


@dataclass
class Count:
    """How many sets were made, and how many of them were named: from values alone, and with programs."""

    sets: int = 0
    by_values: int = 0
    by_programs: int = 0

    def add(self, by_values: bool, by_programs: bool) -> None:
        """Count one set."""
        self.sets += 1
        self.by_values += by_values
        self.by_programs += by_programs

    def __add__(self, other: Count) -> Count:
        return Count(self.sets + other.sets, self.by_values + other.by_values, self.by_programs + other.by_programs)

    def __str__(self) -> str:
        shares = (f"{one / self.sets:7.1%}" if self.sets else "      -" for one in (self.by_values, self.by_programs))
        return f"{self.sets:6} {' '.join(shares)}"


def names_of(oracle: Computed, forms: Forms, *, programs: bool) -> tuple[str, ...]:
    """What the report names of an answer that makes these mistakes; nothing where it passes."""
    attempt = as_answered(oracle, in_float32(oracle.problem, forms))
    returned = attempt.transformed or attempt.answered  # with derivatives, where the problem asks for them
    evidence = Evidence(oracle.facts(), oracle, oracle.truth(), returned, band=MOST_TOLERANCES_WITH_PROGRAM)
    if programs:
        evidence = replace(evidence, programs=evaluated(oracle.problem, forms), band=MOST_TOLERANCES_OF_VALUES)
    return () if evidence.failing is None else diagnose(evidence).names


def is_named(oracle: Computed, made: tuple[str, ...], forms: Forms, named: tuple[str, ...]) -> bool:
    """Whether the named set is the one that was made, or gives the same numbers in float64 with some of its forms."""
    if named == made:
        return True
    if not named or not {*named} <= {one.name for one in oracle.facts().pitfalls}:
        return False
    due = _exactly(oracle.problem, forms)
    listed = pitfall_sets(oracle.problem.pitfalls, len(named))
    return any(names == named and _same(_exactly(oracle.problem, other), due) for names, other in listed)


def _gives_values(problem: Problem, forms: Forms) -> bool:
    """Whether an answer with these mistakes gives values; with some sets of mistakes the reference raises."""
    try:
        return bool(_exactly(problem, forms))
    except Raises:
        return False


def _exactly(problem: Problem, forms: Forms) -> list[Array]:
    return [trace_once(problem, case, forms).evaluate(Exact()) for case in problem.cases]


def _same(ones: Sequence[Array], others: Sequence[Array]) -> bool:
    for one, other in zip(ones, others, strict=True):
        bound = EQUALS_A_MISTAKE * float(np.max(np.abs(other), initial=0.0, where=np.isfinite(other)))
        if one.shape != other.shape or bool(np.any(differences(one, other) > bound)):
            return False
    return True


def sets_of(problem: Problem, size: int, most: int) -> list[tuple[tuple[str, ...], Forms]]:
    """All sets of a size, or `most` random ones, which are the same in every run."""
    listed = list(pitfall_sets(problem.pitfalls, size))
    return listed if len(listed) <= most else random.Random(SEED).sample(listed, most)


def measured(oracle: Computed, size: int, most: int, *, told: bool = False) -> Count:
    """How many sets of a size are named. With `told`, those that programs do not name are printed."""
    count = Count()
    for made, forms in sets_of(oracle.problem, size, most):
        if not _gives_values(oracle.problem, forms):
            continue
        listed = [names_of(oracle, forms, programs=programs) for programs in (False, True)]
        by_values, by_programs = (is_named(oracle, made, forms, one) for one in listed)
        count.add(by_values, by_programs)
        if told and not by_programs:
            print(f"  {made} {forms_in_words(forms)}: {listed[1]} from its program, {listed[0]} from its values")
    return count


def row(name: str, pairs: Count, triples: Count, note: str = "") -> str:
    """One line of the table."""
    return f"{name:24} {pairs}   {triples}   {note}".rstrip()


def heading() -> str:
    """The lines above the table."""
    columns = f"{'sets':>6} {'values':>7} {'program':>7}"
    return f"{'':24} {'pairs':>{len(columns)}}   {'triples':>{len(columns)}}\n{'problem':24} {columns}   {columns}"


def main() -> int:
    """Print a row for each problem, and one for all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.named", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems; without one, all")
    parser.add_argument("--triples", type=int, default=TRIPLES, help="how many random triples of each problem")
    parser.add_argument("--told", action="store_true", help="print the sets that programs do not name")
    given = parser.parse_args()
    only_cpu()
    kit = Kit(ROOT)
    print(machine())
    print(heading(), flush=True)
    whole = {PAIR: Count(), TRIPLE: Count()}
    for name in [kit.resolve(name) for name in given.names] or kit.names:
        start = time.perf_counter()
        oracle = Computed(load(kit.answer(name)))
        most = {PAIR: sys.maxsize, TRIPLE: given.triples}
        counts = {size: measured(oracle, size, most[size], told=given.told) for size in most}
        whole = {size: whole[size] + counts[size] for size in whole}
        print(row(name, counts[PAIR], counts[TRIPLE], f"{time.perf_counter() - start:.0f} s"), flush=True)
    print(row("all", whole[PAIR], whole[TRIPLE]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
