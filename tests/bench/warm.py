"""`python -m tests.bench.warm`: what `watch` takes from a save to the words, warm, and which part of a verdict took what.

The words are there when the verdict is, be it provisional; `whole` is the verdict that stays.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pexpect
import psutil

from grader.kit.kit import Kit
from tests.bench import events
from tests.bench.every_problem import answers_to
from tests.bench.processes import Floor, machine
from tests.conftest import FLAGSHIP, ROOT, clean_environment, copy_kit, worked_answer

TWELVE = (
    *("first_grad", "gae_scan", "sinusoidal_pos", "decay_rollout", "causal_attention", "transformer_block"),
    *("nnx_linear", "running_norm", "grouped_query", "kv_cache_decode", "tensor_parallel_mlp", "ring_attention"),
)
"""Two lessons of each track."""

MEDIAN_BAR, SLOWEST_BAR = 0.30, 1.0
"""The largest ratios to the floor of the flagship: of the median over all answers, and of the slowest of them."""

RIGHT = "correct|right so far"
"""What `watch` says first of a right answer."""

SECONDS_TO_GET_READY = 2.5
"""Seconds between a verdict and the next save: the next process gets ready meanwhile. A learner takes longer than that."""


class Watched:
    """A warm `watch` on one problem; each call saves a text and waits for the verdict."""

    def __init__(self, kit: Kit, name: str, environment: dict[str, str]) -> None:
        self._stub, self._count = kit.stub(name), 0
        self._terminal = pexpect.spawn(
            sys.executable,
            ["-m", "grader", "watch", name],
            cwd=str(kit.root),
            env={**clean_environment(), "TERM": "xterm", **environment},
            encoding="utf-8",
            timeout=120,
        )
        self._terminal.expect("q: quit")

    def saved(self, text: str, status: str) -> tuple[float, float, float]:
        """When the text was saved, when the first words were there, and when the verdict was that stays."""
        time.sleep(SECONDS_TO_GET_READY)
        self._count += 1
        begin = time.perf_counter()
        self._stub.write_text(f"{text}# {self._count}\n")
        self._terminal.expect(status)
        words = time.perf_counter()
        self._terminal.expect("q: quit")
        return begin, words, time.perf_counter()

    def memory(self) -> int:
        """The bytes of all its processes; pages that several of them share count once."""
        mine = psutil.Process(self._terminal.pid)
        total = 0
        for process in (mine, *mine.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += process.memory_full_info().pss
        return total

    def close(self) -> None:
        self._terminal.close(force=True)


@dataclass
class Warm:
    """The seconds of one kind of answer to a problem: one item for each round.

    Attributes:
        words: from the save to the first words.
        whole: from the save to the verdict that stays.
        parts: of each part of the verdict, if they were noted.
        memory: bytes of all processes of `watch`, once it waits for the next save.
    """

    problem: str
    kind: str
    words: list[float] = field(default_factory=list[float])
    whole: list[float] = field(default_factory=list[float])
    parts: list[dict[str, float]] = field(default_factory=list[dict[str, float]])
    memory: int = 0


def measured(kit: Kit, name: str, rounds: int, folder: Path | None = None, checkout: Path = ROOT) -> list[Warm]:
    """What the verdicts of a checkout on a right, a wrong and an unexplained answer take.

    With a folder, events are noted there.
    """
    environment = {"PYTHONPATH": str(checkout)}
    if folder is not None:
        noting = events.installed(folder)
        environment = {**noting, "PYTHONPATH": os.pathsep.join((noting["PYTHONPATH"], str(checkout)))}
    given = answers_to(kit, name)
    made = [Warm(name, one.kind) for one in given]
    with contextlib.closing(Watched(kit, name, environment)) as watched:
        for number in range(rounds + 1):
            for one, warm in zip(given, made, strict=True):
                begin, words, end = watched.saved(one.text, RIGHT if one.kind == "right" else "wrong")
                noted = events.taken(folder) if folder is not None else []
                if number:
                    warm.words.append(words - begin)
                    warm.whole.append(end - begin)
                    warm.parts.append(events.own_seconds(noted, begin, end))
        time.sleep(SECONDS_TO_GET_READY)
        made[0].memory = watched.memory()
    return made


def every(names: Sequence[str], rounds: int, *, parts: bool = False, kit: Path = ROOT) -> Iterator[list[Warm]]:
    """The same for each problem of a checkout. Each has its own kit, where a right answer leads to no other problem."""
    for name in names:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            noted = folder / "events"
            noted.mkdir()
            copied = Kit(copy_kit(folder / "kit", name, kit=kit))
            yield measured(copied, name, rounds, noted if parts else None, checkout=kit)


def heading() -> str:
    """What stands above the rows."""
    return f"{'save to words in watch, warm':24}" + "".join(f"{kind:>18}" for kind in ("right", "wrong", "unexplained"))


def row(warm: Sequence[Warm], floor: float) -> str:
    """One line of the table: the medians in seconds and as a part of the floor."""
    cells = [statistics.median(one.words) for one in warm]
    return f"{warm[0].problem:24}" + "".join(f"{seconds:9.2f} s {seconds / floor:5.2f} " for seconds in cells)


def summary(rows: Sequence[Sequence[Warm]], floor: float) -> Iterator[str]:
    """The lines below the rows: the median, the slowest, the verdicts that stay, the memory."""
    medians = {
        (one.problem, one.kind): (statistics.median(one.words), statistics.median(one.whole))
        for warm in rows
        for one in warm
    }
    words, whole = ([each[at] for each in medians.values()] for at in (0, 1))
    slowest = max(medians, key=lambda each: medians[each][0])
    for what, seconds, bar in (
        ("the median", statistics.median(words), MEDIAN_BAR),
        (f"the slowest, {slowest[0]}, {slowest[1]}", max(words), SLOWEST_BAR),
    ):
        met = "met" if seconds / floor <= bar else "MISSED"
        yield f"{what}: {seconds:.2f} s, {seconds / floor:.2f} of the floor, bar {bar:g} {met}"
    yield (
        f"the verdict that stays: median {statistics.median(whole):.2f} s, {statistics.median(whole) / floor:.2f} of the "
        f"floor; slowest {max(whole):.2f} s"
    )
    held = [warm[0].memory / 2**20 for warm in rows]
    yield f"all processes of a watch that waits: {statistics.median(held):.0f} MiB, at most {max(held):.0f} MiB"


def parts_of(warm: Sequence[Warm]) -> dict[str, float]:
    """The median seconds of each part."""
    seconds: dict[str, list[float]] = defaultdict(list)
    for one in warm:
        for parts in one.parts:
            for part in events.PARTS:
                seconds[part].append(parts.get(part, 0.0))
    return {part: statistics.median(each) for part, each in seconds.items()}


def twelve(rounds: int, floor: float, tell: Callable[[str], None]) -> None:
    """Tell the table of twelve lessons."""
    tell(heading())
    rows: list[list[Warm]] = []
    for warm in every(TWELVE, rounds):
        rows.append(warm)
        tell(row(warm, floor))
    for line in summary(rows, floor):
        tell(line)


def main() -> int:
    """Print a row for each problem, and with `--parts` what each part took."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.warm", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems; without one, twelve")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--all", action="store_true", help="all problems")
    parser.add_argument("--parts", action="store_true", help="also print the milliseconds of each part")
    parser.add_argument("--checkout", type=Path, default=ROOT, metavar="FOLDER", help="the grader of another checkout")
    given = parser.parse_args()
    checkout = given.checkout.resolve()
    kit = Kit(checkout)
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        floor = Floor(Path(folder) / "floor", kit, FLAGSHIP, worked_answer(kit, FLAGSHIP))
        base = statistics.median(floor() for _ in range(given.rounds + 4))
    print(f"floor {base:.2f} s\n{heading()}", flush=True)
    rows: list[list[Warm]] = []
    for warm in every(
        given.names or (kit.names if given.all else TWELVE), given.rounds, parts=given.parts, kit=checkout
    ):
        rows.append(warm)
        print(row(warm, base), flush=True)
        for one in warm if given.parts else ():
            listed = ", ".join(f"{part} {1000 * s:.0f}" for part, s in parts_of([one]).items() if s >= 0.002)
            print(f"    {one.kind}: {listed}", flush=True)
    if given.parts:
        listed = ", ".join(
            f"{part} {1000 * s:.0f}" for part, s in parts_of([one for warm in rows for one in warm]).items()
        )
        print(f"median of each part, in ms: {listed}")
    print("\n".join(summary(rows, base)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
