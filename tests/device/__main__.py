"""`python -m tests.device gpu`: is every answer of `tests/answers` graded the same on an accelerator and on the CPU?

It needs a machine with that device, this repository, and jax for that device; it needs no network and no installed grader.
It prints a line for each problem, with the seconds that its answers took on each device, and what differs. The exit status
is 0 where all verdicts and diagnoses are the same, 1 where one differs, 2 where there is no such device or no such problem.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from grader.grade import grade
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError
from grader.kit.software import installed_version
from grader.options import Limits, NoSuchDevice
from grader.session import Session
from tests import answers

ROOT = Path(__file__).parents[2]
PATIENCE = 300.0
"""Seconds for an answer: many compile at once, and the first program on an accelerator takes long."""


@dataclass(frozen=True)
class Given:
    """One answer: its problem, its title, its file."""

    problem: str
    title: str
    file: Path


@dataclass(frozen=True)
class Outcome:
    """The part of a verdict that is compared, and the seconds that the grading took."""

    verdict: str
    seconds: float


def copy_of_the_kit(folder: Path) -> Kit:
    """A copy of this repository's kit, in which oracles may be saved."""
    for name in ("problems", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "stub.*.py"))
    return Kit(folder)


def written(kit: Kit, names: Sequence[str]) -> list[Given]:
    """Write every answer to these problems as a file in the kit."""
    listed: list[Given] = []
    for name in names:
        for kind in ("right", "wrong"):
            for number, one in enumerate(answers.read(name, kind)):
                file = kit.root / "answers" / f"{name}_{kind}_{number}.py"
                file.parent.mkdir(exist_ok=True)
                file.write_text(one.text, encoding="utf-8")
                listed.append(Given(name, f"{kind}: {one.title}", file))
    return listed


def graded(session: Session, one: Given) -> Outcome:
    """The verdict on one answer. A fault of the kit on that device is compared like a verdict."""
    start = time.perf_counter()
    try:
        verdict = grade(session, one.problem, one.file)
    except ProblemError as error:
        return Outcome(f"fault of the kit: {error}", time.perf_counter() - start)
    said = [verdict.status.value, *verdict.diagnosis.names]
    if verdict.diagnosis.alternatives:
        said.append(f"or {' or '.join('+'.join(names) for names in verdict.diagnosis.alternatives)}")
    return Outcome(" ".join(said), time.perf_counter() - start)


def grade_all(kit: Kit, device: str, listed: Sequence[Given], jobs: int) -> list[Outcome]:
    """The outcomes of all answers on one device, `jobs` at a time.

    Raises:
        NoSuchDevice: where the device is not there.
    """
    with Session(kit, device, Limits(seconds=PATIENCE)) as session, ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(lambda one: graded(session, one), listed))
        except BaseException:
            session.abort()
            pool.shutdown(cancel_futures=True)
            raise


def compare(kit: Kit, device: str, names: Sequence[str], jobs: int) -> int:
    """Grade problem by problem on both devices, and print what differs. Returns how many answers differ."""
    different = total = 0
    for name in names:
        listed = written(kit, [name])
        there = grade_all(kit, device, listed, jobs)  # first, so that a missing device is reported at once
        here = grade_all(kit, "cpu", listed, jobs)
        differing = [
            (one, cpu, other)
            for one, cpu, other in zip(listed, here, there, strict=True)
            if cpu.verdict != other.verdict
        ]
        took = [sum(outcome.seconds for outcome in outcomes) for outcomes in (here, there)]
        print(
            f"{name:<24} {len(listed):>3} answers   cpu {took[0]:7.1f} s   {device} {took[1]:7.1f} s   "
            f"{'same' if not differing else f'{len(differing)} differ'}",
            flush=True,
        )
        for one, cpu, other in differing:
            print(f"    {one.title}\n        cpu: {cpu.verdict}\n        {device}: {other.verdict}", flush=True)
        different, total = different + len(differing), total + len(listed)
    told = "all graded the same" if not different else f"{different} graded otherwise"
    print(f"{total} answers to {len(names)} problems on {device}, jax {installed_version('jax')}: {told}.")
    return different


def main(arguments: Sequence[str]) -> int:
    """Parse the arguments and compare. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.device", description=__doc__)
    parser.add_argument(
        "device", choices=["cpu", "gpu", "tpu"], help="where to grade; with cpu this command tries itself"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="problems [all]")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 8), help="answers at a time [%(default)s]")
    options = parser.parse_intermixed_args(arguments)  # names may follow --jobs
    if options.jobs < 1:
        parser.error(f"--jobs {options.jobs}: give a number of answers, 1 or more")
    with tempfile.TemporaryDirectory() as folder:
        kit = copy_of_the_kit(Path(folder))
        try:
            names = [kit.resolve(name) for name in options.names] or kit.names
            return 1 if compare(kit, options.device, names, options.jobs) else 0
        except KitError as error:
            print(error, file=sys.stderr)
        except NoSuchDevice as error:
            print(f"There is no {options.device} here that JAX can use: {str(error).rstrip('.')}.", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
