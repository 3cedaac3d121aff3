"""`python -m tests.bench.against FOLDER`: what a right answer costs with this checkout and with another one, in turn.

The oracle is saved. Each checkout grades the worked answer in a kit of its own. What is added is a part of the floor,
the bare script with that answer.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from grader.kit.kit import Kit
from tests.bench.processes import Floor, machine, spread, timed
from tests.conftest import ROOT, copy_kit, worked_answer


class Checkout:
    """The grader of a checkout, with a copy of its kit whose stubs are the worked answers."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.checkout, self.kit = checkout, Kit(copy_kit(folder, kit=checkout))
        for name in self.kit.names:
            self.kit.stub(name).write_text(worked_answer(self.kit, name))

    def __call__(self, name: str) -> float:
        """The seconds of one grading."""
        # A verdict that is kept would be shown in place of a new one.
        (self.kit.state / "progress.json").unlink(missing_ok=True)
        return timed(self.kit.root, "-m", "grader", name, statuses=(0,), PYTHONPATH=str(self.checkout))


def added(name: str, here: Checkout, other: Checkout, folder: Path, rounds: int) -> tuple[float, list[float]]:
    """The median seconds of the floor, and for each round what this checkout adds to the other, as a part of the floor."""
    floor = Floor(folder / name, here.kit, name, worked_answer(here.kit, name))
    for one in (here, other):
        one(name)  # saves the oracle
    floors, gaps = [floor() for _ in range(rounds)], [here(name) - other(name) for _ in range(rounds)]
    median = statistics.median(floors)
    return median, [gap / median for gap in gaps]


def main() -> int:
    """Print a row for each problem, and the median over all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.against", description=__doc__)
    parser.add_argument("checkout", type=Path, metavar="FOLDER", help="the other checkout")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems; without one, all")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print(machine())
    print(f"{'problem':24}{'floor':>10}   added, as a part of the floor")
    every: list[float] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        here, other = Checkout(ROOT, folder / "here"), Checkout(given.checkout.resolve(), folder / "other")
        both = [name for name in here.kit.names if name in other.kit.names]
        for name in [here.kit.resolve(name) for name in given.names] or both:
            floor, gaps = added(name, here, other, folder, given.rounds)
            every.append(statistics.median(gaps))
            print(f"{name:24}{floor:8.2f} s   {spread(gaps)}", flush=True)
    print(f"{'all':24}{'':10}   {spread(every)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
