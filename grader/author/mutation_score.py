"""The mutation score of a problem: how many mutants of its reference the cases kill, and which mutants survive."""

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
from grader.author.mutation_points import Evaluated, Path, mutation_points
from grader.author.probe_cases import probe_cases
from grader.jaxpr.interpret import replay
from grader.kit.problem import Case, Problem, ProblemError, pitfall_sets
from grader.marking.judge import IMPRECISE, Array, Expected, excess
from grader.oracle.expect import Traced, expect, trace_once
from grader.program.arithmetic import Exact

Place = tuple[int, str, str]
"""(line, operation, name of a mutation): this is the same in the programs of different sizes."""


@dataclass(frozen=True)
class Found:
    """A mutation at one equation of one program."""

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

    def paths(self, program: Mapping[Place, Sequence[Found]]) -> list[Path]:
        """Where one program has this mutant, given its mutations; empty where it has not."""
        here = program.get(self.place, ())
        return [found.path for found in (here if self.number is None else here[self.number : self.number + 1])]


@dataclass(frozen=True)
class _Call:
    """One call: its expected values, its program with the value of every variable, and the mutations of that program."""

    case: Case
    due: Expected
    evaluated: Evaluated
    mutations: Mapping[Place, Sequence[Found]]

    def output(self, mutant: Mutant) -> Array | None:
        """The output of a mutant; None where an operation cannot take the shapes or indices that the mutant gives it."""
        try:
            return self.evaluated.changed(mutant.paths(self.mutations), mutant.found.mutation.change)
        except (ProblemError, ValueError, TypeError, IndexError, OverflowError, NotImplementedError):
            return None

    def differs(self, output: Array) -> bool:
        return not _close(output, self.due)


def _close(values: Array, due: Expected) -> bool:
    return values.size == due.values.size and excess(values, due.values, due) <= IMPRECISE


def mutants(programs: Sequence[Mapping[Place, Sequence[Found]]]) -> list[Mutant]:
    """Every mutant of the programs of all cases, given their mutations."""
    counts: dict[Place, set[int]] = defaultdict(set)
    first: dict[Place, Sequence[Found]] = {}
    for program in programs:
        for place, here in program.items():
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
    """Every mutation of one program, by its place."""
    listed: dict[Place, list[Found]] = defaultdict(list)
    for point in mutation_points(traced.program, file):
        for mutation in mutations(point.eqn):
            place = (point.line, point.eqn.primitive.name, mutation.name)
            listed[place].append(Found(point.path, mutation, point.inside))
    return listed


def mutation_score(problem: Problem, file: str) -> dict[str, Any]:
    """Count the mutants that the cases kill.

    Args:
        file: the path of the reference.

    Returns:
        a document for JSON. `mutants` counts `killed` and the survivors; `equal` counts mutants that no call separates
        from the truth. `survivors` and `explained` list mutants that no case kills, `stale` the explanations of mutants
        that do not survive, `candidates` the killed mutants that no pitfall names, likely human mistakes first. A mutant
        is `line`, `name`, `text`; a survivor also has `probe`, a case that would kill it.
    """
    return _MutationScore(problem, FilePath(file)).document()


class _MutationScore:
    def __init__(self, problem: Problem, file: FilePath) -> None:
        self._problem, self._file = problem, str(file)
        self._explanations = explanations(file.read_text(encoding="utf-8"))
        self._calls = [self._call(case) for case in problem.cases]
        self._proposed = probe_cases(problem)
        self._made: list[_Call] = []

    def _call(self, case: Case) -> _Call:
        traced = trace_once(self._problem, case, {})
        return _Call(
            case, expect(traced, by_row=self._problem.by_row), Evaluated(traced.program), changeable(traced, self._file)
        )

    def _probes(self) -> Iterator[_Call]:
        """Calls beyond the cases, each made when it is first needed. Their values are finite, if those of all cases are."""
        yield from self._made
        finite = all(np.isfinite(call.due.values).all() for call in self._calls)
        for probe in self._proposed:
            try:
                call = self._call(probe)
            except ProblemError:
                continue  # the reference refuses sizes that make no sense together
            if not finite or np.isfinite(call.due.values).all():
                self._made.append(call)
                yield call

    @cached_property
    def _named(self) -> list[list[Array]]:
        """The outputs of each single pitfall on all cases."""
        return [
            [replay(trace_once(self._problem, case, knobs).program, Exact())[0] for case in self._problem.cases]
            for _, knobs in pitfall_sets(self._problem, 1)
        ]

    def document(self) -> dict[str, Any]:
        killed: list[Mutant] = []
        survivors: list[dict[str, Any]] = []
        explained: list[dict[str, Any]] = []
        equal = 0
        for mutant in mutants([call.mutations for call in self._calls]):
            is_killed = self._killed(mutant)
            if is_killed is None:
                continue
            if is_killed:
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
        """Whether some case separates the mutant from the truth; None where it can be evaluated on no case."""
        containing = [call for call in self._calls if mutant.paths(call.mutations)]
        evaluated = 0
        for call in containing:
            output = call.output(mutant)
            evaluated += output is not None
            if output is not None and call.differs(output):
                return True
        # A mutant that raises on one case and is right on another is killed.
        return evaluated < len(containing) if evaluated else None

    def _probe(self, mutant: Mutant) -> Case | None:
        """A call beyond the cases that separates the mutant from the truth; None where there is none."""
        for call in self._probes():
            if mutant.paths(call.mutations):
                output = call.output(mutant)
                if output is not None and call.differs(output):
                    return call.case
        return None

    def _explanation(self, mutant: Mutant) -> str:
        line, name = mutant.place[0], mutant.found.mutation.name
        return self._explanations.get((line, name)) or self._explanations.get((line - 1, name)) or ""

    def _is_named(self, mutant: Mutant) -> bool:
        """Whether one pitfall gives the same numbers as the mutant on every case."""
        left = self._named
        for index, call in enumerate(self._calls):
            output = call.output(mutant) if mutant.paths(call.mutations) else call.due.values
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
    """The comments `# survives NAME: why` of a reference, by (line, name): on the line of the operation or above it."""
    found: dict[tuple[int, str], str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if match := re.search(r"#\s*survives ([a-z0-9_-]+): *(\S.*)", line):
            found[number, match[1]] = match[2]
    return found


def _unique(described: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same change at the same line is listed once."""
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in described:
        kept.setdefault((one["line"], one["text"]), one)
    return list(kept.values())
