"""Answers as people write them: right answers pass, and the mistakes of wrong answers are named."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jax
import pytest

from grader.author.lesson_form import ADVICE, ERROR, check_pitfalls
from grader.kit.solution import read_warned
from grader.marking import draws, requirements
from grader.marking.answer_evidence import AnswerEvidence
from grader.marking.attempt import Attempt, Traced
from grader.marking.conclude import conclude
from grader.marking.diagnosis import DETECTED_MISTAKES as GENERAL
from grader.marking.facts import ExpectedValues, MistakeSet, ProgramRequirements, Truth
from grader.marking.program_comparison import EvaluatedPrograms
from grader.marking.requirements import CONTRACTS
from grader.marking.verdict import Verdict
from grader.oracle import mistakes
from grader.oracle.expect import SAMPLES_FOR_KEY
from grader.oracle.server import load
from grader.report.as_json import verdict_to_json
from grader.run.answer import contracts, process, tracing
from grader.run.answer.exceptions import describe
from grader.values.arrays import Answered, Expected
from tests import answers
from tests.answers import Written
from tests.conftest import FLAGSHIP, SAMPLE, Command, copy_kit
from tests.evaluated import evaluated_programs
from tests.jaxpr.evaluating import as_reference
from tests.marking.evidence import Confirming
from tests.test_problems import KIT, NAMES, computed

REMOVED = ("a loop that never ends and changes nothing",)
"""Wrong answers to the flagship with a loop that JAX removes."""

NOT_AS_ONE_PROGRAM = {
    "a double loop with at-set": "long-trace",
    "rows appended and stacked": "long-trace",
    "piecewise, remat and an inner jit": "long-trace",
    "converts with float(), so it does not trace": "not-traceable",
    "prints while it works": "prints",
    "float32 scalars by NumPy, one column of JAX for each": "long-trace",
}


EVERY = 20
"""A plain run grades every twentieth answer to the flagship. `.ci/run` grades every tenth, and the first right ones to the
other problems of `SAMPLE`. `.ci/nightly` grades every answer."""


def in_run(problem: str, kind: str) -> dict[str, list[Written]]:
    """The answers that a plain run grades, those that `.ci/run` grades too, and the rest, by the mark of the tests."""
    listed = answers.read(problem, kind)
    few = listed[:COMPILED] if problem in SAMPLE and kind == "right" else []
    plain, ci = (listed[::EVERY], listed[:: EVERY // 2]) if problem == FLAGSHIP else ([], few)
    return {
        "": plain,
        "slow": [one for one in ci if one not in plain],
        "nightly": [one for one in listed if one not in ci and one not in plain],
    }


def listed(kind: str) -> list[Any]:
    return [
        pytest.param(
            problem, written, id=f"{problem}: {written.title}", marks=getattr(pytest.mark, often) if often else ()
        )
        for problem in NAMES
        for often, together in in_run(problem, kind).items()
        for written in together
    ]


COMPILED = 1
"""How many right answers to a problem other than the flagship the real command grades: each takes seconds to compile.

The audit grades the worked answer in the same way.
"""


AS_COMPILED = ("minus infinity times booleans, which JAX turns into a choice", "64 bits for more digits")
"""Right answers that need the real process: JAX changes an operation as it compiles, or 64 bits are turned off there."""


class Graded:
    """The verdicts on written answers by title. The answers to a problem are graded in one run, as an instructor would do.

    The real command grades right answers to the flagship, the first of each other problem, and answers to the flagship that
    make a common mistake: in float32 and compiled. The others are evaluated in this process, where nothing is compiled.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[tuple[str, str, str], dict[str, dict[str, Any]]] = {}

    def of(self, problem: str, kind: str, written: Written) -> dict[str, Any]:
        (often,) = (often for often, together in in_run(problem, kind).items() if written in together)
        group = problem, kind, often
        if group not in self.known:
            self.known[group] = self._graded(problem, kind, in_run(problem, kind)[often])
        return self.known[group][written.title]

    def _graded(self, problem: str, kind: str, written: Sequence[Written]) -> dict[str, dict[str, Any]]:
        real = {one.title: one.text for one in written if goes_through_the_command(problem, one)}
        if kind == "right" and problem != FLAGSHIP:
            real = {title: real[title] for at, title in enumerate(real) if at < COMPILED or title in AS_COMPILED}
        judged = {one.title: Here(problem, one).verdict() for one in written if one.title not in real}
        if not real:
            return judged
        kit = copy_kit(Path(tempfile.mkdtemp(prefix=problem, dir=self.folder)), problem)
        # The limit is in wall-clock seconds, and other tests run at the same time.
        return {**judged, **Command(kit, patience=1800.0).verdicts(real, "--cpu-limit", "600", name=problem)}


