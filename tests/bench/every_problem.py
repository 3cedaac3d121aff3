"""The first verdict on every problem, timed with nothing saved and with the oracle saved, in a fresh copy of the kit.

Each answer has its own floor: the bare script with that answer. The right answer is the worked one. A wrong answer makes a
mistake that the problem names; an unexplained one costs the diagnosis the most, because every set of mistakes is tried.
`tests/answers` holds both, as people write them.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.kit.kit import Kit
from tests import answers
from tests.bench.processes import NOTHING_SAVED_BAR, SAVED_BAR, Floor, machine, spread, timed, verdict
from tests.conftest import copy_kit, worked_answer

BARS = {"nothing saved": NOTHING_SAVED_BAR, "saved": SAVED_BAR}
"""The states that the grader may find, and the largest ratio to the floor in each."""
WORST = 4
"""How many ratios are named at the end."""


@dataclass(frozen=True)
class Answer:
    """An answer to a problem, and the seconds of its processes: one item for each round."""

    problem: str
    kind: str
    text: str
    floor: list[float] = field(default_factory=list[float])
    graded: dict[str, list[float]] = field(default_factory=lambda: {state: [] for state in BARS})

    def ratios(self, state: str) -> list[float]:
        """The ratio of each round to the floor of the same round."""
        return [taken / base for taken, base in zip(self.graded[state], self.floor, strict=True)]

    def to_bar(self, state: str) -> float:
        """The median ratio as a part of its bar: above 1, the bar is missed."""
        return statistics.median(self.ratios(state)) / BARS[state]


def answers_to(kit: Kit, name: str) -> list[Answer]:
    """The worked answer, the first wrong one that the problem explains, and the first that nothing explains.

    Raises:
        ValueError: if `tests/answers` has no such wrong answers.
    """
    listed = answers.read(name, "wrong")
    wrong = next((one.text for one in listed if one.explained), None)
    # One with nothing to see in its form comes first.
    unexplained = next((one.text for one in sorted(listed, key=lambda one: len(one.names)) if not one.explained), None)
    if wrong is None or unexplained is None:
        raise ValueError(f"tests/answers/{name}/wrong.txt has no answer that is explained, or none that is not")
    texts = {"right": worked_answer(kit, name), "wrong": wrong, "unexplained": unexplained}
    return [Answer(name, kind, text) for kind, text in texts.items()]


def timed_in_turn(kit: Kit, name: str, rounds: int) -> list[Answer]:
    """The answers to one problem, with the seconds of every process: each runs once in each round.

    Raises:
        RuntimeError: if a process fails, or the verdict on an answer is not the expected one.
    """
    stub, given = kit.stub(name), answers_to(kit, name)
    shipped = stub.read_text()
    with tempfile.TemporaryDirectory() as folder:
        floors = {one.kind: Floor(Path(folder) / one.kind, kit, name, one.text) for one in given}
        saved = Path(folder) / "saved"
        _set_state(kit, None)
        for one in given:
            stub.write_text(one.text)
            _graded(kit, one)
        kit.state.rename(saved)
        for _ in range(rounds):
            for one in given:
                stub.write_text(one.text)
                one.floor.append(floors[one.kind]())
                for state, seconds in one.graded.items():
                    _set_state(kit, saved if state == "saved" else None)
                    seconds.append(_graded(kit, one))
    stub.write_text(shipped)
    return given


def _set_state(kit: Kit, saved: Path | None) -> None:
    """Have the kit's `.grader/` hold what `saved` holds; None: remove it."""
    shutil.rmtree(kit.state, ignore_errors=True)
    if saved is not None:
        shutil.copytree(saved, kit.state)


def _graded(kit: Kit, answer: Answer) -> float:
    return timed(kit.root, "-m", "grader", answer.problem, statuses=(0 if answer.kind == "right" else 1,))


def row(given: Sequence[Answer]) -> str:
    """What was measured of one problem, in one line: the medians, and a mark where a bar is missed."""
    cells: list[str] = []
    for one in given:
        cells.append(f"{statistics.median(one.floor):8.2f} s")
        for state, seconds in one.graded.items():
            missed = "!" if one.to_bar(state) > 1 else " "
            cells.append(f"{statistics.median(seconds):8.2f} s {statistics.median(one.ratios(state)):5.2f}{missed}")
    return f"{given[0].problem:24}{''.join(cells)}"


def heading() -> str:
    """Two lines above the rows: the kind of the answer above its floor, then what stands in each column."""
    columns = f"{'floor':>10}" + "".join(f"{state:>17}" for state in BARS)
    kinds = ("right", "wrong", "unexplained")
    above = "".join(f"{f'{kind} answer':>{len(columns)}}" for kind in kinds)
    return f"{'':24}{above}\n{'problem':24}{columns * len(kinds)}"


def worst(given: Sequence[Answer]) -> list[str]:
    """The ratios that are nearest to their bars, or farthest above them, in one line each."""
    every = sorted(((one.to_bar(state), one, state) for one in given for state in BARS), key=lambda each: -each[0])
    return [
        f"{one.problem}, {one.kind}, {state}: {spread(one.ratios(state))}, bar {BARS[state]:g} {verdict(part <= 1)}"
        for part, one, state in every[:WORST]
    ]


def main(names: Sequence[str], rounds: int) -> int:
    """Measure these problems, or all, and print a row for each. Returns 1 where a bar is missed, else 0."""
    print(machine())
    print(heading(), flush=True)
    every: list[Answer] = []
    with tempfile.TemporaryDirectory() as folder:
        kit = Kit(copy_kit(Path(folder)))
        for name in [kit.resolve(name) for name in names] or kit.names:
            given = timed_in_turn(kit, name, rounds)
            print(row(given), flush=True)
            every += given
    print("\n".join(["", "The worst:", *worst(every)]))
    return 0 if all(one.to_bar(state) <= 1 for one in every for state in BARS) else 1
