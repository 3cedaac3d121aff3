"""The power of a problem's cases: how many mutants of its reference they kill, and which they let through."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from grader.author.mutate import Mutation, mutations
from grader.author.mutation_points import Evaluated, Path, sites
from grader.author.probe_cases import probes
from grader.jaxpr.interpret import Exact, replay
from grader.kit.problem import Case, Problem, ProblemError
from grader.marking.judge import IMPRECISE, Array, Expected, excess
from grader.oracle.expect import Traced, expect, trace_once

Place = tuple[int, str, str]
"""Line, operation and name of a mutation: what the programs of different sizes have in common."""


@dataclass(frozen=True)
class Found:
    """A mutation in one program."""

    path: Path
    mutation: Mutation
    inside: bool


@dataclass(frozen=True)
class Mutant:
    """One mutation of the reference: the `number`-th at its place, or all of them where a loop over a size repeats it."""

    place: Place
    number: int | None
    found: Found

    @property
    def described(self) -> dict[str, Any]:
        return {"line": self.place[0], "name": self.found.mutation.name, "text": self.found.mutation.text}

    def paths(self, there: Mapping[Place, Sequence[Found]]) -> list[Path]:
        """Where one program has it; empty where it has not."""
        here = there.get(self.place, ())
        return [found.path for found in (here if self.number is None else here[self.number : self.number + 1])]


@dataclass(frozen=True)
class _Call:
    """The truth of one call, its program with the value of every variable, and what can be changed in it."""

    case: Case
    due: Expected
    evaluated: Evaluated
    there: Mapping[Place, Sequence[Found]]

    def output(self, mutant: Mutant) -> Array | None:
        """What a mutant gives; None where it cannot be evaluated, with other shapes than an operation can take."""
        try:
            return self.evaluated.changed(mutant.paths(self.there), mutant.found.mutation.change)
        except (ProblemError, ValueError, TypeError, IndexError, OverflowError, NotImplementedError):
            return None

    def differs(self, output: Array) -> bool:
        return not _close(output, self.due)


def _close(values: Array, due: Expected) -> bool:
    return values.size == due.values.size and excess(values, due.values, due) <= IMPRECISE


def mutants(traces: Sequence[Mapping[Place, Sequence[Found]]]) -> list[Mutant]:
    """Every mutant of the programs of all cases."""
    counts: dict[Place, set[int]] = defaultdict(set)
    first: dict[Place, Sequence[Found]] = {}
    for there in traces:
        for place, here in there.items():
            counts[place].add(len(here))
            first.setdefault(place, here)
    listed: list[Mutant] = []
    for place, here in first.items():
        repeated = len(counts[place]) > 1
        listed += [Mutant(place, None if repeated else number, found) for number, found in enumerate(here)][
            : 1 if repeated else None
        ]
    return listed


def changeable(traced: Traced, file: str) -> dict[Place, list[Found]]:
    """What can be changed in one program."""
    there: dict[Place, list[Found]] = defaultdict(list)
    for site in sites(traced.program, file):
        for mutation in mutations(site.eqn):
            place = (site.line, site.eqn.primitive.name, mutation.name)
            there[place].append(Found(site.path, mutation, site.inside))
    return there


def power(problem: Problem, file: str) -> dict[str, Any]:
    """Count the mutants that the cases kill.

    Args:
        file: the path of the reference.

    Returns:
        a document for JSON: `mutants` (not equal to the truth, and not explained), `killed`, `equal`, `survivors`,
        `explained`, `stale` (explanations of what does not survive) and `candidates` (killed, and named by no pitfall;
        those that look like human mistakes first). A mutant is `line`, `name`, `text`; a survivor has a `probe`, a case
        that would kill it.
    """
    return _Power(problem, FilePath(file)).document()


class _Power:
    def __init__(self, problem: Problem, file: FilePath) -> None:
        self._problem, self._file = problem, str(file)
        self._explanations = explanations(file.read_text(encoding="utf-8"))
        self._calls = [self._call(case) for case in problem.cases]
        self._proposed = probes(problem)
        self._made: list[_Call] = []

    def _call(self, case: Case) -> _Call:
        traced = trace_once(self._problem, case, {})
        return _Call(
            case, expect(traced, by_row=self._problem.by_row), Evaluated(traced.program), changeable(traced, self._file)
        )

    def _probes(self) -> Iterator[_Call]:
        """Calls that the reference takes, each made when it is first needed; finite, unless some case is not."""
        yield from self._made
        finite = all(np.isfinite(call.due.values).all() for call in self._calls)
        for probe in self._proposed:
            try:
                call = self._call(probe)
            except ProblemError:
                continue  # a combination of sizes that makes no sense
            if not finite or np.isfinite(call.due.values).all():
                self._made.append(call)
                yield call

    @cached_property
    def _named(self) -> list[list[Array]]:
        """What each single pitfall gives on all cases."""
        return [
            [replay(trace_once(self._problem, case, knobs).program, Exact())[0] for case in self._problem.cases]
            for _, knobs in self._problem.sets(1)
        ]

    def document(self) -> dict[str, Any]:
        killed: list[Mutant] = []
        survivors: list[dict[str, Any]] = []
        explained: list[dict[str, Any]] = []
        equal = 0
        for mutant in mutants([call.there for call in self._calls]):
            fate = self._killed(mutant)
            if fate is None:
                continue
            if fate:
                killed.append(mutant)
            elif (probe := self._probe(mutant)) is None:
                equal += 1
            elif why := self._explanation(mutant):
                explained.append({**mutant.described, "why": why})
            else:
                survivors.append({**mutant.described, "probe": list(probe)})
        unnamed = [mutant for mutant in killed if not self._is_named(mutant)]
        unnamed.sort(key=lambda mutant: (not mutant.found.mutation.human, mutant.found.inside, mutant.place[0]))
        used = {(line, one["name"]) for one in explained for line in (one["line"], one["line"] - 1)}
        stale = [{"line": line, "name": name} for line, name in self._explanations if (line, name) not in used]
        return {
            "mutants": len(killed) + len(survivors),
            "killed": len(killed),
            "equal": equal,
            "survivors": _unique(survivors),
            "explained": _unique(explained),
            "stale": stale,
            "candidates": _unique(mutant.described for mutant in unnamed),
        }

    def _killed(self, mutant: Mutant) -> bool | None:
        """Whether some case tells the mutant from the truth; None where it can be evaluated on none."""
        having = [call for call in self._calls if mutant.paths(call.there)]
        evaluated = 0
        for call in having:
            output = call.output(mutant)
            evaluated += output is not None
            if output is not None and call.differs(output):
                return True
        # What raises on one case, and is right on another, is not right.
        return evaluated < len(having) if evaluated else None

    def _probe(self, mutant: Mutant) -> Case | None:
        """A call beyond the cases that tells the mutant from the truth."""
        for call in self._probes():
            if mutant.paths(call.there):
                output = call.output(mutant)
                if output is not None and call.differs(output):
                    return call.case
        return None

    def _explanation(self, mutant: Mutant) -> str:
        line, name = mutant.place[0], mutant.found.mutation.name
        return self._explanations.get((line, name)) or self._explanations.get((line - 1, name)) or ""

    def _is_named(self, mutant: Mutant) -> bool:
        """Whether a pitfall gives the mutant's numbers on every case."""
        left = self._named
        for index, call in enumerate(self._calls):
            output = call.output(mutant) if mutant.paths(call.there) else call.due.values
            if output is None:
                return False
            left = [
                outputs
                for outputs in left
                if outputs[index].size == output.size == call.due.values.size
                and excess(outputs[index], output, call.due) <= IMPRECISE
            ]
            if not left:
                return False
        return True


def explanations(text: str) -> dict[tuple[int, str], str]:
    """Survivors that the reference explains: `# survives NAME: why`, on the line of the operation or above it."""
    found: dict[tuple[int, str], str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if match := re.search(r"#\s*survives ([a-z0-9_-]+): *(\S.*)", line):
            found[number, match[1]] = match[2]
    return found


def _unique(described: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same change at the same line is told once."""
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in described:
        kept.setdefault((one["line"], one["text"]), one)
    return list(kept.values())