def goes_through_the_command(problem: str, written: Written) -> bool:
    """Whether the real command grades it. Its process follows the keys of an answer, and computes in 32 bits. 64 bits stay
    within it.
    """
    named = {*written.names}
    general = bool(GENERAL & named)
    return not written.mistakes or (problem == FLAGSHIP and general) or bool({draws.OTHER_INPUTS, "overflow"} & named)


@pytest.fixture(scope="session")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    return Graded(tmp_path_factory.mktemp("graded"))


@cache
class Quick(Confirming):
    """An oracle whose tolerances of mistakes come from as few noisy evaluations as those of an answer key."""

    def __init__(self, problem: str) -> None:
        self._whole = computed(problem)
        self.screening_case, self.precision = self._whole.screening_case, 0.0
        self._confirm = cache(lambda names, forms: mistakes.confirm(self._whole.problem, names, forms, SAMPLES_FOR_KEY))

    def truth(self) -> Truth:
        return self._whole.truth()

    def level(self, size: int) -> Sequence[MistakeSet]:
        return self._whole.level(size)

    def confirm(self, mistake: MistakeSet) -> list[Expected]:
        return self._confirm(mistake.names, mistake.forms)


class Here:
    """An answer that is evaluated in this process, operation by operation, and rounded to its dtype at the end.

    It is traced once, and never compiled.
    """

    def __init__(self, problem: str, written: Written, asked: ProgramRequirements | None = None) -> None:
        """
        Args:
            asked: what is asked of its program, if not what the problem asks.
        """
        self._problem, self._file, self._text = problem, f"{written.title}.py", written.text
        facts = computed(problem).facts()
        self._facts = facts if asked is None else replace(facts, asked=asked)
        self._function = process.load(written.text, self._file, problem, self._facts.parameters)
        process.turn_off_x64()
        with jax.default_matmul_precision("highest"):
            self._traces = [traced(self._function, case) for case in self._facts.cases]
            self._under, self._broken = self._trace_under()

    def verdict(self) -> dict[str, Any]:
        """The verdict on it, as JSON."""
        return verdict_to_json(self.concluded(Quick(self._problem), self.attempt()))

    def concluded(self, oracle: ExpectedValues, attempt: Attempt) -> Verdict:
        """The verdict on what its process sent."""
        value, derivative = self._evaluated(self._traces), None
        if self._facts.wrt:
            derivative = self._evaluated(self._under if self._broken is None else [])
        return conclude(AnswerEvidence(attempt, self._facts, oracle, programs=value, derivatives=derivative))

    def attempt(self) -> Attempt:
        """What the process of the answer would send."""
        facts = self._facts
        with jax.default_matmul_precision("highest"):
            answered = [value_of(one) for one in self._traces]
            if not facts.contract or any(one.array is None for one in answered):
                return Attempt(answered=answered)
            contract = CONTRACTS[facts.contract]
            if contract.transform:
                if self._broken is not None or not contract.compares:
                    return Attempt(answered=answered, broken=self._broken)
                return Attempt(answered=answered, transformed=[value_of(one) for one in self._under])
            if facts.asked == ProgramRequirements():
                return Attempt(answered=answered)
            try:
                outlines = tracing.outlines(self._function, facts.cases, (), self._file)
            except Exception as error:
                return Attempt(answered=answered, traced=Traced(stopped=describe(error, self._file)))
            return Attempt(answered=answered, traced=Traced(outlines))

    def _evaluated(self, traces: Sequence[tracing.CaseTrace]) -> EvaluatedPrograms | None:
        """Programs, evaluated in this process."""
        return evaluated_programs(traces, self._file, computed(self._problem).truth().numbers, self._text)

    def _trace_under(self) -> tuple[list[tracing.CaseTrace], dict[str, Any] | None]:
        """The traces under the contract, and how it is broken; none if the contract transforms nothing."""
        contract = CONTRACTS[self._facts.contract] if self._facts.contract else None
        if contract is None or not contract.transform:
            return [], None
        return contracts.trace_under(contract, self._facts.argnum, self._function, self._facts.cases, self._file)


