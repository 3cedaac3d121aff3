"""`python -m tests.bench`: measures whole processes by the clock, in turn, and compares them with the bars of the design.

It writes its tables into the guide on speed.

Times are given as ratios to a floor. The floor is a bare script that imports jax and runs the worked answer on the same
cases under one `jax.jit`.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.kit.kit import Kit
from tests.bench import every_problem, guide, memory, pictures, warm
from tests.bench.guide import GUIDES, Printed
from tests.bench.processes import Floor, machine, spread, timed, verdict
from tests.conftest import ROOT, copy_kit, worked_answer

NAME = "sinusoidal_pos"
SAMPLED = ("permutation_gap", "embed_tokens", "position_probe", "decay_rollout", "rope_scores")
"""Other problems that are audited alone, because their programs are long or draw much."""
WHOLE_MODELS = ("transformer_block", "mini_gpt")
FLAGSHIP_SAVED_BAR, FLAGSHIP_BAR, UNCHANGED_BAR = 1.0, 1.5, 0.20
"""The largest ratios to the floor: of a verdict on this problem with the oracle saved and with nothing saved, and of a run
where nothing has changed since the last one."""
AUDIT_BAR, MODEL_BAR, KIT_BAR = 15.0, 60.0, 300.0 / 42
"""Seconds that an audit may take: of one problem, of a whole model, of each problem where the whole kit is audited."""
CONFINED_BAR = 0.025
"""Seconds that confinement may add to an answer."""
PYTEST = """
import numpy as np
import pytest
from answer import {name} as answer


def expected(T, d_model):
    angles = np.arange(T)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1)


@pytest.mark.parametrize("case", {cases})
def test_answer(case):
    np.testing.assert_allclose(answer(*case), expected(*case[1:]), atol=1e-3)
"""


@dataclass(frozen=True)
class Measure:
    """One thing to time; `bar` is the largest ratio to the floor that it may have."""

    title: str
    run: Callable[[], float]
    bar: float | None = None


class Bench:
    """A kit of the flagship alone, a whole kit, and the processes that are timed with them: the grader of a checkout."""

    def __init__(self, folder: Path, checkout: Path = ROOT) -> None:
        self.checkout = checkout
        one, whole = (copy_kit(folder / kit, *names, kit=checkout) for kit, names in (("one", [NAME]), ("whole", [])))
        self.kit, self.whole = Kit(one), Kit(whole)
        self.stub = self.kit.stub(NAME)
        self.right = worked_answer(self.kit, NAME)
        self.wrong = self.right.replace("2 * pairs", "pairs").replace("jnp.stack", "jnp.concatenate")
        self.floor = Floor(folder / "script", self.kit, NAME, self.right)
        (self.floor.folder / "test_answer.py").write_text(PYTEST.format(name=NAME, cases=self.floor.cases))

    def measures(self, of: str = "") -> list[Measure]:
        """What is timed of a grader; `of` is added to each title."""
        self.graded(self.wrong)  # saves the oracle
        return [
            Measure(f"grader, nothing changed{of}", self.unchanged, UNCHANGED_BAR),
            Measure(f"grader NAME, right, oracle saved{of}", lambda: self.graded(self.right), FLAGSHIP_SAVED_BAR),
            Measure(f"grader NAME, wrong, oracle saved{of}", lambda: self.graded(self.wrong), FLAGSHIP_SAVED_BAR),
            Measure(f"grader NAME, right, nothing saved{of}", lambda: self.nothing_saved(self.right), FLAGSHIP_BAR),
            Measure(f"grader NAME, wrong, nothing saved{of}", lambda: self.nothing_saved(self.wrong), FLAGSHIP_BAR),
        ]

    def _timed(self, folder: Path, *command: str) -> float:
        return timed(folder, *command, PYTHONPATH=str(self.checkout))

    def graded(self, text: str) -> float:
        self.stub.write_text(text)
        return self._timed(self.kit.root, "-m", "grader", NAME)

    def nothing_saved(self, text: str) -> float:
        saved = self.kit.state / "oracles"
        aside = self.kit.root / "aside"
        saved.rename(aside)
        try:
            return self.graded(text)
        finally:
            shutil.rmtree(saved)
            aside.rename(saved)

    def pytest(self) -> float:
        # An instructor's run loads no plugins of this project's own tests.
        return timed(self.floor.folder, "-m", "pytest", "-q", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")

    def audited(self, *names: str) -> float:
        """An audit of a fresh copy of the kit, which has no saved oracles. An audit neither reads nor saves them."""
        with tempfile.TemporaryDirectory() as folder:
            kit = copy_kit(Path(folder))
            return timed(kit, "-m", "grader", "audit", *names)

    def answered(self, *options: str) -> float:
        """One file, graded without fresh inputs, because those are computed once for all answers."""
        (self.kit.root / "answer.py").write_text(self.right)
        command = ("-m", "grader", "check", NAME, "--kit", ".", "--answer", "answer.py", "--no-fresh")
        return timed(self.kit.root, *command, *options)

    def unchanged(self) -> float:
        self._timed(self.whole.root, "-m", "grader")
        return self._timed(self.whole.root, "-m", "grader")


def measure(measures: list[Measure], rounds: int) -> dict[str, list[float]]:
    """The seconds of every measure, once in each round; a first round is not counted."""
    seconds: dict[str, list[float]] = {one.title: [] for one in measures}
    for number in range(rounds + 1):
        for one in measures:
            taken = one.run()
            if number:
                seconds[one.title].append(taken)
        print(f"round {number} of {rounds} done", file=sys.stderr)
    return seconds


def report(measures: list[Measure], seconds: dict[str, list[float]], tell: Callable[[str], None]) -> None:
    floor = seconds[measures[0].title]
    tell(f"{'what':38} {'seconds':20} {'ratio to the floor':20} bar")
    for one in measures:
        ratios = [taken / base for taken, base in zip(seconds[one.title], floor, strict=True)]
        met = "" if one.bar is None else f"{one.bar:g} {verdict(statistics.median(ratios) <= one.bar)}"
        tell(f"{one.title:38} {spread(seconds[one.title], ' s'):20} {spread(ratios):20} {met}".rstrip())


def audits(bench: Bench, floor: float) -> None:
    """Time audits with nothing saved: some problems alone, and the whole kit at once."""
    alone = {name: bench.audited(name) for name in (*SAMPLED, NAME, *WHOLE_MODELS)}
    slowest = max(SAMPLED, key=lambda name: alone[name])
    for name in dict.fromkeys((NAME, slowest, *WHOLE_MODELS)):
        bar = MODEL_BAR if name in WHOLE_MODELS else AUDIT_BAR
        met = f"bar {bar:g} s {verdict(alone[name] <= bar)}"
        print(f"audit {name}, nothing saved: {alone[name]:.1f} s, {alone[name] / floor:.1f} times the floor, {met}")
    whole, count = bench.audited(), len(Kit(ROOT).names)
    print(
        f"audit of the whole kit, {count} problems: {whole:.0f} s, {whole / floor:.0f} times the floor, "
        f"bar {KIT_BAR * count:.0f} s {verdict(whole <= KIT_BAR * count)}"
    )


def confinement(bench: Bench, rounds: int) -> None:
    """Time what each tier of confinement adds to an answer: the same file with it and without it, in turn."""
    for tier in ("A", "B"):
        added = [bench.answered(f"--tier={tier}") - bench.answered() for _ in range(2 * rounds)]
        median = statistics.median(added)
        met = f"bar {1000 * CONFINED_BAR:.0f} ms {verdict(median <= CONFINED_BAR)}"
        print(f"confinement, tier {tier}: {1000 * median:+.0f} ms for an answer (median of {len(added)}), {met}")


def main() -> int:
    """Print the figures. Returns 1 where `--every-problem` finds a bar missed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--every-problem", nargs="*", metavar="NAME", help="only this: the first verdict of these problems, or of all"
    )
    parser.add_argument(
        "--against", type=Path, metavar="FOLDER", help="only this: the same table of this checkout and another, in turn"
    )
    given = parser.parse_args()
    os.chdir(ROOT)
    if given.against is not None:
        beside(given.against.resolve(), given.rounds)
        return 0
    if given.every_problem is not None:
        return every_problem.main(given.every_problem, given.rounds)
    flagship(given.rounds)
    return 0


