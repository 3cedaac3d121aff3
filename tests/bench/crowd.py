"""`python -m tests.bench.crowd`: the answers of a large class, some of them hostile, graded in one run at the best tier.

Of 200 answers, 5 % take all the memory that they can get, 5 % never return, and 5 % end their process. The others are right
and wrong answers of `tests/answers`. Every verdict must be the expected one, and all processes together may use half of the
machine's memory.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import psutil

from tests import answers
from tests.conftest import FLAGSHIP, Command, copy_kit

MEMORY_BAR = 0.5
"""The part of this machine's memory that all processes together may use."""
PART = 0.05
LOOK = 0.05
"""Seconds between two measurements of the free memory."""
HEAD = "import os\nimport numpy as np\n\ndef sinusoidal_pos(seed, T, d_model):\n"
HOSTILE = {
    "memory": "    kept = []\n    while True:\n        kept.append(np.ones(1 << 24))\n",
    "timeout": "    while True:\n        pass\n",
    "crash": "    os.abort()\n",
}
"""Bodies of hostile answers, by the status that each must get."""


def written(count: int) -> list[tuple[str, str]]:
    """Texts of answers with their expected status, in a random order that is the same in every run."""
    each = max(1, round(PART * count))
    crowd = [(HEAD + body, due) for due, body in HOSTILE.items() for _ in range(each)]
    honest = [(one.text, "correct") for one in answers.read(FLAGSHIP, "right")]
    honest += [(one.text, "wrong") for one in answers.read(FLAGSHIP, "wrong")]
    crowd += [honest[number % len(honest)] for number in range(count - len(crowd))]
    random.Random(200).shuffle(crowd)
    return crowd


class Peak:
    """Measures the most memory that this machine uses inside a `with` block, beyond what it used before."""

    def __enter__(self) -> Peak:
        self._start = psutil.virtual_memory().available
        self._least, self._over = self._start, threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def _look(self) -> None:
        while not self._over.wait(LOOK):
            self._least = min(self._least, psutil.virtual_memory().available)

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @property
    def bytes(self) -> int:
        return self._start - self._least


def main() -> int:
    """Print the figures. Returns 1 where a verdict is not the expected one, or too much memory is used; else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.crowd", description=__doc__)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--cpu-limit", default="60")
    given = parser.parse_args()
    crowd = written(given.answers)
    with tempfile.TemporaryDirectory() as folder:
        kit = Command(copy_kit(Path(folder) / "kit", FLAGSHIP), patience=3600.0, process=True)
        texts = {str(number): text for number, (text, _) in enumerate(crowd)}
        start = time.perf_counter()
        with Peak() as peak:
            verdicts = kit.verdicts(texts, "--confine", "--cpu-limit", given.cpu_limit)
        seconds = time.perf_counter() - start
    off = [(number, due, verdicts[str(number)]) for number, (_, due) in enumerate(crowd)]
    off = [one for one in off if one[2]["status"] != one[1]]
    total = psutil.virtual_memory().total
    tiers = {verdict["confinement"] for verdict in verdicts.values()}
    print(f"{len(crowd)} answers at tier {', '.join(sorted(map(str, tiers)))} in {seconds:.0f} s")
    print("due:", ", ".join(f"{count} {status}" for status, count in sorted(Counter(due for _, due in crowd).items())))
    met = peak.bytes <= MEMORY_BAR * total
    print(f"peak of memory: {peak.bytes / 2**30:.1f} of {total / 2**30:.1f} GiB, bar {MEMORY_BAR:.0%} ", end="")
    print("met" if met else "MISSED")
    for number, due, verdict in off:
        print(f"answer {number}: {verdict['status']}, due {due}: {verdict['message']}")
    print(f"{len(crowd) - len(off)} of {len(crowd)} verdicts as due")
    return 0 if met and not off else 1


if __name__ == "__main__":
    sys.exit(main())