def traced(function: Callable[..., Any], case: Sequence[int | float]) -> tracing.CaseTrace:
    """The program of a case, or its value if it does not trace."""
    try:
        return tracing.trace(function, case)
    except tracing.CannotTrace:
        return tracing.CaseTrace(None, tracing.given(function(*case)))


def value_of(traced: tracing.CaseTrace) -> Answered:
    if traced.concrete is not None:
        kind = traced.concrete.kind
        return Answered(traced.concrete.array, kind, instead=kind[4:] if kind.startswith("not:") else "")
    assert traced.program is not None
    (aval,) = traced.program.out_avals
    output = as_reference(traced.program).exact
    return Answered(output.astype(aval.dtype), aval.dtype.name)


@pytest.mark.parametrize(("problem", "written"), listed("right"))
def test_a_right_answer_passes(problem: str, written: Written, graded: Graded) -> None:
    verdict = graded.of(problem, "right", written)
    assert (verdict["status"], verdict["pitfalls"]) == ("correct", [])
    if problem == FLAGSHIP:
        expected = NOT_AS_ONE_PROGRAM.get(written.title)
        assert [insight["name"] for insight in verdict["insights"]] == ([expected] if expected else [])


@pytest.mark.parametrize(("problem", "written"), listed("wrong"))
def test_a_wrong_answer_is_named(problem: str, written: Written, graded: Graded) -> None:
    verdict = graded.of(problem, "wrong", written)
    assert verdict["status"] == "wrong"
    assert sorted(verdict["pitfalls"]) == sorted(written.names)
    assert verdict["explained"] is written.explained
    assert verdict["alternatives"] == []
    if problem == FLAGSHIP:
        expected = ["loop-removed"] if written.title in REMOVED else []
        assert [insight["name"] for insight in verdict["insights"]] == expected


@pytest.mark.parametrize(("problem", "written"), listed("raises"))
def test_a_mistake_that_raises_an_error_does_and_gets_advice(problem: str, written: Written, graded: Graded) -> None:
    verdict = graded.of(problem, "raises", written)
    assert verdict["status"] == "error"
    assert verdict["raised"]["advice"]


@pytest.mark.parametrize("problem", NAMES)
def test_there_are_several_right_styles(problem: str) -> None:
    titles = [written.title for written in answers.read(problem, "right")]
    assert len(titles) >= (30 if problem == FLAGSHIP else 3)
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("problem", NAMES)
def test_every_pitfall_that_people_make_is_among_the_wrong_answers(problem: str) -> None:
    written = answers.read(problem, "wrong")
    assert len(written) >= 5
    declared = {pitfall.name for pitfall in load(KIT.answer(problem)).pitfalls}
    known = {
        *declared,
        *GENERAL,
        *requirements.REQUIREMENT_NAMES,
        *(contract.mistake for contract in CONTRACTS.values()),
    }
    assert {name for one in written for name in one.names} <= known


@pytest.mark.parametrize("problem", NAMES)
def test_every_mistake_that_a_lesson_warns_of_is_among_the_wrong_answers(problem: str) -> None:
    assert [*check_pitfalls(KIT, problem)] == []
    made = {name for one in answers.read(problem, "wrong") for name in one.names}
    raised = {ERROR for _ in answers.read(problem, "raises")}
    warned = read_warned(KIT.words(problem).read_text())
    assert {name for one in warned for name in one.names} <= made | raised | {ADVICE}
