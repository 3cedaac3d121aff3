"""`python -m tests.bench.where`: for what share of the wrong answers of `tests/answers` the place is found, and how fast.

Those count that trace, give as many values of the right dtype as they should, in one dimension, and are wrong in them: a
verdict tells the place of no others. Nothing of the pitfalls is used.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import jax

from grader.jaxpr.compat import only_cpu
from grader.kit.kit import Kit
from grader.marking.answer_text import differentiated
from grader.marking.facts import Truth
from grader.marking.place_description import stands_in_derivatives
from grader.marking.program_comparison import compare
from grader.marking.requirements import CONTRACTS
from grader.oracle.expect import TracedReference, trace_once, truth_of
from grader.oracle.server import load
from grader.oracle.steps import steps
from grader.program.data import NotAProgram, Program, read
from grader.run.answer import contracts, process, tracing
from grader.run.answer.tracing import packed
from grader.values import frames
from grader.values.places import FoundPlace
from grader.where.search import locate, of_part
from grader.where.steps import Steps, size_of
from grader.where.trial import SearchCase
from tests import answers
from tests.answers import Written
from tests.bench.processes import machine
from tests.computed import Computed
from tests.conftest import ROOT
from tests.evaluated import InThisProcess


@dataclass
class Count:
    """The answers of one problem, or of all: how many were tried, and of how many the place was found."""

    tried: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    found: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    left_out: int = 0
    seconds: list[float] = field(default_factory=list[float])

    def add(self, explained: bool, found: bool, seconds: float) -> None:
        """Count one answer; `explained` says whether the problem knows its mistakes."""
        self.tried[explained] += 1
        self.found[explained] += found
        self.seconds.append(seconds)

    def __add__(self, other: Count) -> Count:
        return Count(
            {key: self.tried[key] + other.tried[key] for key in self.tried},
            {key: self.found[key] + other.found[key] for key in self.found},
            self.left_out + other.left_out,
            self.seconds + other.seconds,
        )

    def __str__(self) -> str:
        shares = [_share(self.found[key], self.tried[key]) for key in (True, False)]
        whole = _share(sum(self.found.values()), sum(self.tried.values()))
        median, most = (of(self.seconds) if self.seconds else 0.0 for of in (statistics.median, max))
        return f"{whole} {shares[0]} {shares[1]} {self.left_out:8} {median:8.2f} {most:6.2f}"


def _share(part: int, whole: int) -> str:
    return f"{part:4} of {whole:4} {part / whole:4.0%}" if whole else f"{'-':>17}"


class Measured:
    """A problem, with the steps of its reference on every case."""

    def __init__(self, kit: Kit, name: str) -> None:
        path = kit.answer(name)
        self._problem = load(path)
        self._file = str(path.resolve())
        self._oracle = Computed(self._problem)
        self.facts = self._oracle.facts()
        self.steps = self._steps([trace_once(self._problem, case) for case in self._problem.cases])
        self._value: tuple[Truth, list[Steps]] | None = None

    def _steps(self, traced: Sequence[TracedReference]) -> list[Steps]:
        return [steps(one) for one in traced]

    def cases(self, written: Written) -> list[list[SearchCase]]:
        """What the search is asked about an answer in turn; nothing if it does not trace, is right, or of another size.

        Where a derivative is judged, it is asked about the value alone first: a mistake in the value is there.
        """
        facts, asked = self.facts, list[list[SearchCase]]()
        if not self._wrong(written, facts.wrt, self._oracle.truth(), self.steps):
            return []
        if facts.wrt:
            if self._value is None:
                plain = replace(self._problem, contract="", wrt="")
                traced, truth = truth_of(plain)
                self._value = truth, self._steps(traced)
            asked.append(self._wrong(written, "", *self._value))
        asked.append(self._wrong(written, facts.wrt, self._oracle.truth(), self.steps))
        return [one for one in asked if one]

    def found(self, written: Written) -> tuple[list[FoundPlace], float] | None:
        """The places that a verdict tells where it names no mistake, and the seconds of the search.

        Returns:
            None where nothing is asked (see `cases`).
        """
        asked = self.cases(written)
        if not asked:
            return None
        start, found = time.process_time(), list[FoundPlace]()
        for cases in asked:
            found = found or locate(cases, of_part(1 / len(asked)))
        seconds = time.process_time() - start
        derived = set[int]() if self.facts.wrt else differentiated(written.text)
        if any(one.place.line in derived and not stands_in_derivatives(one) for one in found):
            found = []
        return found, seconds

    def _wrong(self, written: Written, wrt: str, truth: Truth, steps: Sequence[Steps]) -> list[SearchCase]:
        programs = self._programs(written, wrt, truth)
        if programs is None:
            return []
        try:
            exact = compare(InThisProcess(programs[0], truth.numbers, written.text), truth)
        except NotAProgram:
            return []
        if exact is None or not any(exact.differs):
            return []
        listed = zip(programs[1], truth.numbers, truth.expected, exact.allowed, steps, strict=True)
        return [SearchCase(one, drawn, due.values, allowed, made) for one, drawn, due, allowed, made in listed]

    def _programs(self, written: Written, wrt: str, truth: Truth) -> tuple[bytes, list[Program]] | None:
        file, facts = f"{written.title}.py", self.facts
        traces: list[tracing.CaseTrace] = []
        # An answer may change the settings of JAX, and the next one must not see that.
        jax.config.update("jax_enable_x64", False)
        function = process.load(written.text, file, facts.name, facts.parameters)
        with jax.default_matmul_precision("highest"), contextlib.suppress(tracing.CannotTrace):
            if wrt:
                contract = CONTRACTS[facts.contract]
                traces, _ = contracts.trace_under(contract, facts.argnum, function, facts.cases, file)
            else:
                traces = [tracing.trace(function, case) for case in facts.cases]
        jax.config.update("jax_enable_x64", False)
        forms = [one.program.out_avals[0] for one in traces if one.program is not None]
        if any(one.ndim != 1 or one.dtype.name != dtype for one, dtype in zip(forms, truth.dtypes, strict=False)):
            return None
        blob = packed(traces, file) if traces else None
        if blob is None:
            return None
        _, (text, *arrays) = frames.decode(blob)
        return blob, read(text.tobytes(), arrays)


def told(written: Written, found: list[FoundPlace], seconds: float) -> None:
    """Print what was found of one answer."""
    print(f"  {written.title}: {', '.join(written.mistakes)} ({seconds:.2f} s)")
    lines = written.text.splitlines()
    for one in found:
        place = one.place
        text = lines[place.line - 1].encode()
        end = place.end_column if place.end_line == place.line else len(text)
        shown = text[place.column : end].decode()
        print(f"    line {place.line}: {shown} | {one.kind} {one.operation} {one.reads} {one.change or ''}")
    if not found:
        print("    nothing")


def measured(kit: Kit, name: str, *, tell: bool = False) -> Count:
    """The wrong answers of one problem. With `tell`, what is found of each is printed."""
    problem, count = Measured(kit, name), Count()
    if tell:
        print(f"{name}: steps of {size_of(problem.steps)} bytes")
    for written in answers.read(name, "wrong"):
        searched = problem.found(written)
        if searched is None:
            count.left_out += 1
            continue
        found, seconds = searched
        count.add(written.explained, bool(found), seconds)
        if tell:
            told(written, found, seconds)
    return count


def main() -> int:
    """Print a row for each problem, and one for all of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.where", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the problems; without one, all")
    parser.add_argument("--told", action="store_true", help="print what is found of each answer")
    given = parser.parse_args()
    only_cpu()
    kit = Kit(ROOT)
    print(machine())
    print(f"{'problem':24} {'found':>17} {'explained':>17} {'unexplained':>17} left out   median   most", flush=True)
    whole = Count()
    for name in [kit.resolve(name) for name in given.names] or kit.names:
        count = measured(kit, name, tell=given.told)
        whole += count
        print(f"{name:24} {count}", flush=True)
    print(f"{'all':24} {whole}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
