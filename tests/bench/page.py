"""`python -m tests.bench.page`: the size of the site of all lessons, and how soon a lesson can be read in a browser."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from grader.page.site import BUNDLE
from tests.bench.processes import machine, timed, verdict
from tests.conftest import ROOT
from tests.page.driven import driven, missing

LARGEST, SLOWEST = 3_000_000, 1.0
"""The most bytes of the whole site, and the most seconds until the first lesson is painted."""
FIRST = "sinusoidal_freqs"
WITH_FIGURES = "sinusoidal_pos"
PAINTED = "return performance.getEntriesByName('first-contentful-paint').map((one) => one.startTime)"
DRAWN = "return [...document.querySelectorAll('.plot')].every((one) => one.dataset.drawn) ? performance.now() : 0"


def painted(site: Path, name: str, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds until a lesson is painted, and until its figures are drawn, each time it is opened in a new browser."""
    first: list[float] = []
    whole: list[float] = []
    for _ in range(rounds):
        with driven() as browser:
            browser.get((site / f"lessons/{name}.html").as_uri())
            while not (ready := browser.execute_script(DRAWN)):
                pass
            while not (
                paints := browser.execute_script(PAINTED)
            ):  # a page without figures is ready before it is painted
                pass
            first.append(paints[0] / 1000)
            whole.append(ready / 1000)
    return first, whole


def main() -> int:
    """Print the figures. Returns 1 where a bar is missed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.page", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    print(machine(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        seconds = timed(ROOT, "-m", "grader", "site", str(site), statuses=(0,))
        sizes = {str(one.relative_to(site)): one.stat().st_size for one in site.rglob("*") if one.is_file()}
        size = sum(sizes.values())
        lessons = {path: bytes_ for path, bytes_ in sizes.items() if path.startswith("lessons/")}
        largest = max(lessons, key=lambda path: lessons[path])
        print(f"built in {seconds:.1f} s")
        print(f"size: {size / 1e6:.2f} MB, bar {LARGEST / 1e6:.0f} MB {verdict(size <= LARGEST)}")
        print(f"of it: scripts that draw {sizes.get(BUNDLE, 0) / 1e6:.2f} MB, {len(lessons)} lessons ", end="")
        print(f"{sum(lessons.values()) / 1e6:.2f} MB, the largest {largest} {lessons[largest] / 1e3:.0f} kB")
        if why := missing():
            print(f"not measured in a browser: {why}")
            return 0 if size <= LARGEST else 1
        slowest = 0.0
        for name in (FIRST, WITH_FIGURES):
            first, whole = painted(site, name, given.rounds)
            print(
                f"{name}: painted after {statistics.median(first):.2f} s ({min(first):.2f} to {max(first):.2f}), ",
                end="",
            )
            print(f"with its figures after {statistics.median(whole):.2f} s ({min(whole):.2f} to {max(whole):.2f})")
            slowest = max(slowest, statistics.median(first))
    print(f"read after {slowest:.2f} s, bar {SLOWEST:.0f} s {verdict(slowest <= SLOWEST)}")
    return 0 if size <= LARGEST and slowest <= SLOWEST else 1


if __name__ == "__main__":
    sys.exit(main())
