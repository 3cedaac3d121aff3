"""`python -m tests.bench.early`: how often the values of an answer overrule what its program showed first, over all answers.

Every answer of `tests/answers` is graded. Its provisional verdict is waited for, and compared with the one that stays. The
verdicts that stay must be those that `tests/answers` asks for. With `--first`, an answer ends with what is told first, which
takes much less: a right one that is called wrong is counted, and a wrong one that is right so far.
"""

from __future__ import annotations

import argparse
import difflib
import io
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from grader.grade import grade
from grader.kit.kit import Kit, KitError
from grader.kit.problem_error import ProblemError
from grader.marking.verdict import Awaited, Status, Verdict
from grader.report.terminal import Terminal
from grader.run.child import LaunchError
from tests import answers
from tests.bench.processes import machine
from tests.conftest import ROOT
from tests.early import Waiting

MOST_LINES = 8
"""The most lines that are printed of how a verdict changed."""


DUE = {"right": Status.CORRECT, "wrong": Status.WRONG}


@dataclass
class Counted:
    """What was counted.

    Attributes:
        told: how many answers had a verdict before their values, and before their place.
        changed: a line for each of them whose words changed.
        off: a line for each answer whose verdict is not the one that `tests/answers` asks for.
    """

    told: Counter[str] = field(default_factory=Counter[str])
    changed: list[str] = field(default_factory=list[str])
    off: list[str] = field(default_factory=list[str])


class Told(Exception):
    """What is told first is known, and nothing else is asked for."""


def words(verdict: Verdict) -> list[str]:
    """The lines of a verdict that a learner reads, but for what it says that it awaits."""
    stream = io.StringIO()
    Terminal.into(stream).verdict(replace(verdict, awaited=None), device="")
    return stream.getvalue().splitlines()


def counted(kit: Kit, name: str, *, first: bool = False) -> Counted:
    """What was counted of the answers to one problem; with `first`, of what is told first alone."""
    count = Counted()
    with tempfile.TemporaryDirectory() as folder, Waiting(kit) as session:
        file = Path(folder) / f"{name}.py"
        for kind in ("right", "wrong"):
            for one in answers.read(name, kind):
                file.write_text(one.text, encoding="utf-8")
                early: list[Verdict] = []
                count.told[kind] += 1
                try:
                    verdict = grade(session, name, file, partial(_take, early, first=first))
                except Told:
                    count.told[f"{kind}, first {early[0].status}"] += 1
                    if early[0].status is not (due := DUE[kind]):
                        count.off.append(f"{name}, {one.title}: first {early[0].status}, due {due}")
                    continue
                except (KitError, LaunchError, ProblemError) as error:
                    count.off.append(f"{name}, {one.title}: {type(error).__name__}: {error}")
                    continue
                for told in early:
                    count.told[f"{kind}, before its {told.awaited}"] += 1
                title = f"{name}, {one.title}"
                for told in early:
                    before, after = words(told), words(verdict)
                    lines = [line for line in difflib.ndiff(before, after) if line[:1] in "+-"]
                    if any(line.startswith("-") for line in lines):  # a place and notes may be added
                        count.told["changed"] += 1
                        count.changed.append(f"{title}:\n        " + "\n        ".join(lines[:MOST_LINES]))
                due = DUE[kind]
                if verdict.status is not due or not {*one.names} <= {*verdict.diagnosis.names}:
                    count.off.append(f"{title}: {verdict.status}, {verdict.diagnosis.names}, due {due}, {one.names}")
    return count


def _take(early: list[Verdict], verdict: Verdict, *, first: bool) -> None:
    early.append(verdict)
    if first and verdict.awaited is not Awaited.PLACE:
        raise Told


def main() -> int:
    """Print the counts, and a line for each verdict that changed or is off. Returns 1 where a verdict is off."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.early", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems; without one, all")
    parser.add_argument("--first", action="store_true", help="what is told first alone")
    parser.add_argument("--jobs", type=int, default=2, help="how many problems at once")
    given = parser.parse_args()
    kit = Kit(ROOT)
    print(machine(), flush=True)
    whole = Counted()
    with ThreadPoolExecutor(given.jobs) as pool:
        asked = {pool.submit(counted, kit, name, first=given.first): name for name in given.names or kit.names}
        for done in as_completed(asked):
            if done.exception() is not None:
                pool.shutdown(wait=False, cancel_futures=True)
            one = done.result()
            whole.told += one.told
            whole.changed += one.changed
            whole.off += one.off
            print(f"{asked[done]}: {dict(one.told)}", flush=True)
            for line in (*one.changed, *one.off):
                print(f"    {line}", flush=True)
    print(f"all: {dict(whole.told)}; {len(whole.off)} verdicts are not those that are asked for")
    return 1 if whole.off else 0


if __name__ == "__main__":
    sys.exit(main())
