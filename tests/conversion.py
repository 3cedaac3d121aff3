"""Compares the mistakes of worked answers with those of the references of an earlier commit, which had knobs.

    python -m tests.conversion CLONE [NAME ...]

CLONE is a clone of that commit. Every setting of every pitfall there should be a form here: equal to the last bit on every
case, or within a tenth of the case's tolerance. What is not is listed; so are pairs that could be made at once only there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grader.kit.kit import Kit
from grader.kit.mistakes import pitfall_sets
from grader.oracle.expect import expect, trace_once
from grader.oracle.server import load
from tests.conftest import ROOT

PART = 0.1
"""The part of a tolerance by which values may differ where the order of operations is another one."""

BEFORE = """
import json, sys
from pathlib import Path
import numpy as np
from grader.kit.problem import pitfall_sets
from grader.oracle.expect import trace_once
from grader.oracle.server import load
path, out = Path(sys.argv[1]), sys.argv[2]
problem = load(path)
sets = [((), {}), *pitfall_sets(problem, 1)]
arrays = {f"{number}.{case}": trace_once(problem, arguments, knobs).exact
          for number, (_, knobs) in enumerate(sets) for case, arguments in enumerate(problem.cases)}
np.savez(out, **arrays)
pairs = sorted({names for names, _ in pitfall_sets(problem, 2)})
print(json.dumps({"sets": [[list(names), repr(knobs)] for names, knobs in sets], "cases": problem.cases, "pairs": pairs,
                  "words": {one.name: [one.why, one.hint] for one in problem.pitfalls}}))
"""


def before(clone: Path, name: str) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]:
    """What the reference of the earlier commit declares, and its outputs: those of set `i` on case `j` as `i.j`."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "outputs.npz"
        reference = clone / "solutions" / name / "reference.py"
        done = subprocess.run(
            [sys.executable, "-c", BEFORE, str(reference), str(out)],
            env={**os.environ, "PYTHONPATH": str(clone)},
            cwd=clone,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        with np.load(out) as arrays:
            return json.loads(done.stdout), dict(arrays)


def compared(clone: Path, name: str) -> list[str]:
    """What differs, one line each. The first line sums up."""
    problem = load(Kit(ROOT).answer(name))
    declared, outputs = before(clone, name)
    lines: list[str] = []
    if [list(case) for case in problem.cases] != declared["cases"]:
        lines.append("  the cases differ")
    tolerances = [expect(trace_once(problem, case), by_row=problem.by_row).largest_tolerance for case in problem.cases]
    forms = [((), ()), *pitfall_sets(problem.pitfalls, 1)]
    made = [[trace_once(problem, case, one).exact for case in problem.cases] for _, one in forms]
    equal = close = 0
    used: set[int] = set()
    for number, (names, knobs) in enumerate(declared["sets"]):
        old = [outputs[f"{number}.{case}"] for case in range(len(problem.cases))]
        distances = {
            at: distance(old, made[at], tolerances) for at, (found, _) in enumerate(forms) if list(found) == names
        }
        at = min(distances, key=lambda one: (distances[one], one in used), default=-1)
        least = distances.get(at, np.inf)
        used.add(at)
        if least == 0:
            equal += 1
        elif least <= PART:
            close += 1
        else:
            lines.append(f"  {' '.join(names) or 'the truth'} {knobs}: no form is nearer than {least:.3g} tolerances")
    more = [found[0].shown for at, (_, found) in enumerate(forms) if found and at not in used]
    lines += [f"  only here: {one}" for one in more]
    pairs = {names for names, _ in pitfall_sets(problem.pitfalls, 2)}
    lost = [pair for pair in map(tuple, declared["pairs"]) if pair not in pairs and pair[::-1] not in pairs]
    lines += [f"  a pair before, and none here: {' + '.join(pair)}" for pair in lost]
    words = {one.name: [one.why, one.hint] for one in problem.pitfalls}
    lines += [f"  other words: {one}" for one in declared["words"] if words.get(one) != declared["words"][one]]
    count, pairs_before = len(declared["sets"]), len(declared["pairs"])
    summary = f"{name}: {equal} of {count} equal, {close} close; {pairs_before} pairs before, {len(pairs)} here"
    return [summary, *lines]


def distance(
    one: Sequence[np.ndarray[Any, Any]], other: Sequence[np.ndarray[Any, Any]], tolerances: Sequence[float]
) -> float:
    """The largest difference of two outputs in tolerances, over all cases; 0 if they are equal to the last bit."""
    largest = 0.0
    for left, right, tolerance in zip(one, other, tolerances, strict=True):
        if left.shape != right.shape:
            return np.inf
        if np.array_equal(left, right, equal_nan=left.dtype.kind == "f"):
            continue
        if not tolerance:
            return np.inf  # whole numbers
        with np.errstate(invalid="ignore"):
            apart = np.where((left == right) | (np.isnan(left) & np.isnan(right)), 0.0, np.abs(left - right))
        apart = np.where(np.isnan(apart), np.inf, apart)
        scale = max(tolerance, 1e-7 * np.max(np.abs(left), initial=0.0, where=np.isfinite(left)))
        largest = max(largest, float(apart.max(initial=0.0)) / scale)
    return largest


def main(arguments: Sequence[str]) -> None:
    clone, *names = arguments
    kit = Kit(ROOT)
    for name in names or kit.names:
        if (kit.answer(name)).with_name("mistakes.md").is_file():
            print("\n".join(compared(Path(clone), name)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
