"""The mutation score of a problem: which mutants of its reference the cases kill."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from grader.author.calls import Calls, CheckedCall, earlier_cases, probe_cases
from grader.author.mutation import EvaluatedMutant, Mutation, mutation_points, mutations
from grader.author.text_changes import TEXT_CHANGES, explanations, given_lines
from grader.kit.arguments import Real
from grader.kit.mistakes import pitfall_sets
from grader.kit.problem import Case, Problem, arguments_of
from grader.kit.problem_error import ProblemError
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.oracle.expect import trace_once
from grader.program.data import Equation, Program
from grader.values.arrays import Array

COMPARISONS = ("lt", "le", "gt", "ge")

Place = tuple[int, str, str]
"""(line, operation, name of a mutation): this is the same in the programs of different sizes."""


@dataclass(frozen=True)
class FoundMutation:
    """A mutation at one equation of one program."""

    equation: Equation
    mutation: Mutation
    inside: bool


@dataclass(frozen=True)
class Mutant:
    """One mutation of the reference: the `number`-th at its place, or all of them where a loop over a size repeats it."""

    place: Place
    number: int | None
    found: FoundMutation

    @property
    def described(self) -> dict[str, Any]:
        return {"line": self.place[0], "name": self.found.mutation.name, "text": self.found.mutation.text}

    def equations(self, program: Mapping[Place, Sequence[FoundMutation]]) -> list[Equation]:
        """The equations of one program that this mutant changes, given its mutations; empty where it changes none."""
        here = program.get(self.place, ())
        return [found.equation for found in (here if self.number is None else here[self.number : self.number + 1])]


@dataclass(frozen=True)
class _Mutable:
    """A call, its program with the value of every variable, and the mutations of that program."""

    call: CheckedCall
    evaluated: EvaluatedMutant
    mutations: Mapping[Place, Sequence[FoundMutation]]

    def output(self, mutant: Mutant) -> Array | None:
        """The output of a mutant; None where an operation cannot take the shapes or indices that the mutant gives it."""
        try:
            return self.evaluated.changed(mutant.equations(self.mutations), mutant.found.mutation.change)
        except (ProblemError, ValueError, TypeError, IndexError, OverflowError, NotImplementedError):
            return None

    def differs(self, output: Array) -> bool:
        return self.call.distance(output, self.call.values) > MOST_TOLERANCES_WITH_PROGRAM

    def separates(self, mutant: Mutant) -> bool:
        """Whether the values of a mutant differ from the truth."""
        output = self.output(mutant) if mutant.equations(self.mutations) else None
        return output is not None and self.differs(output)

    def tells_program(self, mutant: Mutant) -> bool:
        """Whether the program of a mutant is wrong, though its values may be within the tolerance."""
        output = self.output(mutant) if mutant.equations(self.mutations) else None
        return output is not None and self.call.program_differs(output, lambda: self.call.uncertain)


def mutants(programs: Sequence[Mapping[Place, Sequence[FoundMutation]]]) -> list[Mutant]:
    """Every mutant of the programs of all cases, given their mutations."""
    counts: dict[Place, set[int]] = defaultdict(set)
    first: dict[Place, Sequence[FoundMutation]] = {}
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


def changeable(program: Program, given: Container[int] = ()) -> dict[Place, list[FoundMutation]]:
    """Every mutation of one program, by its place, but those of the lines that are given."""
    listed: dict[Place, list[FoundMutation]] = defaultdict(list)
    for point in mutation_points(program):
        if point.line in given:
            continue
        for mutation in mutations(point.equation, point.forms):
            place = (point.line, point.equation.operation, mutation.name)
            listed[place].append(FoundMutation(point.equation, mutation, point.inside))
    return listed


def mutation_score(problem: Problem, file: str, stub: str = "") -> dict[str, Any]:
    """Count the mutants that the cases kill.

    Args:
        file: the path of the worked answer.
        stub: the text of the stub. Lines that it has need no mutants.

    Returns:
        a document for JSON. `mutants` counts `killed` and the survivors; `equal` counts mutants that no call separates
        from the truth. `survivors`, `never_equal` and `explained` list mutants that no case kills, `stale` the
        explanations of mutants that do not survive, `candidates` the killed mutants that no pitfall names, likely human
        mistakes first. A mutant is `line`, `name`, `text`; a survivor also has `probe`, a case that would kill it, and one
        of `never_equal` has `argument`, which no case sets to a number that it is compared with.
    """
    return _MutationScore(problem, file, stub).document()


class _MutationScore:
    def __init__(self, problem: Problem, file: str, stub: str) -> None:
        self._problem = problem
        text = Path(file).read_text(encoding="utf-8")
        self._explanations, self._given = explanations(text), given_lines(text, stub)
        self._calls = Calls(problem)
        self._mutable_cases = [self._mutable(call) for call in self._calls.chosen]
        self._proposed = self._calls.beyond([*earlier_cases(problem, file), *probe_cases(problem)])
        self._made: list[_Mutable] = []

    def _mutable(self, call: CheckedCall) -> _Mutable:
        return _Mutable(call, EvaluatedMutant(call.traced), changeable(call.traced.live, self._given))

    def _probes(self) -> Iterator[_Mutable]:
        """Calls beyond the cases, each made when it is first needed."""
        yield from self._made
        for call in self._proposed:
            self._made.append(self._mutable(call))
            yield self._made[-1]

    @cached_property
    def _other_seeds(self) -> list[_Mutable]:
        return [self._mutable(call) for call in self._calls.on_other_seeds]

    @cached_property
    def _named(self) -> list[list[Array]]:
        """The outputs of each single pitfall on all cases."""
        return [
            [trace_once(self._problem, case, forms).exact for case in self._problem.cases]
            for _, forms in pitfall_sets(self._problem.pitfalls, 1)
        ]

    def document(self) -> dict[str, Any]:
        killed: list[Mutant] = []
        survivors: list[dict[str, Any]] = []
        explained: list[dict[str, Any]] = []
        never_equal: list[dict[str, Any]] = []
        equal = 0
        for mutant in mutants([call.mutations for call in self._mutable_cases]):
            is_killed = self._killed(mutant)
            if is_killed is None:
                continue
            if is_killed:
                killed.append(mutant)
            elif (probe := self._probe(mutant)) is None and not self._never_equal(mutant):
                equal += 1
            elif why := self._explanation(mutant):
                explained.append({**mutant.described, "why": why})
            elif probe is None:
                never_equal.append({**mutant.described, "argument": self._never_equal(mutant)})
            else:
                survivors.append({**mutant.described, "probe": list(probe)})
        unnamed = [mutant for mutant in killed if not self._is_named(mutant)]
        unnamed.sort(key=lambda mutant: (not mutant.found.mutation.human, mutant.found.inside, mutant.place[0]))
        used = {(line, entry["name"]) for entry in explained for line in (entry["line"], entry["line"] - 1)}
        stale = [
            {"line": line, "name": name}
            for line, name in self._explanations
            if (line, name) not in used and name not in TEXT_CHANGES
        ]
        return {
            "mutants": len(killed) + len(survivors) + len(never_equal),
            "killed": len(killed),
            "equal": equal,
            "survivors": _unique(survivors),
            "never_equal": _unique(never_equal),
            "explained": _unique(explained),
            "stale": stale,
            "candidates": _unique(mutant.described for mutant in unnamed),
        }

    def _killed(self, mutant: Mutant) -> bool | None:
        """Whether some case separates the mutant from the truth; None where it can be evaluated on no case."""
        containing = [mutable for mutable in self._mutable_cases if mutant.equations(mutable.mutations)]
        evaluated = 0
        for mutable in containing:
            output = mutable.output(mutant)
            evaluated += output is not None
            if output is not None and mutable.differs(output):
                return True
        # A mutant that raises on one case and is right on another is killed.
        return evaluated < len(containing) if evaluated else None

    def _probe(self, mutant: Mutant) -> Case | None:
        """A call beyond the cases that separates the mutant from the truth; None where there is none."""
        for mutable in self._probes():
            if mutable.separates(mutant):
                return mutable.call.case
        if any(mutable.tells_program(mutant) for mutable in self._mutable_cases):
            return None
        return next(
            (
                mutable.call.case
                for mutable in self._other_seeds
                if mutable.separates(mutant) and mutable.call.may_be_case
            ),
            None,
        )

    def _never_equal(self, mutant: Mutant) -> str:
        """The argument that the comparison of a mutant, which survives, compares with numbers of the inputs; else empty.

        No call that is tried has such a number, since nearly none of the numbers that are drawn has few digits.
        """
        if mutant.found.equation.operation not in COMPARISONS:
            return ""
        reads = [
            (mutable.call.case, compared)
            for mutable in self._mutable_cases
            for equation in mutant.equations(mutable.mutations)
            for compared in mutable.evaluated.read(equation)
        ]
        for index, (name, argument) in enumerate(arguments_of(self._problem).items(), start=1):
            if isinstance(argument, Real) and all(_compares(case[index], compared) for case, compared in reads):
                return name
        return ""

    def _explanation(self, mutant: Mutant) -> str:
        line, name = mutant.place[0], mutant.found.mutation.name
        return self._explanations.get((line, name)) or self._explanations.get((line - 1, name)) or ""

    def _is_named(self, mutant: Mutant) -> bool:
        """Whether one pitfall gives the same numbers as the mutant on every case."""
        left = self._named
        for index, mutable in enumerate(self._mutable_cases):
            call = mutable.call
            output = mutable.output(mutant) if mutant.equations(mutable.mutations) else call.values
            if output is None or output.size != call.values.size:
                return False
            left = [
                outputs
                for outputs in left
                if outputs[index].size == output.size
                and call.distance(outputs[index], output) <= MOST_TOLERANCES_WITH_PROGRAM
            ]
            if not left:
                return False
        return True


def _compares(value: float, compared: Sequence[Array]) -> bool:
    """Whether this value is compared with numbers of the inputs: those that are float32, since no operation rounded them."""
    return any(
        bool(np.all(side == value)) and bool(np.all(other == other.astype(np.float32)))
        for side, other in (compared, compared[::-1])
    )


def _unique(described: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """These mutants, with equal changes of one line listed once."""
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}
    for entry in described:
        kept.setdefault((entry["line"], entry["text"]), entry)
    return list(kept.values())
