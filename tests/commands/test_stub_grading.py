"""A stub is graded in a thread: a provisional verdict is told first, and is not saved; that of a text before is dropped."""

from __future__ import annotations

from dataclasses import replace
from queue import SimpleQueue

import pytest

from grader.commands.stub_grading import BackgroundWork, GradedStub, StubGrading, ToldEarly
from grader.grade import grade
from grader.kit import progress
from grader.kit.kit import Kit
from grader.marking.verdict import Awaited, Status, Verdict
from grader.options import Options
from grader.report.terminal import PROVISIONAL, Terminal
from grader.values.message import message
from tests.commands.test_check import HALF_AND_STACKED, RIGHT
from tests.conftest import FLAGSHIP, Command
from tests.early import Waiting


@pytest.mark.slow
def test_a_provisional_verdict_is_told_first_and_not_saved(own_kit: Command) -> None:
    kit = Kit(own_kit.kit)
    kit.stub(FLAGSHIP).write_text(HALF_AND_STACKED)
    told: SimpleQueue[BackgroundWork | ToldEarly] = SimpleQueue()
    with Waiting(kit) as session:
        grading = StubGrading(Options(kit), session, FLAGSHIP, told.put)
        grading.grade(saved=True)
        first = told.get(timeout=60)
        assert isinstance(first, ToldEarly)
        early = grading.ended(first)
        assert isinstance(early, GradedStub)
        assert (early.provisional, early.shown.status, grading.busy) == (True, Status.WRONG, True)
        assert progress.load(kit).verdicts == {}
        whole = grading.ended(told.get(timeout=60))
        assert isinstance(whole, GradedStub)
        assert (whole.provisional, whole.shown.message, grading.busy) == (False, early.shown.message, False)
        assert [*progress.load(kit).verdicts] == [FLAGSHIP]
        assert grading.ended(first) is None, "the verdict that stays is there"
        grading.close()


def test_what_is_told_of_a_text_that_was_graded_before_is_dropped(own_kit: Command) -> None:
    kit = Kit(own_kit.kit)
    told: SimpleQueue[BackgroundWork | ToldEarly] = SimpleQueue()
    with Waiting(kit) as session:
        grading = StubGrading(Options(kit), session, FLAGSHIP, told.put)
        before = BackgroundWork(session, "grading", FLAGSHIP, lambda _: None, told.put, None)
        verdict = Verdict(FLAGSHIP, Status.WRONG, message("Right on 1 of 2 cases."))
        assert grading.ended(ToldEarly(before, verdict)) is None


def test_a_provisional_verdict_says_so_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = Verdict(FLAGSHIP, Status.WRONG, message("Right on 1 of 2 cases."))
    for awaited in (None, *Awaited):
        Terminal.make().verdict(replace(verdict, awaited=awaited), device="cpu")
        shown = " ".join(capsys.readouterr().out.split())
        assert [known for known, text in PROVISIONAL.items() if text in shown] == {
            None: [],
            Awaited.PLACE: [Awaited.PLACE],
            Awaited.VALUES: [Awaited.VALUES],
            Awaited.VALUES_AND_PLACE: [*Awaited],
        }[awaited]


def test_a_right_answer_whose_values_are_awaited_is_not_called_correct(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = Verdict(FLAGSHIP, Status.CORRECT, message("Right on all 2 cases."))
    for awaited, word in ((None, "correct"), (Awaited.VALUES, "right so far")):
        Terminal.make().verdict(replace(verdict, awaited=awaited), device="cpu")
        shown = capsys.readouterr().out
        assert [one for one in ("correct", "right so far") if one in shown] == [word]


@pytest.mark.slow
def test_what_the_shipped_stub_prints_while_a_process_gets_ready_is_not_told_of_an_answer(own_kit: Command) -> None:
    kit = Kit(own_kit.kit)
    bare = kit.stub(FLAGSHIP).read_text()
    loud = bare.replace(
        "    raise NotImplementedError", "    print('from the stub', flush=True)\n    raise NotImplementedError"
    )
    assert loud != bare
    kit.stub(FLAGSHIP).write_text(loud)
    (kit.root / "answer.py").write_text(RIGHT)
    with Waiting(kit) as session:
        assert session.get_ready(FLAGSHIP, RIGHT) is None
        verdict = grade(session, FLAGSHIP, kit.root / "answer.py")
    assert (verdict.status, str(verdict.run.output)) == (Status.CORRECT, "")
