"""Checks of a reference: it is deterministic, stable and right on this device, and its pitfalls give different numbers."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from grader.author import statement_checks as checks
from grader.author.calls import Calls, Outputs, diagnosis_of, far_from_truth, same_outputs, seed_in_words
from grader.author.case_gaps import faults_of_arguments
from grader.author.wording_checks import check_wording, claims, is_so
from grader.jaxpr.encode import Encoder
from grader.kit.arguments import related
from grader.kit.files import Unreadable, read_text
from grader.kit.mistakes import MistakeForm, Pitfall, pitfall_sets
from grader.kit.problem import Problem, differentiates
from grader.kit.problem_error import ProblemError
from grader.kit.solution import WORDS, bare
from grader.marking.facts import Truth
from grader.marking.program_comparison import AGREEMENT
from grader.oracle.expect import SAMPLES_FOR_KEY, drawn, forms_in_words, trace, trace_once, unstable
from grader.oracle.mistakes import MIN_DISTANCE, traced_sets
from grader.oracle.oracle import InThisProcess, Oracle
from grader.oracle.server import raised_at
from grader.oracle.steps import steps_of
from grader.program.arithmetic import quiet
from grader.program.data import NotAProgram
from grader.values.arrays import Array
from grader.values.places import FoundPlace
from grader.where.search import locate
from grader.where.steps import Steps
from grader.where.trial import SearchCase

Found = dict[str, Any]


def examine_declaration(problem: Problem, file: str) -> dict[str, Any]:
    """Examine what a problem declares, and the words of its mistakes. Nothing of the reference runs.

    Returns:
        a document for JSON: `findings` (each `check`, `line`, `message`, and `file` if it is not the worked answer);
        `parameters`; `facts`, what the statement must say of each argument, and `related`, the arguments that go together.
    """
    checked = _Checks(problem, Path(file))
    return {
        "parameters": list(problem.parameters),
        "findings": checked.found(checked.of_declaration()),
        "facts": {name: [*map(list, argument.facts)] for name, argument in problem.arguments.items()},
        "related": [[*related(relation)] for relation in problem.legal],
    }


def examine_reference(problem: Problem, file: str, *, may_be_infinite: bool) -> dict[str, Any]:
    """Examine what a reference gives on the cases, without its mistakes.

    Args:
        may_be_infinite: whether the statement mentions infinities.

    Returns:
        a document for JSON: `findings` as above.
    """
    checked = _Checks(problem, Path(file))
    return {"findings": checked.found(checked.of_reference(may_be_infinite=may_be_infinite))}


def examine_mistakes(problem: Problem, file: str) -> dict[str, Any]:
    """Examine the numbers of all pitfalls of a sound reference, alone and in pairs.

    Returns:
        a document for JSON: `findings` as above; `equals`, pairs of pitfalls that give the numbers of a single one, with the
        first forms for which they do; `sets`, how many sets of one and two pitfalls differ from the truth.
    """
    checked = _Checks(problem, Path(file))
    findings = checked.found(checked.of_mistakes())
    equals = [[*map(list, pair), forms] for pair, forms in checked.equals.items()]
    return {"findings": findings, "equals": equals, "sets": checked.sets}


def examine_places(problem: Problem, file: str) -> dict[str, Any]:
    """Look for the place of each pitfall, in its first form.

    An answer in another style may have a place where the reference has none, or none where the reference has one.

    Returns:
        a document for JSON: `places`, each `pitfall` and `lines`, those of the reference that were found.
    """
    asked = [_Asked(problem)]
    if problem.wrt:  # as for an answer, the value alone comes first
        asked.insert(0, _Asked(replace(problem, contract="", wrt=""), of_value=True))
    places: list[dict[str, Any]] = []
    for pitfall in problem.pitfalls:
        found = next((found for asked_problem in asked if (found := asked_problem.locate(pitfall))), [])
        places.append({"pitfall": pitfall.name, "lines": [place.place.line for place in found]})
    return {"places": places}


_NOT_FINITE = re.compile(r"\b(NaN|infinit|overflow|by zero)", re.IGNORECASE)


_FAR = f"{MIN_DISTANCE:g} tolerances off the truth"


@dataclass(frozen=True)
class _Made:
    """A pitfall in one of its forms, and the values that it gives on the cases."""

    pitfall: Pitfall
    form: MistakeForm
    outputs: list[Array]

    @property
    def name(self) -> str:
        return self.pitfall.name

    def __str__(self) -> str:
        return f"{self.name!r} ({forms_in_words((self.form,))})"


class _Checks:
    def __init__(self, problem: Problem, file: Path) -> None:
        self._problem, self._file = problem, file
        self._answer = ""
        with contextlib.suppress(Unreadable):  # reported when the answer is run
            self._answer = bare(read_text(file.with_name("answer.py")))
        self.line = inspect.unwrap(problem.reference).__code__.co_firstlineno
        self.equals: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}
        self.sets = 0

    def found(self, checks: Iterator[Found]) -> list[Found]:
        """What some checks find, up to a fault that would be all that the others repeat."""
        findings: list[Found] = []
        try:
            for check in checks:
                findings.append(check)
        except ProblemError as error:
            line = raised_at(error.__cause__, self._file) if error.__cause__ else None
            findings.append(self._here("reference", str(error), line))
        return findings

    def of_declaration(self) -> Iterator[Found]:
        for pitfall, check, message in check_wording(self._problem, self._answer):
            in_words = {"line": pitfall.words.line, "file": WORDS}
            yield {**self._of(check, pitfall, message), **(in_words if check != "name" else {})}
        for check, message in faults_of_arguments(self._problem):
            yield self._here(check, message)

    def of_reference(self, *, may_be_infinite: bool) -> Iterator[Found]:
        if fault := self._not_deterministic():
            yield self._here("deterministic", fault)
            return  # the other checks would only repeat it
        truth = self._oracle.truth()
        if not may_be_infinite and (fault := self._infinite(truth)):
            yield self._here("finite", fault)
        if fault := self._unstable(truth):
            yield self._here("unstable", fault)
        elif fault := checks.fault_of_axes(self._problem, truth.shapes):
            yield self._here("axes", fault)
        elif fault := checks.fault_of_picture_axes(self._problem, truth.shapes):
            yield self._here("picture", fault)

    def _here(self, check: str, message: str, line: int | None = None) -> Found:
        return {"check": check, "line": line or self.line, "message": message}

    @cached_property
    def _oracle(self) -> Oracle:
        """As a kit without solutions grades."""
        return Oracle(source=InThisProcess(self._problem), samples=SAMPLES_FOR_KEY)

    def _of(self, check: str, pitfall: Pitfall, message: str) -> Found:
        return self._here(check, message, pitfall.line)

    def _not_deterministic(self) -> str:
        for case in self._problem.cases:
            first, second = trace_once(self._problem, case).exact, trace(self._problem, case).exact
            if not np.array_equal(first, second, equal_nan=first.dtype.kind == "f"):
                return f"called twice with {case}, it gives different numbers: draw with jax.random, from `seed`"
        return ""

    def _infinite(self, truth: Truth) -> str:
        for case, due in zip(self._problem.cases, truth.expected, strict=True):
            if due.values.dtype.kind == "f" and not np.isfinite(due.values).all():
                where = int(np.flatnonzero(~np.isfinite(due.values))[0])
                return (
                    f"value {where} at {case} is {due.values[where]}, and the statement's Output does not say that some "
                    "values are: fix the worked answer, or say there which are `inf` or `nan`"
                )
        return ""

    def _unstable(self, truth: Truth) -> str:
        for case, due in zip(self._problem.cases, truth.expected, strict=True):
            where = unstable(trace_once(self._problem, case), due.values)
            if where is not None:
                return (
                    f"rounding noise alone moves value {where} at {case} by more than a hundredth of the scale (a tie, a "
                    "floor at a border?): choose a case that keeps off it"
                )
        return ""

    def of_mistakes(self) -> Iterator[Found]:
        sound: list[_Made] = []
        for pitfall in self._problem.pitfalls:
            for form in pitfall.forms:
                made = _Made(pitfall, form, list(Outputs(self._problem, (form,))))
                if far_from_truth(made.outputs, self._oracle):
                    self.sets += 1
                    sound.append(made)
                    yield from self._untrue(made)
                else:
                    advice = self._case_that_shows((form,)) or "add a case that shows it"
                    yield self._of("pitfall-is-right", pitfall, f"{made} is nowhere {_FAR}: {advice}, or drop it")
        for at, made in enumerate(sound):
            yield from self._equal_forms(made, sound[:at])
        yield from self._unguarded(sound)
        reported: set[frozenset[str]] = set()
        for made in sound:
            yield from self._diagnosed(made, reported)
        yield from self._pairs(sound)

    def _untrue(self, made: _Made) -> Iterator[Found]:
        """What the words of a mistake claim of its numbers, and is not so of this form."""
        truth, words = self._oracle.truth(), made.pitfall.words
        text = f"{words.why} {words.notes.get(made.form.label, '')}"
        for claim in claims(text, self._problem.axes, first=int(differentiates(self._problem))):
            cases = zip(self._problem.cases, made.outputs, truth.expected, truth.shapes, strict=True)
            if wrong := [case for case, values, due, shape in cases if not is_so(claim, values, due, shape)]:
                said = f"{made.name!r} says {claim.sentence!r}, and that is not so of ({made.form.shown}) at {wrong[0]}"
                yield {"check": "untrue", "line": words.line, "file": WORDS, "message": said}

    def _equal_forms(self, made: _Made, before: Sequence[_Made]) -> Iterator[Found]:
        for other in before:
            # Forms that are tried alone cost little, so they may give the same numbers as each other.
            if other.name != made.name or (other.form.alone and made.form.alone):
                continue
            if same_outputs(made.outputs, other.outputs, self._oracle):
                forms = f"{forms_in_words((made.form,))} and {forms_in_words((other.form,))}"
                advice = self._case_that_shows((made.form,), (other.form,)) or "add a case that tells them apart"
                message = f"{made.name!r} gives the same numbers for {forms}: drop one, or {advice}"
                yield self._of("equal-forms", made.pitfall, message)
                return

    def _unguarded(self, sound: Sequence[_Made]) -> Iterator[Found]:
        """Mistakes of which each form gives NaN, and whose words do not say so: those who guard a division make them too."""
        for pitfall in self._problem.pitfalls:
            cases = [self._not_finite(made.outputs) for made in sound if made.pitfall is pitfall]
            if cases and all(cases) and not _NOT_FINITE.search(pitfall.words.why):
                message = (
                    f"{pitfall.name!r} gives NaN or infinity at {cases[0]}, in each of its forms: add a form that avoids "
                    "it, such as `/ jnp.maximum(count, 1)`, or say in its words that NaN, infinity or an overflow is seen"
                )
                yield self._of("unguarded", pitfall, message)

    def _not_finite(self, outputs: list[Array]) -> tuple[int | float, ...] | None:
        """The first case with a value that is not finite where the right one is; None if there is none."""
        for case, given, due in zip(self._problem.cases, outputs, self._oracle.truth().expected, strict=True):
            if given.dtype.kind == "f" and np.isfinite(due.values).all() and not np.isfinite(given).all():
                return case
        return None

    def _diagnosed(self, made: _Made, reported: set[frozenset[str]]) -> Iterator[Found]:
        """The diagnosis of a pitfall's own numbers should be that pitfall and no other."""
        oracle = self._oracle
        typed = [values.astype(dtype) for values, dtype in zip(made.outputs, oracle.truth().dtypes, strict=True)]
        diagnosis = diagnosis_of(typed, oracle)
        if diagnosis is None or not diagnosis.explained:
            message = (
                f"{made} is not recognised by its own numbers (are all of them NaN, or lost in rounding?): add a case where "
                "they can be compared"
            )
            yield self._of("not-told", made.pitfall, message)
            return
        for names in (diagnosis.names, *diagnosis.alternatives):
            # Numbers of another length are told as that too, beside the pitfall.
            own = tuple(name for name in names if name != "wrong-length") == (made.name,)
            if own or frozenset((made.name, *names)) in reported:
                continue
            reported.add(frozenset((made.name, *names)))
            others = [forms for other, forms in pitfall_sets(self._problem.pitfalls, len(names)) if other == names]
            equal = [forms for forms in others if same_outputs(made.outputs, Outputs(self._problem, forms), oracle)]
            advice = (equal and self._case_that_shows((made.form,), equal[0])) or "add a case that tells them apart"
            message = (
                f"{made.name!r} and {' + '.join(map(repr, names))} give the same numbers on every case: {advice}, give them "
                "one name, or drop one"
            )
            yield self._of("equal-pitfalls", made.pitfall, message)

    def _pairs(self, sound: Sequence[_Made]) -> Iterator[Found]:
        by_name = {made.name: made.pitfall for made in sound}
        first = self._oracle.screening_case
        pairs = [pair for pair in pitfall_sets(self._problem.pitfalls, 2) if by_name.keys() >= {*pair[0]}]
        screened = {forms: traced.exact for (_, forms), traced in traced_sets(self._problem, pairs, first)}
        for (name, other), forms in pairs:
            outputs = Outputs(self._problem, forms, {first: screened[forms]} if forms in screened else {})
            if not far_from_truth(outputs, self._oracle):
                advice = self._case_that_shows(forms) or "add a case"
                message = f"{name!r} and {other!r} together are nowhere {_FAR}: say (not with {other}) of {name!r}"
                yield self._of("pair-is-right", by_name[name], f"{message}, or {advice}")
                continue
            self.sets += 1
            for made in sound:
                if same_outputs(outputs, made.outputs, self._oracle):
                    self.equals.setdefault(((name, other), (made.name,)), forms_in_words(forms))

    @cached_property
    def _calls(self) -> Calls:
        return Calls(self._problem)

    def _case_that_shows(self, forms: tuple[MistakeForm, ...], others: tuple[MistakeForm, ...] = ()) -> str:
        """The seed to take: with it, two mistakes (or one and the truth) differ. Empty if none is found."""
        for call in self._calls.on_other_seeds:
            one, other = (trace(self._problem, call.case, made).exact for made in (forms, others))
            if call.distance(one, other) >= MIN_DISTANCE and call.may_be_case:
                return f"take {seed_in_words(self._problem.parameters, call.case)}, which shows it"
        return ""


