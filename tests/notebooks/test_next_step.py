"""The line below a report in a notebook says what helps there."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.commands.learner import ListedProblem
from grader.kit.kit import Kit
from grader.kit.progress import Progress
from grader.marking.verdict import Diagnosis, Frame, Named, Raised, Status, Verdict
from grader.notebooks.grading import following_step
from grader.values.message import NO_MESSAGE

FRAMES = (Frame(1, "<module>", "rope()"), Frame(3, "rope", "return y", cell=7))
COMPARE = "To compare yours with the worked answer: !python -m grader solution rope"


def solved(folder: Path) -> Kit:
    """A kit with the worked answer to one problem."""
    kit = Kit(folder)
    kit.answer("rope").parent.mkdir(parents=True)
    kit.answer("rope").touch()
    return kit


DTYPE = Diagnosis((Named("wrong-dtype", NO_MESSAGE, NO_MESSAGE),), explained=True)


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (Verdict("rope", Status.WRONG, NO_MESSAGE), 'Next: grader.hint("rope")'),
        (
            Verdict("rope", Status.WRONG, NO_MESSAGE, diagnosis=DTYPE),
            "Next: change the function, run it, and check again.",
        ),
        (
            Verdict("rope", Status.ERROR, NO_MESSAGE, raised=Raised("NameError", NO_MESSAGE, FRAMES)),
            "Next: fix line 3 of cell 7, run it, and check again.",
        ),
        (
            Verdict("rope", Status.TIMEOUT, NO_MESSAGE, stopped_at=Frame(2, "rope", "while True:")),
            "Next: fix line 2, run it, and check again.",
        ),
        (
            Verdict("rope", Status.UNATTEMPTED, NO_MESSAGE),
            'Next: grader.show("rope") shows what to do. Fill in the function, run its cell, and check again.',
        ),
        (Verdict("rope", Status.CORRECT, NO_MESSAGE), f'Next: grader.show("alibi") {COMPARE}'),
    ],
)
def test_what_to_do_next(verdict: Verdict, said: str, tmp_path: Path) -> None:
    progress = Progress(tmp_path, solved={"rope": "2026-01-01"})
    assert following_step(solved(tmp_path), verdict, [ListedProblem("rope"), ListedProblem("alibi")], progress) == said


def test_after_the_last_problem_all_are_solved(tmp_path: Path) -> None:
    progress = Progress(tmp_path, solved={"rope": "2026-01-01", "alibi": "2026-01-01"})
    said = following_step(
        solved(tmp_path),
        Verdict("rope", Status.CORRECT, NO_MESSAGE),
        [ListedProblem("rope"), ListedProblem("alibi")],
        progress,
    )
    assert said == f"All 2 problems are solved. {COMPARE}"


def test_in_a_kit_without_solutions_no_worked_answer_is_offered(tmp_path: Path) -> None:
    progress = Progress(tmp_path, solved={"rope": "2026-01-01"})
    said = following_step(
        Kit(tmp_path),
        Verdict("rope", Status.CORRECT, NO_MESSAGE),
        [ListedProblem("rope"), ListedProblem("alibi")],
        progress,
    )
    assert said == 'Next: grader.show("alibi")'
