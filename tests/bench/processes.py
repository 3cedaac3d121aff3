"""What the benches share: whole processes by the clock, the script of the floor, and how figures are printed."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import psutil

from grader.jaxpr.compat import SIMULATED_DEVICES
from grader.kit.kit import Kit
from grader.oracle.server import load
from tests.conftest import clean_environment

NOTHING_SAVED_BAR, SAVED_BAR = 4.0, 1.25
"""The largest ratios to the floor that a first verdict may have: with nothing saved, and with the oracle saved."""
FLOOR = """
import jax
jax.config.update("jax_num_cpu_devices", {devices})
from answer import {name} as answer
for cases in {groups}:
    for output in jax.jit(lambda: [answer(*case) for case in cases])():
        output.block_until_ready()
"""


class Floor:
    """A bare script that imports jax and runs one answer on the cases of its problem under one `jax.jit`.

    It has as many devices as the grader gives an answer. An answer that makes a mesh is jitted for each case.
    """

    def __init__(self, folder: Path, kit: Kit, name: str, text: str) -> None:
        folder.mkdir()
        self.folder, self.cases = folder, list(load(kit.answer(name)).cases)
        # A program runs on the same devices as a whole, and each case may ask for a mesh of its own.
        groups = [[case] for case in self.cases] if "make_mesh" in text else [self.cases]
        (folder / "answer.py").write_text(text)
        (folder / "floor.py").write_text(FLOOR.format(name=name, groups=groups, devices=SIMULATED_DEVICES))

    def __call__(self) -> float:
        """The seconds of one run."""
        return timed(self.folder, "floor.py", statuses=(0,))


def timed(folder: Path, *command: str, statuses: Sequence[int] = (0, 1), **environment: str) -> float:
    """The seconds of one Python process in a folder, from start to end.

    Raises:
        RuntimeError: if it ends with an exit status that is not among `statuses`.
    """
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env={**clean_environment(), **environment}, capture_output=True
    )
    seconds = time.perf_counter() - start
    if done.returncode not in statuses:
        raise RuntimeError(f"{command} ended with status {done.returncode}:\n{(done.stderr or done.stdout).decode()}")
    return seconds


def spread(values: Sequence[float], unit: str = "") -> str:
    """The median and, in brackets, the smallest and the largest value."""
    return f"{statistics.median(values):5.2f}{unit} ({min(values):.2f}-{max(values):.2f})"


def verdict(met: bool) -> str:
    """What is printed beside a bar."""
    return "met" if met else "MISSED"


def machine() -> str:
    """The machine and the versions that were measured."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.is_file() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{models[0] if models else platform.processor()}, {os.cpu_count()} cores, {memory:.0f} GiB, {platform.system()} "
        f"{platform.release()}, Python {platform.python_version()}, jax {version('jax')}"
    )