def beside(other: Path, rounds: int) -> None:
    """Print the table of one problem and that of twelve warm lessons, of another checkout and of this one in turn."""
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        before, here = Bench(Path(folder) / "before", other), Bench(Path(folder) / "here")
        pairs = zip(before.measures(", before"), here.measures(", now"), strict=True)
        measures = [Measure("floor", here.floor), *itertools.chain.from_iterable(pairs)]
        seconds = measure(measures, rounds)
        report(measures, seconds, print)
    floor = statistics.median(seconds["floor"])
    print(warm.heading())
    rows: dict[Path, list[Sequence[warm.Warm]]] = {other: [], ROOT: []}
    for name in warm.TWELVE:
        for checkout, its in rows.items():
            (of_it,) = warm.every([name], rounds, kit=checkout)
            its.append(of_it)
            print(warm.row(of_it, floor), "now" if checkout == ROOT else "before", flush=True)
    for checkout, its in rows.items():
        for line in warm.summary(its, floor):
            print("now" if checkout == ROOT else "before", line)


def flagship(rounds: int) -> None:
    """The table of one problem and that of twelve warm lessons, for the guide; then confinement, audits and memory."""
    tell = Printed()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        as_written = Measure("pytest + assert_allclose, as written", bench.pytest)
        measures = [Measure("floor", bench.floor), *bench.measures(), as_written]
        seconds = measure(measures, rounds)
        tell(machine())
        report(measures, seconds, tell)
        against = zip(seconds[measures[-1].title], seconds[measures[2].title], strict=True)
        faster = [slow / fast for slow, fast in against]
        tell(f"faster than pytest: {spread(faster)} times, bar 2.5 {verdict(statistics.median(faster) >= 2.5)}")
        tell("")
        warm.twelve(rounds, statistics.median(seconds["floor"]), tell)
        guide.write(GUIDES / "speed.md", "python -m tests.bench", tell.text)
        confinement(bench, rounds)
        bench.stub.write_text(bench.wrong)
        peak = memory.peak(bench.kit.root, "-m", "grader", NAME)
        audits(bench, statistics.median(seconds["floor"]))
        met = f"bar {memory.BAR >> 20} MiB {verdict(peak <= memory.BAR)}"
        print(f"the grader's own process: {peak / 2**20:.0f} MiB at most, {met}")
        for kind, taken in pictures.seconds().items():
            met = f"bar {1000 * pictures.BAR:.0f} ms {verdict(taken <= pictures.BAR)}"
            print(f"a picture in a report, {kind}: {1000 * taken:.1f} ms of processor time, {met}")


if __name__ == "__main__":
    sys.exit(main())
