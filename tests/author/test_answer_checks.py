"""What an audit says of a stub and a worked answer that ran: of stubs that do anything but wait, and of answers that are
right only as one compiled program."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grader.author.answer_checks import run_answer, run_stub
from grader.author.finding import Finding
from grader.kit.kit import Kit
from grader.marking.attempt import Attempt
from grader.marking.facts import Facts, Truth
from grader.marking.verdict import Described, Frame, Insight, Run, Status
from grader.options import Limits
from grader.values.arrays import Answered, Expected
from grader.values.message import verbatim

CASES = ((0,), (1,), (2,))
FACTS = Facts("toy", ("seed",), CASES, (), ())


class FakeSession:
    """A session in which each run comes back as the next of these attempts. It records the tasks."""

    def __init__(self, folder: Path, *attempts: Attempt) -> None:
        self.kit, self.tasks, self._attempts = Kit(folder), list[Any](), list(attempts)
        self.limits = Limits(seconds=30.0)

    def attempt(self, task: Any) -> Attempt:
        self.tasks.append(task)
        return self._attempts.pop(0)

    @contextlib.contextmanager
    def evaluator(self, programs: Any, truth: Truth, text: str) -> Generator[None]:
        """Nothing: no answer here has programs."""
        yield None


class FakeOracle:
    """An oracle that expects three ones in each case, and knows no mistakes."""

    precision, screening_case = 0.0, 0

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def level(self, size: int) -> list[Any]:
        return []

    def facts(self) -> Facts:
        return self._facts

    def truth(self) -> Truth:
        count = len(CASES)
        return Truth([Expected(np.ones(3), 1e-6)] * count, [(3,)] * count, ["float32"] * count, [{}] * count)


def raised(kind: str, message: str = "", line: int = 0) -> Attempt:
    frames = (Frame(line, "toy", ""),) if line else ()
    return Attempt(raised=Described(kind, message, frames, (kind,)))


def gave(*values: float, insights: Sequence[Insight] = ()) -> Attempt:
    answered = [Answered(np.full(3, value, np.float32), "float32") for value in values]
    return Attempt(answered=answered, insights=insights, compiled=True)


def of_stub(folder: Path, given: Attempt) -> list[Finding]:
    session: Any = FakeSession(folder, given)
    session.kit.stub("toy").parent.mkdir(parents=True)
    session.kit.stub("toy").write_text("def toy(seed):\n    raise NotImplementedError\n")
    return list(run_stub(session, "toy", FACTS))


def of_answer(folder: Path, *given: Attempt, facts: Facts = FACTS) -> tuple[list[Finding], list[Any]]:
    session: Any = FakeSession(folder, *given)
    session.kit.answer("toy").parent.mkdir(parents=True)
    session.kit.answer("toy").write_text("def toy(seed):\n    return 1\n")
    oracle: Any = FakeOracle(facts)
    return list(run_answer(session, "toy", oracle)), session.tasks


def test_a_stub_that_waits_has_no_finding(tmp_path: Path) -> None:
    assert of_stub(tmp_path, raised("NotImplementedError", line=2)) == []


@pytest.mark.parametrize(
    ("given", "line", "message"),
    [
        (raised("ValueError", "no", 2), 2, "it should raise NotImplementedError, and raises ValueError: no"),
        (raised("SyntaxError", "no"), 0, "it should raise NotImplementedError, and raises SyntaxError: no"),
        (gave(1, 1, 1), 0, "it should raise NotImplementedError, and returns a value"),
        (Attempt(Status.TIMEOUT, verbatim("It ran on.")), 0, "it should raise NotImplementedError: It ran on."),
    ],
)
def test_a_stub_that_does_anything_else_has_one(given: Attempt, line: int, message: str, tmp_path: Path) -> None:
    assert of_stub(tmp_path, given) == [Finding("stub", "problems/toy/stub.py", line, message)]


def test_a_worked_answer_runs_as_every_answer_and_then_as_written_on_the_second_case(tmp_path: Path) -> None:
    findings, tasks = of_answer(tmp_path, gave(1, 1, 1), gave(1))
    assert findings == []
    assert [(task.cases, task.as_written) for task in tasks] == [(CASES, False), (CASES[1:2], True)]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((gave(1, 1, 1), gave(2)), "right under jax.jit, but wrong without it at (1,)"),
        ((gave(1, 1, 1), raised("TypeError", "no")), "right under jax.jit, but it fails without it: no"),
        (
            (gave(1, 1, 1), Attempt(Status.CRASH, verbatim("It ended."))),
            "right under jax.jit, but it fails without it: It ended.",
        ),
        ((gave(1, 1, 2),), "wrong, not correct: "),
        ((raised("NameError", "no name", 2),), "error, not correct: it raises NameError: no name"),
        (
            (gave(1, 1, 1, insights=[Insight("long-trace", verbatim("Its trace is long."))]), gave(1)),
            "it is right, but not an example to follow: Its trace is long.",
        ),
    ],
)
def test_a_worked_answer_that_is_no_example_has_one_finding(
    given: Sequence[Attempt], says: str, tmp_path: Path
) -> None:
    (finding,), _ = of_answer(tmp_path, *given)
    assert (finding.check, finding.file) == ("answer", "solutions/toy/answer.py")
    assert finding.message.startswith(says)


def test_a_worked_answer_with_wrong_values_is_told_with_the_first_of_them_and_its_line(tmp_path: Path) -> None:
    (finding,), _ = of_answer(tmp_path, gave(1, 1, 2))
    assert finding.line == 2
    assert finding.message.endswith("It gives 2, and 1 is expected: fix it")


def test_a_worked_answer_that_is_not_flat_is_told_with_its_shape_and_its_line(tmp_path: Path) -> None:
    stacked = Attempt(answered=[Answered(np.ones((3, 1), np.float32), "float32")] * 3, compiled=True)
    (finding,), _ = of_answer(tmp_path, stacked)
    assert finding.line == 2
    assert (
        "The array has shape (3, 1). It should have shape (3,). End what it returns with `.reshape(-1)`"
        in finding.message
    )


def test_where_an_argument_says_how_often_answers_write_something_down_a_long_trace_is_no_fault(tmp_path: Path) -> None:
    long = gave(1, 1, 1, insights=[Insight("long-trace", verbatim("Its trace is long."))])
    assert of_answer(tmp_path, long, gave(1), facts=replace(FACTS, repeats=True))[0] == []


def test_a_worked_answer_that_is_missing_is_asked_for(tmp_path: Path) -> None:
    session: Any = FakeSession(tmp_path)
    oracle: Any = FakeOracle(FACTS)
    (finding,) = run_answer(session, "toy", oracle)
    assert finding.message.endswith("write the worked answer there")


@pytest.mark.parametrize(("seconds", "found"), [(9.9, []), (10.1, ["answer"])])
def test_a_worked_answer_that_takes_a_third_of_the_time_limit_is_a_fault(
    tmp_path: Path, seconds: float, found: list[str]
) -> None:
    findings, _ = of_answer(tmp_path, replace(gave(1.0, 1.0, 1.0), run=Run(processor=seconds)), gave(1.0))
    assert [one.check for one in findings] == found
    assert all("it takes 10.1 s of processor time, and the limit is 30 s" in one.message for one in findings)
