"""`python -m tests.bench.known_lines`: how often the place that is found lies on the line that is known to be wrong.

Those are the answers of `tests/places`. Each has one mistake, and was written without a look at the reference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from grader.jaxpr.compat import only_cpu
from grader.kit.kit import Kit
from grader.values.places import FoundPlace
from tests import places
from tests.bench.processes import machine
from tests.bench.where import Measured, told
from tests.conftest import ROOT
from tests.places import Known, touches

NOWHERE, MISTAKE, BESIDE, ALSO, ELSEWHERE = "not found", "mistake", "beside it", "could be", "elsewhere"
"""No place; in the expression that is wrong; on its line, but beside it; on a line that could make up for it; on another."""


@dataclass(frozen=True)
class Located:
    """What was found of one answer."""

    known: Known
    found: list[FoundPlace]
    seconds: float

    @property
    def elsewhere(self) -> list[FoundPlace]:
        """The places on lines with which nothing could be made right."""
        return [one for one in self.found if not touches(one.place, {**self.known.wrong, **self.known.also})]

    @property
    def outcome(self) -> str:
        """One of those above. Of several places, the worst counts."""
        listed = [one.place for one in self.found]
        if not listed:
            return NOWHERE
        if self.elsewhere:
            return ELSEWHERE
        if not all(touches(one, self.known.wrong) for one in listed):
            return ALSO
        return MISTAKE if all(map(self.known.at_the_change, listed)) else BESIDE


def located(kit: Kit, name: str) -> Iterator[Located]:
    """The answers to one problem, one after the other. In one that does not trace as a whole, nothing is found."""
    problem = Measured(kit, name)
    for known in places.read(name):
        yield Located(known, *(problem.found(known.written) or ([], 0.0)))


def row(name: str, tried: list[Located]) -> str:
    """One line of the table."""
    count = [sum(one.outcome == outcome for one in tried) for outcome in (MISTAKE, BESIDE, ALSO, ELSEWHERE, NOWHERE)]
    found = len(tried) - count[-1]
    line = count[0] + count[1]
    counts = "".join(f"{number:11}" for number in count)
    return f"{name:24} {len(tried):7}{counts} {found / len(tried):6.0%} {line / found if found else 0:8.0%}"


def main() -> int:
    """Print a row for each problem, and one for all of them; and what is not in the expression that is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.known_lines", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems; without one, all that have answers")
    parser.add_argument("--told", action="store_true", help="print what is found of each answer")
    given = parser.parse_args()
    only_cpu()
    kit, whole = Kit(ROOT), list[Located]()
    print(machine())
    titles = "".join(f"{outcome:>11}" for outcome in (MISTAKE, BESIDE, ALSO, ELSEWHERE, NOWHERE))
    print(f"{'problem':24} answers{titles}  found  on line", flush=True)
    for name in given.names or places.NAMES:
        tried = list(located(kit, name))
        whole += tried
        print(row(name, tried), flush=True)
        for one in tried:
            if given.told or one.outcome != MISTAKE:
                print(f"  {one.outcome} (wrong: line {', '.join(map(str, one.known.wrong))})", end="")
                told(one.known.written, one.found, one.seconds)
    print(row("all", whole))
    return 0


if __name__ == "__main__":
    sys.exit(main())
