"""`python -m tests.bench.rivals`: one class graded by this grader, by pytest and by Otter, side by side in one run.

The class is 20 answers to one problem: 10 right, 8 wrong, one that never returns, one that ends its process. pytest and
Otter get one process for each answer and the same seconds for an answer: as many at once as this process may use cores,
and Otter one after another too, since `otter run` itself grades one answer. The bar compares with that.
Otter is asked for with `--otter PYTHON`: an interpreter that has otter-grader, ipykernel and jax.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psutil

from grader.kit.kit import Kit
from grader.oracle.server import load
from grader.run.judge.cores import cores_here
from tests import answers
from tests.bench.processes import machine, verdict
from tests.conftest import FLAGSHIP, Command, clean_environment, copy_kit

LIMIT = 6.0
"""Seconds that an answer may take."""
OTTER_BAR, SECONDS_BAR = 15.0, 7.5
"""How many times faster than Otter, one answer after another, and how many seconds it may take on two idle cores."""
LOOP = "def sinusoidal_pos(seed, T, d_model):\n    while True:\n        pass\n"
EXIT = "import os\n\ndef sinusoidal_pos(seed, T, d_model):\n    os._exit(0)\n"
EXPECTED = """
import numpy as np

CASES = {cases}


def expected(T, d_model):
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1)


def check(answer):
    for case in CASES:
        np.testing.assert_allclose(answer(*case), expected(*case[1:]), atol=1e-3)
