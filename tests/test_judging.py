"""A wrong answer whose program shows it is judged before its values are there; what the values say counts in the end."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from grader.grade import grade
from grader.judging import EarlyVerdict, Evaluators, Judging, as_computed
from grader.kit.kit import Kit
from grader.marking.attempt import Attempt
from grader.marking.verdict import Awaited, Status, Verdict
from grader.options import Policy
from grader.run.judge.cores import Cores
from grader.run.protocol import Task, TracedPrograms
from tests.conftest import FLAGSHIP, worked_answer
from tests.early import Waiting


def graded(kit: Path, text: str, **options: Any) -> tuple[list[Verdict], Verdict]:
    """The early verdicts that were told, and the verdict in the end."""
    early: list[Verdict] = []
    file = kit / "handed-in.py"
    file.write_text(text)
    with Waiting(Kit(kit), **options) as session:
        return early, grade(session, FLAGSHIP, file, early.append)


@pytest.fixture
def wrong(shared_kit: Path) -> str:
    return worked_answer(Kit(shared_kit), FLAGSHIP).replace("2 * pairs", "pairs")


def test_a_wrong_answer_is_told_early_with_its_mistake_and_its_place_follows(shared_kit: Path, wrong: str) -> None:
    (early,), verdict = graded(shared_kit, wrong)
    assert early.status is verdict.status is Status.WRONG
    assert (early.diagnosis, early.message) == (verdict.diagnosis, verdict.message)
    assert (bool(early.where), bool(verdict.where)) == (False, True)
    assert [case.passed for case in early.cases] == [case.passed for case in verdict.cases]


def test_nothing_is_told_early_of_what_no_program_shows(shared_kit: Path) -> None:
    early, verdict = graded(shared_kit, "def sinusoidal_pos(seed, T, d_model):\n    return 'no numbers'\n")
    assert early == []
    assert verdict.status is Status.WRONG


def test_a_program_with_the_right_numbers_is_right_so_far(shared_kit: Path) -> None:
    (early,), verdict = graded(shared_kit, worked_answer(Kit(shared_kit), FLAGSHIP))
    assert (early.status, early.awaited) == (Status.CORRECT, Awaited.VALUES)
    assert (early.message, early.diagnosis) == (verdict.message, verdict.diagnosis)
    assert (verdict.status, verdict.awaited) == (Status.CORRECT, None)


@pytest.mark.parametrize("fresh", [None, 7])
def test_what_is_graded_on_more_inputs_is_not_right_so_far_on_the_cases_alone(
    shared_kit: Path, fresh: int | None
) -> None:
    early, verdict = graded(shared_kit, worked_answer(Kit(shared_kit), FLAGSHIP), policy=Policy(fresh=fresh))
    assert [one.awaited for one in early] == ([Awaited.VALUES] if fresh is None else [])
    assert verdict.status is Status.CORRECT


@pytest.mark.parametrize(("patience", "awaited"), [(60.0, []), (0.0, [Awaited.PLACE])])
def test_where_many_answers_run_at_once_nothing_is_judged_twice_and_a_long_search_is_not_waited_for(
    shared_kit: Path, wrong: str, patience: float, awaited: list[Awaited], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.judging.SECONDS_BEFORE_WORDS", patience)
    early, verdict = graded(shared_kit, wrong, cores=Cores([tuple(os.sched_getaffinity(0))]))
    assert [one.awaited for one in early] == awaited
    assert (verdict.status, verdict.awaited) == (Status.WRONG, None)
    for one in early:
        assert replace(one, awaited=None, run=verdict.run, where=verdict.where) == verdict


class _Known:
    """Evaluated programs that gave two numbers in one case."""

    def values(self) -> list[np.ndarray]:
        return [np.array([1.0, 2.0])]


@pytest.mark.parametrize(("contract", "compared"), [("grad", 0), ("jit", 1), ("trace", 0), ("", 0)])
def test_where_the_program_of_a_derivative_is_not_known_nothing_is_said_of_the_derivative(
    contract: str, compared: int
) -> None:
    programs: Any = Evaluators(cast(Any, _Known()), None)
    task = Task(b"", "answer.py", "f", ("x",), ((1,),), contract=contract)
    attempt = as_computed(("float32",), programs, task)
    assert attempt is not None
    assert (len(attempt.answered), len(attempt.transformed)) == (1, compared)


def test_words_that_were_told_early_are_not_told_again_during_the_search(
    shared_kit: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.judging.SECONDS_BEFORE_WORDS", 0.0)
    early, verdict = graded(shared_kit, wrong)
    assert [one.awaited for one in (*early, verdict)] == [Awaited.VALUES_AND_PLACE, None]


def test_an_answer_that_ends_without_values_has_its_own_verdict(
    shared_kit: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = Waiting.attempt

    def crashed(session: Waiting, task: Task, traced: Callable[[TracedPrograms], None]) -> Attempt:
        attempt(session, task, traced)
        return Attempt(Status.CRASH)

    monkeypatch.setattr(Waiting, "attempt", crashed)
    early, verdict = graded(shared_kit, wrong)
    assert [one.status for one in (*early, verdict)] == [Status.WRONG, Status.CRASH]


def test_a_fault_of_the_early_judgement_is_not_hidden(
    shared_kit: Path, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> Verdict:
        raise ValueError("a fault")

    monkeypatch.setattr(EarlyVerdict, "_judge", fail)
    with pytest.raises(ValueError, match="a fault"):
        graded(shared_kit, wrong)


def test_what_was_asked_early_is_not_asked_again(shared_kit: Path, wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    exchange = Judging.concluded
    monkeypatch.setattr(Judging, "concluded", lambda *given: asked.append("concluded") or exchange(*given))
    from grader.run.judge.evaluator_client import EvaluatorClient

    sent = EvaluatorClient._exchange  # pyright: ignore[reportPrivateUsage]

    def noted(client: Any, request: Any, kind: Any) -> Any:
        asked.append(request["call"] if isinstance(request, dict) else "opened")
        return sent(client, request, kind)

    monkeypatch.setattr(EvaluatorClient, "_exchange", noted)
    graded(shared_kit, wrong)
    assert asked.count("concluded") == 2
    calls = [one for one in asked if one != "concluded"]
    assert len(calls) == len({*calls})
