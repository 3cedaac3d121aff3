"""`python -m tests.bench.known_lines`: how often the place that is found lies on the line that is known to be wrong.

Those are the answers of `tests/places`. Each has one mistake, and was written without a look at the reference.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from grader.kit.kit import Kit
from grader.run.devices import only_cpu
from grader.where.found import Found
from grader.where.search import locate
from tests import places
from tests.bench.processes import machine
from tests.bench.where import Measured, told
from tests.conftest import ROOT
from tests.places import Known


@dataclass(frozen=True)
class Located:
    """What was found of one answer."""

    known: Known
    found: list[Found]
    seconds: float

    @property
    def elsewhere(self) -> list[Found]:
        """The places on lines that are not marked."""
        return [one for one in self.found if not self.known.has(one.place)]

    @property
    def at_the_change(self) -> bool:
        return bool(self.found) and all(self.known.at_the_change(one.place) for one in self.found)


def located(kit: Kit, name: str) -> Iterator[Located]:
    """The answers to one problem, one after the other. In one that does not trace as a whole, nothing is found."""
    problem = Measured(kit, name)
    for known in places.read(name):
        asked = problem.cases(known.written)
        start, found = time.process_time(), list[Found]()
        for cases in asked:
            found = found or locate(cases)
        yield Located(known, found, time.process_time() - start)


def row(name: str, tried: list[Located]) -> str:
    """One line of the table."""
    found = [one for one in tried if one.found]
    on_line = sum(not one.elsewhere for one in found)
    at_change = sum(one.at_the_change for one in found)
    shares = f"{len(found) / len(tried):6.0%} {on_line / len(found):6.0%}" if found else ""
    return f"{name:24} {len(tried):7} {len(found):7} {on_line:7} {at_change:10} {shares}"


def main() -> int:
    """Print a row for each problem, and one for all of them; under it, what is not found and what stands elsewhere."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.known_lines", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems; without one, all that have answers")
    parser.add_argument("--told", action="store_true", help="print what is found of each answer")
    given = parser.parse_args()
    only_cpu()
    kit, whole = Kit(ROOT), list[Located]()
    print(machine())
    print(f"{'problem':24} {'answers':>7} {'found':>7} {'on line':>7} {'expression':>10}  found on line", flush=True)
    for name in given.names or places.NAMES:
        tried = list(located(kit, name))
        whole += tried
        print(row(name, tried), flush=True)
        for one in tried:
            if not one.found:
                print(f"  not found ({one.seconds:.1f} s): {one.known.written.title}")
            if one.elsewhere:
                print(f"  elsewhere than on line {', '.join(map(str, one.known.right))}:")
            if given.told or one.elsewhere:
                told(one.known.written, one.found, one.seconds)
    print(row("all", whole))
    return 0


if __name__ == "__main__":
    sys.exit(main())
