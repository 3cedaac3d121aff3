"""Many answers at once: each timeout is confirmed alone before it is told, and a fault of the kit is no verdict."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.commands.grading import grade_all
from grader.kit.kit import Kit
from grader.kit.problem_error import ProblemError
from grader.marking.verdict import Run, Status, Verdict
from grader.options import Options
from grader.run.child import Killed
from grader.values.message import NO_MESSAGE

Grade = Callable[[str, int], Verdict]


def graded(run: Grade, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *names: str) -> tuple[list[Any], Counter[str]]:
    """Grade stubs where `run` gives the verdict on the n-th run of each. Returns the verdicts and how often each ran."""
    ran: Counter[str] = Counter()
    lock = threading.Lock()

    def grade(_: Any, name: str, __: Any) -> Verdict:
        with lock:
            ran[name] += 1
        return run(name, ran[name])

    monkeypatch.setattr("grader.grade.grade", grade)
    verdicts, faults = grade_all(Options(Kit(tmp_path)), [(name, None) for name in names])
    return [*(one and one.status for one in verdicts), *faults], ran


def slow_beside_others(name: str, count: int) -> Verdict:
    late = name in ("b", "loop") and (count == 1 or name == "loop")
    return Verdict(name, Status.TIMEOUT if late else Status.CORRECT, NO_MESSAGE, run=Run(seconds=90.0, processor=60.0))


def test_a_timeout_beside_other_answers_is_told_only_if_it_happens_alone_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    statuses, ran = graded(slow_beside_others, monkeypatch, tmp_path, "a", "b", "loop")
    assert statuses == [Status.CORRECT, Status.CORRECT, Status.TIMEOUT]
    assert ran == {"a": 1, "b": 2, "loop": 2}


def test_an_answer_that_waits_for_itself_does_not_run_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def sleeps(name: str, _: int) -> Verdict:
        return Verdict(name, Status.TIMEOUT, NO_MESSAGE, run=Run(seconds=300.0, processor=0.4))

    statuses, ran = graded(sleeps, monkeypatch, tmp_path, "a", "b")
    assert statuses == [Status.TIMEOUT] * 2
    assert ran == {"a": 1, "b": 1}


def test_an_answer_that_a_busy_machine_starved_runs_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def starved(name: str, count: int) -> Verdict:
        return Verdict(
            name, Status.TIMEOUT if count == 1 else Status.CORRECT, NO_MESSAGE, run=Run(seconds=300.0, processor=25.0)
        )

    statuses, ran = graded(starved, monkeypatch, tmp_path, "a", "b")
    assert statuses == [Status.CORRECT] * 2
    assert ran == {"a": 2, "b": 2}


def test_an_answer_that_ran_alone_does_not_run_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    statuses, ran = graded(slow_beside_others, monkeypatch, tmp_path, "b")
    assert statuses == [Status.TIMEOUT]
    assert ran == {"b": 1}


def test_a_fault_of_the_kit_is_listed_once_and_stops_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(name: str, _: int) -> Verdict:
        if name != "a":
            raise ProblemError("the reference raises")
        return Verdict(name, Status.CORRECT, NO_MESSAGE)

    statuses, _ = graded(broken, monkeypatch, tmp_path, "a", "b", "c")
    assert statuses == [Status.CORRECT, None, None, "the reference raises"]


def test_an_answer_whose_evaluator_is_killed_is_named_and_stops_no_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def killed(name: str, _: int) -> Verdict:
        if name == "b":
            raise Killed("no verdict")
        return Verdict(name, Status.CORRECT, NO_MESSAGE)

    statuses, _ = graded(killed, monkeypatch, tmp_path, "a", "b", "c")
    assert statuses == [Status.CORRECT, None, Status.CORRECT, "problems/b/stub.py: no verdict"]
