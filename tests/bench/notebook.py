"""`python -m tests.bench.notebook`: what `grader.check` adds to an answer in a real kernel of Jupyter, once it is warm.

A cell defines the answer, and the next one checks it, in turn a wrong and a right one. What is added is the time of the
call, with the report made as HTML and as text, without the seconds of the answer's own process. It is told as a part of the
floor: the bare script with that answer.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from grader.kit.kit import Kit
from tests.bench.processes import Floor, machine, spread, verdict
from tests.conftest import FLAGSHIP, ROOT, copy_kit, worked_answer

BAR = 0.35
"""The largest part of the floor that may be added."""
PAUSE = 2.0
"""Seconds between two checks, in which the next process gets ready. A learner takes longer than that."""
SETUP = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nimport time\nimport jax\nimport grader"
CHECK = """\
start = time.perf_counter()
report = grader.check("{name}")
report._repr_mimebundle_()
print(report.status, time.perf_counter() - start, report.seconds)
"""


def timed(kit: Kit, name: str, texts: list[str]) -> list[tuple[str, float, float]]:
    """Check texts one after the other in one kernel. For each: the status, the seconds of the call, those of the answer."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SETUP)])
    client = NotebookClient(book, timeout=300, resources={"metadata": {"path": str(kit.root)}})
    found: list[tuple[str, float, float]] = []
    with client.setup_kernel():
        client.execute_cell(book.cells[0], 0)
        for number, text in enumerate(texts):
            for source in (f"{text}\n# {number}", CHECK.format(name=name)):
                book.cells.append(nbformat.v4.new_code_cell(source))
                client.execute_cell(book.cells[-1], len(book.cells) - 1)
            status, whole, answer = book.cells[-1].outputs[0].text.split()
            found.append((status, float(whole), float(answer)))
            time.sleep(PAUSE)
    return found


def main() -> int:
    """Print a row for each kind of answer. Returns 1 if the bar is missed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.notebook", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as made:
        kit = Kit(copy_kit(Path(made) / "kit", FLAGSHIP))
        right = worked_answer(kit, FLAGSHIP)
        wrong = right.replace("-2 * pairs", "-pairs").replace("jnp.stack", "jnp.concatenate")
        floor = Floor(Path(made) / "floor", kit, FLAGSHIP, right)
        floors = [floor() for _ in range(rounds)]
        first, *warm = timed(kit, FLAGSHIP, [wrong, right] * (rounds + 1))
    base, met = statistics.median(floors), True
    print(machine())
    print(f"floor: {spread(floors, ' s')}; first check, nothing saved: {first[1]:.2f} s")
    for status in ("correct", "wrong"):
        listed = [(whole, whole - answer) for found, whole, answer in warm if found == status]
        parts = [added / base for _, added in listed]
        met = met and statistics.median(parts) <= BAR
        print(
            f"grader.check, warm, {status:8} {spread([whole for whole, _ in listed], ' s')}, "
            f"added, as a part of the floor: {spread(parts)}, bar {BAR:g} {verdict(statistics.median(parts) <= BAR)}"
        )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