"""
PYTEST = EXPECTED + "\n\ndef test_answer():\n    from answer import sinusoidal_pos\n\n    check(sinusoidal_pos)\n"
OTTER = (
    "OK_FORMAT = False\nfrom otter.test_files import test_case\n\nname = 'q1'\npoints = 1\n"
    + EXPECTED
    + "\n\n@test_case()\ndef test_answer(sinusoidal_pos):\n    check(sinusoidal_pos)\n"
)


@dataclass(frozen=True)
class Answer:
    """One answer, and whether it is right."""

    text: str
    right: bool


@dataclass(frozen=True)
class Timed:
    """What one grader took for the class, and how many answers it judged as they are."""

    title: str
    seconds: float
    agreed: int


def written() -> list[Answer]:
    """The class, in an order in which what ends badly comes neither first nor last."""
    # A loop over every position and dimension takes most of the limit alone, under each of the graders.
    right, wrong = (
        [one.text for one in answers.read(FLAGSHIP, kind) if "    for " not in one.text] for kind in ("right", "wrong")
    )
    listed = [Answer(right[number % len(right)] + f"\n# {number}\n", True) for number in range(10)]
    listed += [Answer(text, False) for text in wrong[:8]]
    return [*listed[:6], Answer(LOOP, False), *listed[6:12], Answer(EXIT, False), *listed[12:]]


def graded(crowd: Sequence[Answer], folder: Path) -> list[Timed]:
    """The class under `class grade`, confined as well as this machine can: with nothing saved, and with the oracle saved."""
    kit = Command(copy_kit(folder / "kit", FLAGSHIP), patience=600.0, process=True)
    (kit.kit / "class").mkdir()
    for number, one in enumerate(crowd):
        (kit.kit / "class" / f"student{number:02}_{FLAGSHIP}.py").write_text(one.text)
    timed: list[Timed] = []
    for title, gradebook in (("class grade, nothing saved", "first.sqlite"), ("class grade", "again.sqlite")):
        start = time.perf_counter()
        done = kit("class", "grade", "class", "--gradebook", gradebook, "--cpu-limit", f"{LIMIT:g}", "--json")
        seconds = time.perf_counter() - start
        rows = {row["student"]: row["outcome"] for row in json.loads(done.stdout)["answers"]}
        agreed = sum((rows[f"student{number:02}"] == "correct") == one.right for number, one in enumerate(crowd))
        timed.append(Timed(title, seconds, agreed))
    return timed


def one_by_one(title: str, crowd: Sequence[Answer], is_right: Callable[[int, str], bool], at_once: int) -> Timed:
    """The class with one process for each answer, so many at once."""
    start = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        said = list(pool.map(is_right, range(len(crowd)), [one.text for one in crowd]))
    seconds = time.perf_counter() - start
    return Timed(title, seconds, sum(given == one.right for given, one in zip(said, crowd, strict=True)))


def ran(command: Sequence[str], folder: Path, seconds: float) -> int:
    """The exit status of a command; -1 if it took longer, and was ended with all its processes."""
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}"
    environment, nowhere = {**clean_environment(), "PATH": path}, subprocess.DEVNULL
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=nowhere, stderr=nowhere) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            for one in [*psutil.Process(process.pid).children(recursive=True), process]:
                one.kill()
            return -1


def by_pytest(crowd: Sequence[Answer], cases: Sequence[object], folder: Path, start: float) -> Timed:
    """The class under pytest; `start` is what an interpreter with jax takes to begin."""

    def is_right(number: int, text: str) -> bool:
        here = folder / f"pytest{number}"
        here.mkdir()
        (here / "answer.py").write_text(text)
        (here / "test_answer.py").write_text(PYTEST.format(cases=cases))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "test_answer.py"]
        # An answer that ends the process with status 0 leaves no report.
        status = ran([*command, "--junitxml=out.xml"], here, start + LIMIT)
        return status == 0 and (here / "out.xml").exists()

    return one_by_one("pytest", crowd, is_right, cores_here())


def by_otter(otter: Path, crowd: Sequence[Answer], cases: Sequence[object], folder: Path, start: float) -> list[Timed]:
    """The class under `otter run`: several at once, and one after another."""
    (folder / "tests").mkdir()
    (folder / "tests" / "q1.py").write_text(OTTER.format(cases=cases))
    generate = "generate -t tests -o key.zip --no-config --no-requirements --no-environment"
    subprocess.run([otter, *generate.split()], cwd=folder, check=True, capture_output=True)

    def is_right(number: int, text: str) -> bool:
        here = Path(tempfile.mkdtemp(prefix=f"otter{number}-", dir=folder))
        (here / "answer.py").write_text(text)
        ran([str(otter), "run", "-a", "../key.zip", "-o", ".", "--no-logo", "answer.py"], here, start + LIMIT)
        results = here / "results.json"
        scores = json.loads(results.read_text())["tests"] if results.exists() else []
        return any(one.get("score") == 1.0 for one in scores)

    titles = {"otter run, several at once": cores_here(), "otter run, one by one": 1}
    return [one_by_one(title, crowd, is_right, at_once) for title, at_once in titles.items()]


def main() -> int:
    """Print a row for each grader. Returns 1 where a bar is missed or the grader misjudges an answer; else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.rivals", description=__doc__)
    parser.add_argument("--otter", type=Path, metavar="PYTHON", help="an interpreter that has otter-grader and jax")
    parser.add_argument("--start", type=float, default=6.0, metavar="S", help="what a process of theirs takes to begin")
    given = parser.parse_args()
    crowd = written()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = [tuple(case) for case in load(Kit(copy_kit(folder / "for_cases", FLAGSHIP)).answer(FLAGSHIP)).cases]
        timed = [*graded(crowd, folder), by_pytest(crowd, cases, folder, given.start)]
        if given.otter:
            timed += by_otter(given.otter.with_name("otter"), crowd, cases, folder, given.start)
    print(machine())
    for one in timed:
        print(f"{one.title:26} {one.seconds:7.1f} s  {one.agreed} of {len(crowd)} judged as they are")
    ours, others = timed[1], timed[2:]
    met = timed[0].agreed == ours.agreed == len(crowd) and ours.seconds <= SECONDS_BAR
    print(f"class grade: bar {SECONDS_BAR} s {verdict(ours.seconds <= SECONDS_BAR)}")
    for one in others:
        print(f"{one.title}: {one.seconds / ours.seconds:.1f} times the seconds of class grade")
    if given.otter:
        enough = others[-1].seconds >= OTTER_BAR * ours.seconds
        print(f"bar {OTTER_BAR:g} times {verdict(enough)}")
        met = met and enough
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
