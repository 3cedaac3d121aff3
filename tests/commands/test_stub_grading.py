"""One core grades a stub for the terminal and for the page: new work replaces the old, and what ended is told once."""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from grader.commands.stub_grading import (
    GRADING,
    BackgroundWork,
    GradedStub,
    GradingFault,
    StubGrading,
    WatchSession,
    stub_text,
)
from grader.commands.trace import TracedAnswer
from grader.kit import progress as progress_file
from grader.kit.kit import Kit
from grader.options import Options
from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, Command

ENDLESS = RIGHT.replace("    positions =", "    for _ in iter(int, 1): pass\n    positions =")

Desk = tuple[StubGrading, "SimpleQueue[BackgroundWork]", Kit]


@pytest.fixture
def grading(own_kit: Command) -> Iterator[Desk]:
    options = Options(Kit(own_kit.kit))
    ended: SimpleQueue[BackgroundWork] = SimpleQueue()
    with WatchSession(options.kit) as session:
        made = StubGrading(options, session, FLAGSHIP, ended.put)
        yield made, ended, options.kit
        made.close()


def result(grading: StubGrading, ended: SimpleQueue[BackgroundWork]) -> object:
    while (found := grading.ended(ended.get(timeout=60))) is None:
        pass
    return found


def test_a_stub_is_graded_remembered_and_traced(grading: Desk) -> None:
    made, ended, kit = grading
    kit.stub(FLAGSHIP).write_text(HALF)
    assert made.changed()
    made.grade()
    graded = result(made, ended)
    assert isinstance(graded, GradedStub)
    assert (graded.problem, graded.text, graded.whole.diagnosis.names) == (FLAGSHIP, HALF, ("half-exponent",))
    assert progress_file.load(kit).failed(FLAGSHIP)
    assert not made.changed()
    made.get_ready()
    made.trace()
    assert isinstance(result(made, ended), TracedAnswer)


def test_a_new_grading_takes_the_place_of_one_that_runs(grading: Desk) -> None:
    made, ended, kit = grading
    kit.stub(FLAGSHIP).write_text(ENDLESS)
    made.grade()
    assert made.busy
    kit.stub(FLAGSHIP).write_text(RIGHT)
    made.grade()
    graded = result(made, ended)
    assert isinstance(graded, GradedStub)
    assert (graded.text, graded.whole.status.value) == (RIGHT, "correct")


def test_a_grading_that_was_stopped_is_due_again(grading: Desk) -> None:
    made, _, kit = grading
    kit.stub(FLAGSHIP).write_text(ENDLESS)
    made.grade()
    assert made.stop() == GRADING
    assert made.changed()
    assert made.stop() == ""


def test_a_fault_of_the_kit_is_told_as_one(grading: Desk) -> None:
    made, ended, kit = grading
    kit.stub(FLAGSHIP).write_text(RIGHT)
    kit.answer(FLAGSHIP).write_text("import nothing_at_all\n")
    made.grade()
    fault = result(made, ended)
    assert isinstance(fault, GradingFault)
    assert fault.text.startswith("A fault of the kit, not of your answer: ")


def test_a_stub_that_is_missing_has_the_reason_as_its_text(grading: Desk) -> None:
    _, _, kit = grading
    kit.stub(FLAGSHIP).unlink()
    assert stub_text(kit, FLAGSHIP) == "there is no such file."
