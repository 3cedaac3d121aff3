"""`python -m tests.bench.memory`: the peak memory of the grader's own process, while it grades answers to each problem.

The processes that it starts are not counted: those of answers, of references, and of evaluators.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from grader.kit.kit import Kit
from tests.bench.every_problem import answers_to
from tests.bench.processes import machine, verdict
from tests.conftest import clean_environment, copy_kit

BAR = 120 << 20
"""The most bytes that may be resident at one time."""
LOOK = 0.005
"""Seconds between two measurements."""


def resident(pid: int) -> int:
    """The most bytes of a process that were resident at one time. Only Linux knows; elsewhere, the bytes of now.

    Raises:
        OSError, psutil.Error: if there is no such process.
    """
    text = Path(f"/proc/{pid}/status").read_text() if sys.platform == "linux" else ""
    found = re.search(r"^VmHWM:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) << 10 if found else psutil.Process(pid).memory_info().rss


def peak(folder: Path, *command: str, statuses: Sequence[int] = (0, 1)) -> int:
    """The peak of one Python process in a folder, without the processes that it starts.

    Raises:
        RuntimeError: if it ends with an exit status that is not among `statuses`.
    """
    process = subprocess.Popen(
        [sys.executable, *command], cwd=folder, env=clean_environment(), stdout=subprocess.DEVNULL
    )
    most = 0
    while process.poll() is None:
        try:
            most = max(most, resident(process.pid))
        except (OSError, psutil.Error):
            break
        time.sleep(LOOK)
    if process.wait() not in statuses:
        raise RuntimeError(f"{command} ended with status {process.returncode}")
    return most


def row(name: str, most: int) -> str:
    """One line of the table, with a mark where the bar is missed."""
    return f"{name:24} {most / 2**20:6.1f} MiB{'!' if most > BAR else ''}"


def main() -> int:
    """Print a row for each problem. Returns 1 where the bar is missed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.memory", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems; without one, all")
    parser.add_argument("--kind", choices=("right", "wrong", "unexplained"), default="right", help="which answers")
    given = parser.parse_args()
    print(machine(), flush=True)
    peaks: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder:
        kit = Kit(copy_kit(Path(folder)))
        for name in [kit.resolve(name) for name in given.names] or kit.names:
            (answer,) = (one for one in answers_to(kit, name) if one.kind == given.kind)
            kit.stub(name).write_text(answer.text)
            status = 0 if given.kind == "right" else 1
            peaks[name] = peak(kit.root, "-m", "grader", name, statuses=(status,))
            print(row(name, peaks[name]), flush=True)
    most = max(peaks.values())
    print(f"the most: {most / 2**20:.1f} MiB, bar {BAR >> 20} MiB {verdict(most <= BAR)}")
    return 0 if most <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
