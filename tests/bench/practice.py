"""`python -m tests.bench.practice`: exercises out of right answers of the corpus: how many are good, and how long they take.

Of each answer three exercises are made, as a learner would get them one after another. `--show` prints each with its lines,
for somebody who reads them and counts those that show the mistake at once.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

from grader.kit.kit import Kit
from grader.practice.exercise import make
from grader.practice.hints import hint
from grader.practice.record import Exercise, Practised, Record
from grader.session import Session
from tests import answers
from tests.bench.processes import machine
from tests.conftest import PROBLEMS, ROOT

EXERCISES = 3
SEED = 65


@dataclass(frozen=True)
class Tried:
    """One answer: its problem and title, its exercises, how many changes were graded for each, seconds of the processor."""

    problem: str
    title: str
    made: Sequence[Exercise]
    graded: Sequence[int]
    seconds: Sequence[float]


def tried(session: Session, problem: str, title: str, text: str) -> Tried:
    """Make exercises out of one answer, each as if those before it had ended."""
    record = Record()
    made: list[Exercise] = []
    graded: list[int] = []
    seconds: list[float] = []
    for _ in range(EXERCISES):
        count = 0

        def working(number: int) -> None:
            nonlocal count
            count = number

        before = _processor_seconds()
        found = make(session, problem, text, record, working=working)
        if found is None:
            break
        made.append(found)
        graded.append(count)
        seconds.append(_processor_seconds() - before)
        names = found.verdict.diagnosis.names
        record.past.append(Practised(problem, found.sort, found.name, names, found.numbers, 3, 0.0))
    return Tried(problem, title, made, graded, seconds)


def _processor_seconds() -> float:
    """Seconds of processor time of this process and of those below it, of those that ended too."""
    here = psutil.Process()
    spent = 0.0
    for process in (here, *here.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        spent += times.user + times.system + times.children_user + times.children_system
    return spent


def chosen(names: Sequence[str], count: int) -> list[tuple[str, str, str]]:
    """Right answers of the corpus by chance: problem, title and text; two of a problem at most."""
    chance = random.Random(SEED)
    found: list[tuple[str, str, str]] = []
    for name in names:
        right = answers.read(name, "right")
        found += [(name, one.title, one.text) for one in chance.sample(right, min(2, len(right)))]
    return chance.sample(found, min(count, len(found)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.practice", description=__doc__)
    parser.add_argument("names", nargs="*", help="Problems [else all].")
    parser.add_argument("--answers", type=int, default=40, help="How many answers.")
    parser.add_argument("--show", action="store_true", help="Print each exercise.")
    asked = parser.parse_args()
    results: list[Tried] = []
    print(machine())
    for problem, title, text in chosen(asked.names or sorted(PROBLEMS), asked.answers):
        with Session(Kit(ROOT)) as session:
            results.append(tried(session, problem, title, text))
        if asked.show:
            _show(results[-1])
    whole = [one for one in results if len(one.made) == EXERCISES]
    first = [one.seconds[0] for one in results if one.seconds]
    at_once = Counter(one.graded[0] for one in results if one.graded)
    print(f"{len(whole)} of {len(results)} answers have {EXERCISES} exercises.")
    print(
        f"Fewer: {', '.join(f'{one.problem} ({one.title}): {len(one.made)}' for one in results if one not in whole) or '-'}"
    )
    print(f"Processor seconds to the first: median {statistics.median(first):.1f}, at most {max(first):.1f}.")
    print(f"Changes graded for the first: {dict(sorted(at_once.items()))}")
    named = sum(bool(one.verdict.diagnosis.names) for result in results for one in result.made)
    print(f"The verdict names {named} of {sum(len(one.made) for one in results)}.")
    return 0


def _show(result: Tried) -> None:
    for one in result.made:
        print(f"\n{result.problem} ({result.title}), line {one.line}: {one.sort} {one.name}")
        for before in one.before.splitlines():
            print(f"  - {before}")
        for after in one.after.splitlines():
            print(f"  + {after}")
        for number in (1, 2):
            print(f"  {number}: {hint(one, number, one.verdict)}")


if __name__ == "__main__":
    sys.exit(main())
