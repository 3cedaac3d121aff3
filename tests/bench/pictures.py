"""How long the picture of a report takes: a table of 33 rows and 64 columns, in a terminal of 80 columns."""

from __future__ import annotations

import io
import statistics
import time

from rich.console import Console

from grader.marking.verdict import Drawable
from grader.report.ink import Ink
from grader.report.picture import in_report
from tests.pictures.samples import CURVE, HEATMAP, WAVES, compared, waves

BAR = 0.020
"""Seconds of processor time."""
ROUNDS = 15


def seconds() -> dict[str, float]:
    """The median time of each kind of picture."""
    due, given = waves(33, 64), waves(33, 64, 1.0)
    samples = {
        HEATMAP: compared(due, given),
        WAVES: compared(due, given),
        CURVE: compared(due[:, 8], given[:, 8], "step"),
    }
    return {picture.kind: _median(Drawable((picture,), (one,))) for picture, one in samples.items()}


def _median(drawable: Drawable) -> float:
    console = Console(file=io.StringIO(), width=80, color_system="truecolor", force_terminal=True)
    taken: list[float] = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for line in in_report(drawable, 80, Ink(True, True)):
            console.print(line, no_wrap=True, crop=False)
        taken.append(time.process_time() - start)
    return statistics.median(taken)
