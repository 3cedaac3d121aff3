"""Answers as people write them, through the real command: right ones pass, wrong ones are named, nobody is blamed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jax
import pytest

from grader import general
from grader.contract import KEYS, Broken
from grader.contract import NAMES as CONTRACT_NAMES
from grader.grade import conclude
from grader.judge import Answered
from grader.oracle.replay import Exact, replay
from grader.oracle.serve import load
from grader.report.as_json import verdict_to_json
from grader.run import answer, contracts, tracing
from grader.run.returned import Attempt
from tests import answers
from tests.answers import Written
from tests.conftest import FLAGSHIP, Command, copy_kit
from tests.test_problems import KIT, NAMES, computed, others_are_slow

NOT_AS_ONE_PROGRAM = {
    "a double loop with at-set": "long-trace",
    "rows appended and stacked": "long-trace",
    "converts with float(), so it does not trace": "not-traceable",
}


def listed(kind: str) -> list[Any]:
    return [
        pytest.param(problem, written, id=f"{problem}: {written.title}", marks=others_are_slow(problem))
        for problem in NAMES
        for written in answers.read(problem, kind)
    ]


@cache
def verdicts(kit: Path, problem: str, kind: str) -> dict[str, dict[str, Any]]:
    """Of the flagship, the right answers and those whose form is wrong, in one go, as an instructor would grade them; all
    others without processes."""
    written = answers.read(problem, kind)
    form = set(general.NAMES)
    real = [one for one in written if problem == FLAGSHIP and (kind == "right" or form & {*one.names})]
    oracle = computed(problem)
    given = {one.title: attempted(problem, one) for one in written if one not in real}
    judged = {title: verdict_to_json(conclude(one, oracle.facts, oracle)) for title, one in given.items()}
    return {**judged, **graded_for_real(kit, problem, kind, real)}


def graded_for_real(kit: Path, problem: str, kind: str, written: Sequence[Written]) -> dict[str, dict[str, Any]]:
    if not written:
        return {}
    folder = kit / "answers" / problem / kind
    folder.mkdir(parents=True, exist_ok=True)
    options: list[str] = []
    for number, one in enumerate(written):
        (folder / f"{number}.py").write_text(one.text)
        options += ["--answer", str(folder / f"{number}.py")]
    document = Command(kit).json("check", problem, *options)
    return {one.title: verdict for one, verdict in zip(written, document["verdicts"], strict=True)}


def attempted(problem: str, written: Written) -> Attempt:
    """What an answer gives, operation by operation, and rounded to its dtype at last: nothing is compiled."""
    facts = computed(problem).facts
    file = f"{written.title}.py"
    function = answer.load(written.text, file, problem, len(facts.parameters))
    with jax.default_matmul_precision("highest"):
        answered = [in_this_process(function, case) for case in facts.cases]
        if not facts.contract or any(one.array is None for one in answered):
            return Attempt(answered=answered)
        position = facts.parameters.index(facts.by) if facts.by else 0
        traces, broken = contracts.look(facts.contract, position, function, facts.cases, file)
        if broken is not None or facts.contract == KEYS:
            return Attempt(answered=answered, broken=None if broken is None else Broken(**broken))
        return Attempt(answered=answered, kept=[value_of(one) for one in traces])


def in_this_process(function: Callable[..., Any], case: Sequence[int | float]) -> Answered:
    try:
        return value_of(tracing.trace(function, case))
    except tracing.CannotTrace:
        return value_of(tracing.Trace(None, tracing.given(function(*case))))


def value_of(traced: tracing.Trace) -> Answered:
    if traced.concrete is not None:
        kind = traced.concrete.kind
        return Answered(traced.concrete.array, kind, instead=kind[4:] if kind.startswith("not:") else "")
    assert traced.program is not None
    (aval,) = traced.program.out_avals
    (output,) = replay(traced.program, Exact())
    return Answered(output.astype(aval.dtype), aval.dtype.name)


@pytest.mark.parametrize(("problem", "written"), listed("right"))
def test_a_right_answer_passes(problem: str, written: Written, shared_kit: Path) -> None:
    verdict = verdicts(shared_kit, problem, "right")[written.title]
    assert (verdict["status"], verdict["pitfalls"]) == ("correct", [])
    if problem == FLAGSHIP:
        expected = NOT_AS_ONE_PROGRAM.get(written.title)
        assert [insight["name"] for insight in verdict["insights"]] == ([expected] if expected else [])


@pytest.mark.parametrize(("problem", "written"), listed("wrong"))
def test_a_wrong_answer_is_named(problem: str, written: Written, shared_kit: Path) -> None:
    verdict = verdicts(shared_kit, problem, "wrong")[written.title]
    assert verdict["status"] == "wrong"
    assert sorted(verdict["pitfalls"]) == sorted(written.names)
    assert verdict["explained"] is written.explained
    assert verdict["alternatives"] == []


@pytest.mark.slow
@pytest.mark.parametrize("problem", NAMES)
def test_right_answers_pass_through_the_real_command_compiled_in_float32(problem: str, tmp_path: Path) -> None:
    kit = copy_kit(tmp_path, problem)
    given = graded_for_real(kit, problem, "right", answers.read(problem, "right"))
    assert {title: one["message"] for title, one in given.items() if one["status"] != "correct"} == {}


@pytest.mark.parametrize("problem", NAMES)
def test_there_are_several_right_styles(problem: str) -> None:
    titles = [written.title for written in answers.read(problem, "right")]
    assert len(titles) >= (30 if problem == FLAGSHIP else 3)
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("problem", NAMES)
def test_every_pitfall_that_people_make_is_among_the_wrong_answers(problem: str) -> None:
    written = answers.read(problem, "wrong")
    assert len(written) >= 5
    declared = {pitfall.name for pitfall in load(KIT.reference(problem)).pitfalls}
    known = {*declared, *general.NAMES, *CONTRACT_NAMES.values()}
    assert {name for one in written for name in one.names} <= known