class _Asked:
    """A problem with its truth and the steps of its reference."""

    def __init__(self, problem: Problem, *, of_value: bool = False) -> None:
        self._problem = problem
        traced = [trace_once(problem, case) for case in problem.cases]
        self._due = [reference.exact for reference in traced]
        self._draws = [drawn(reference)[1] for reference in traced]
        self._steps: list[Steps] = steps_of(problem, of_value=of_value)
        self._file = traced[0].file

    def locate(self, pitfall: Pitfall) -> list[FoundPlace]:
        """The places of a pitfall; none if nothing is found, or the mistake leaves no program to search."""
        form = next((form for form in pitfall.forms if not form.alone), pitfall.forms[0])
        try:
            with quiet():
                return locate(self._cases((form,)))
        except NotAProgram:
            return []

    def _cases(self, forms: tuple[MistakeForm, ...]) -> Sequence[SearchCase]:
        encoder = Encoder(self._file)
        traced = [trace_once(self._problem, case, forms) for case in self._problem.cases]
        programs = [encoder.program(reference.alone) for reference in traced]
        allowed = [AGREEMENT * np.max(np.abs(due), initial=0.0, where=np.isfinite(due)) for due in self._due]
        return [
            SearchCase(program, numbers, due, np.full(due.shape, bound), steps)
            for program, numbers, due, bound, steps in zip(
                programs, self._draws, self._due, allowed, self._steps, strict=True
            )
        ]
