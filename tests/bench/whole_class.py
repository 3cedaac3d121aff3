"""`python -m tests.bench.whole_class`: a class that `tests.classroom` makes, graded whole and compared with what it is.

It prints the cost of an answer, by the clock and in processor time, also without those that ran until their limit, and one
core beside all of them.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.classroom.journal import Journal
from grader.jaxpr.compat import only_cpu
from grader.kit.kit import Kit
from tests.bench.processes import machine, verdict
from tests.classroom.made import FOLDER, Item, chosen, make
from tests.conftest import ROOT, Command

ENDS = {"stub": "unattempted", "hang": "timeout", "crash": "crash", "hog": "memory"}
"""The outcome that each kind of answer must have which computes nothing."""


@dataclass(frozen=True)
class Graded:
    """One run over the class.

    Attributes:
        seconds: by the clock.
        processor: seconds of processor time of all processes.
        answers: as `class grade --json` prints them.
    """

    seconds: float
    processor: float
    answers: Sequence[Mapping[str, Any]]


def graded(folder: Path, gradebook: Path, problems: Sequence[str], limit: float) -> Graded:
    """The class under `class grade`, with a new gradebook."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    asked = (
        *problems,
        *("--cpu-limit", f"{limit:g}"),
        *("--seed", "7"),
        *("--gradebook", str(gradebook)),
    )
    whole = Command(ROOT, patience=36_000.0, process=True).json("class", "grade", str(folder), *asked)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Graded(seconds, used, whole["answers"])


def off(items: Sequence[Item], answers: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each answer whose outcome is not what the class was made to have."""
    found = {(one["student"], one["problem"]): one for one in answers}
    lines: list[str] = []
    for item in items:
        one = found.get((item.student, item.problem))
        if not item.read:
            continue
        if one is None:
            lines.append(f"{item.path}: not read ({item.source})")
        elif not _as_made(item, one):
            lines.append(f"{item.path}: {one['outcome']} {one['pitfalls']}, made as {item.kind} from {item.source}")
    return lines


def _as_made(item: Item, one: Mapping[str, Any]) -> bool:
    if item.kind in ENDS:
        return one["outcome"] == ENDS[item.kind]
    if item.kind == "right" or (item.kind == "copy" and not item.mistakes):
        return one["outcome"] == "correct"
    return one["outcome"] != "correct" and {*item.mistakes} - {"?"} <= {*(one["pitfalls"] or ())}


def otherwise_alone(
    gradebook: Path, answers: Sequence[Mapping[str, Any]], count: int, limit: float, folder: Path
) -> list[str]:
    """A line for each of some texts that gets another verdict when `check` grades it alone."""
    ran = {(one["problem"], one["digest"]): one for one in answers if one["outcome"] not in ("unattempted", "fault")}
    lines: list[str] = []
    for (problem, digest), one in random.Random(count).sample(sorted(ran.items()), min(count, len(ran))):
        with Journal(gradebook) as journal:
            (folder / f"{problem}.py").write_text(journal.text(digest), encoding="utf-8")
        asked = ("--answer", str(folder / f"{problem}.py"), "--confine", "--seed", "7", "--cpu-limit", f"{limit:g}")
        (alone,) = Command(ROOT, patience=3600.0, process=True).json("check", problem, *asked)["verdicts"]
        if (alone["status"], alone["pitfalls"]) != (one["outcome"], one["pitfalls"]):
            lines.append(
                f"{one['path']}: {one['outcome']} {one['pitfalls']}, alone {alone['status']} {alone['pitfalls']}"
            )
    return lines


def main() -> int:
    """Print the figures. Returns 1 where an answer has another outcome than it was made to have; else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.whole_class", description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--problems", type=int, default=6)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--cpu-limit", type=float, default=60.0)
    parser.add_argument("--alone", type=int, default=0, metavar="N", help="grade N texts alone as well, and compare")
    parser.add_argument("--one-core", action="store_true", help="grade it on one core as well")
    given = parser.parse_args()
    only_cpu()
    kit = Kit(ROOT)
    problems = chosen(kit, given.problems, given.seed)
    with tempfile.TemporaryDirectory() as name:
        items = make(kit, given.students, given.seed, Path(name), problems)
        here = Path(name) / FOLDER
        cores = sorted(os.sched_getaffinity(0))
        runs = {len(cores): graded(here, Path(name) / "all.gradebook", problems, given.cpu_limit)}
        if given.one_core and len(cores) > 1:
            os.sched_setaffinity(0, cores[:1])
            runs[1] = graded(here, Path(name) / "one.gradebook", problems, given.cpu_limit)
            os.sched_setaffinity(0, cores)
        gradebook, answers = Path(name) / "all.gradebook", runs[len(cores)].answers
        others = otherwise_alone(gradebook, answers, given.alone, given.cpu_limit, Path(name))
    print(machine())
    print(f"{given.students} students, problems {', '.join(problems)}")
    whole = next(iter(runs.values()))
    outcomes = Counter(one["outcome"] for one in whole.answers)
    print(", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common()))
    ran = [one for one in whole.answers if one["outcome"] not in ("unattempted", "due", "fault")]
    texts = {(one["problem"], one["digest"]) for one in ran}
    for count, run in runs.items():
        each = f"{run.seconds / len(texts):.2f} s by the clock and {run.processor / len(texts):.2f} s of processor time"
        print(
            f"{count} core{'s' * (count > 1)}: {run.seconds:.0f} s; {len(texts)} different texts ran, {each} for each"
        )
    endless = {(one["problem"], one["digest"]) for one in ran if one["outcome"] == "timeout"}
    rest = (whole.processor - given.cpu_limit * len(endless)) / (len(texts) - len(endless))
    print(
        f"without the {len(endless)} that ran for {given.cpu_limit:g} s: {rest:.2f} s of processor time for each other"
    )
    wrong = [line for run in runs.values() for line in off(items, run.answers)] + others
    for line in wrong:
        print(line)
    print(f"{given.alone} of them alone: {verdict(not others)}")
    print(f"{len(whole.answers)} answers, all as they were made: {verdict(not wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
