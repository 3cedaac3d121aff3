"""The mutation score of a problem: which mutants of its reference the cases kill, and which near misses."""

from __future__ import annotations

import ast
import random
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.author.calls import CheckedCall, calls_beyond, calls_on_other_seeds
from grader.author.mutation import EvaluatedMutant, Mutation, mutation_points, mutations
from grader.kit.files import Unreadable, read_text
from grader.kit.mistakes import pitfall_sets
from grader.kit.problem import Case, Problem, arguments_of, fault_of
from grader.kit.problem_error import ProblemError
from grader.kit.solution import Solution, bare
from grader.marking.comparison import MOST_TOLERANCES_WITH_PROGRAM
from grader.oracle.calls import cost
from grader.oracle.expect import trace, trace_once, uncertain
from grader.program.data import Equation, Program
from grader.values.arrays import Array
from grader.values.places import lines_of

PROBES_PROPOSED, PROBES_MADE = 60, 16
"""How many calls are proposed, and about how many are made. JAX compiles a draw once for each size, so few are made."""

MOST_TIMES_THE_COST = 4
"""A probe may cost this many times as much as the most expensive case; see `COST_OF_TINY_CASES`."""

COST_OF_TINY_CASES = 400
"""Where all cases are tiny, a probe may cost at least as much as this."""


def probe_cases(problem: Problem) -> Iterator[Case]:
    """Other legal arguments, cheap ones first, none of them a case.

    A combination that makes no sense, and that the problem does not declare as such, is left to the reference to refuse.
    """
    arguments = arguments_of(problem)
    seeds, *sizes = zip(*problem.cases, strict=True)
    near = (each.near(column) for each, column in zip(arguments.values(), sizes, strict=True))
    columns = [sorted({*seeds, 1, 2, 3}), *near]
    largest = max(COST_OF_TINY_CASES, MOST_TIMES_THE_COST * max(cost(case) for case in problem.cases))
    drawn = random.Random(0)
    found: set[Case] = set()
    for case in problem.cases:
        for index, column in enumerate(columns):
            found.update(
                (*case[:index], value, *case[index + 1 :]) for value in drawn.sample(column, min(3, len(column)))
            )
    for _ in range(PROBES_PROPOSED):
        found.add(tuple(drawn.choice(column) for column in columns))
    cheap = (probe for probe in found - set(problem.cases) if cost(probe) <= largest and not fault_of(problem, probe))
    fitting = sorted(cheap, key=cost)
    yield from fitting[:: max(1, len(fitting) // PROBES_MADE)]


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


def given_lines(text: str, stub: str) -> set[int]:
    """The lines of a worked answer that the stub has too: nobody gets them wrong."""
    given = {line.strip() for line in lines_of(stub)} - {""}
    return {number for number, line in enumerate(lines_of(text), start=1) if line.strip() in given}


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
        from the truth. `survivors` and `explained` list mutants that no case kills, `stale` the explanations of mutants
        that do not survive, `candidates` the killed mutants that no pitfall names, likely human mistakes first. A mutant
        is `line`, `name`, `text`; a survivor also has `probe`, a case that would kill it.
    """
    return _MutationScore(problem, Path(file).read_text(encoding="utf-8"), stub).document()


class _MutationScore:
    def __init__(self, problem: Problem, text: str, stub: str) -> None:
        self._problem = problem
        self._explanations, self._given = explanations(text), given_lines(text, stub)
        self._mutable_cases = [self._mutable(CheckedCall(problem, case)) for case in problem.cases]
        self._chosen = [mutable.call for mutable in self._mutable_cases]
        self._proposed = calls_beyond(problem, probe_cases(problem), self._chosen)
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
        return [self._mutable(call) for call in calls_on_other_seeds(self._problem, self._chosen)]

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
        equal = 0
        for mutant in mutants([call.mutations for call in self._mutable_cases]):
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
        used = {(line, entry["name"]) for entry in explained for line in (entry["line"], entry["line"] - 1)}
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


def explanations(text: str) -> dict[tuple[int, str], str]:
    """The comments `# survives NAME: why` of a reference, by (line, name): on the line of the operation or above it."""
    found: dict[tuple[int, str], str] = {}
    for number, line in enumerate(lines_of(text), start=1):
        if match := re.search(r"#\s*survives ([a-z0-9_-]+): *(\S.*)", line):
            found[number, match[1]] = match[2]
    return found


def _unique(described: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """These mutants, with equal changes of one line listed once."""
    kept: dict[tuple[Any, ...], dict[str, Any]] = {}
    for entry in described:
        kept.setdefault((entry["line"], entry["text"]), entry)
    return list(kept.values())


RELATIVE_CHANGE = 1e-5
"""The relative change of a constant."""

EXPLAINED = "near-miss"
"""The name in the comment `# survives near-miss: why`."""


@dataclass(frozen=True)
class NearMiss:
    """An answer with one changed constant: where the constant is, its right value, and the text with the wrong one."""

    line: int
    column: int
    value: float
    text: str


def near_misses(text: str) -> Iterator[NearMiss]:
    """The answer with one of its float constants changed, for each of them that is not zero."""
    lines = [line.rstrip("\r\n") for line in lines_of(text)]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and type(node.value) is float and node.value:
            line = lines[node.lineno - 1].encode()  # the columns of a syntax tree count bytes
            changed = line[: node.col_offset] + repr(wrong(node.value)).encode() + line[node.end_col_offset :]
            whole = [*lines[: node.lineno - 1], changed.decode(), *lines[node.lineno :]]
            yield NearMiss(node.lineno, node.col_offset, node.value, "\n".join(whole))


def wrong(value: float) -> float:
    """A constant with another fifth digit."""
    return float(f"{value * (1 + RELATIVE_CHANGE):.12g}")


def examine_near_misses(problem: Problem, file: str, stub: str = "") -> dict[str, Any]:
    """Find the near misses of the worked answer that no case tells from the truth, though another seed of a case does.

    Args:
        file: the path of the worked answer.
        stub: the text of the stub. Lines that it has need no near misses.

    Returns:
        a document for JSON: `near_misses`, each `line`, `text`, and `probe`, a case that would tell it.
    """
    path = Path(file)
    try:
        text = read_text(path)
        explained = {line for line, name in explanations(text) if name == EXPLAINED}
        given = given_lines(text, stub)
        text = bare(text, numbered=True)
    except (Unreadable, SyntaxError):
        return {"near_misses": []}  # reported when the answer is run
    calls = _Calls(problem)
    found: list[dict[str, Any]] = []
    for near in near_misses(text):
        if near.line in given or not explained.isdisjoint((near.line, near.line - 1)):
            continue
        if probe := calls.probe(near, str(path)):
            found.append({"line": near.line, "text": f"{wrong(near.value)}` for `{near.value}", "probe": list(probe)})
    return {"near_misses": found}


class _Calls:
    """The cases and other seeds of them, to try near misses on."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._chosen = [CheckedCall(problem, case) for case in problem.cases]

    @cached_property
    def _others(self) -> list[CheckedCall]:
        return calls_on_other_seeds(self._problem, self._chosen)

    def probe(self, near: NearMiss, file: str) -> Case | None:
        """A call that tells a near miss, if no case does; None where some case does, or no call."""
        problem = self._problem
        try:
            answer = replace(problem, solution=Solution(problem.name, file, near.text, ()))
        except Exception:  # the answer's own code may raise anything, and that is reported when the answer is run
            return None
        if any(_told(answer, call) for call in self._chosen):
            return None
        return next((call.case for call in self._others if _told(answer, call) and call.may_be_case), None)


def _told(answer: Problem, call: CheckedCall) -> bool:
    try:
        traced = trace(answer, call.case)
        values = traced.exact
    except ProblemError:
        return True  # what has no program is judged by its values alone
    return call.program_differs(values, lambda: uncertain(traced))
