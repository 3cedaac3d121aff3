"""The problem to work on now: the one that was graded or saved last."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.commands.learner import ListedProblem, current_problem, fingerprint, remember, to_work_on
from grader.commands.next_step import next_step
from grader.kit import progress as progress_file
from grader.kit.kit import Kit
from grader.kit.kit_files import KitFiles
from grader.kit.shipped_stub import reset, save_shipped
from grader.marking.verdict import Status, Verdict
from grader.options import Options
from grader.values.message import NO_MESSAGE

BARE = "def {name}(seed):\n    raise NotImplementedError\n"
FILLED = "def {name}(seed):\n    return 1\n"
LONG_AGO = 1_600_000_000


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    """Four problems, none of which builds on another, with stubs that are not filled in."""
    made = Kit(tmp_path)
    for name in "abcd":
        made.stub(name).parent.mkdir(parents=True)
        made.stub(name).write_text(BARE.format(name=name))
        os.utime(made.stub(name), (LONG_AGO, LONG_AGO))
    save_shipped(made)
    return made


def save(kit: Kit, name: str, text: str = FILLED, *, ago: float = 0.0) -> None:
    """Write a stub. Its time is after that of any grading until now, or so many seconds before it."""
    kit.stub(name).write_text(text.format(name=name))
    moment = progress_file.load(kit).graded_at
    os.utime(kit.stub(name), (moment + 1 - ago, moment + 1 - ago))


def grade(kit: Kit, **statuses: Status) -> None:
    """Keep these verdicts, as of one run."""
    files, progress = KitFiles(kit), progress_file.load(kit)
    fresh = {name: Verdict(name, status, NO_MESSAGE) for name, status in statuses.items()}
    for name in fresh:
        save(kit, name, ago=10)
    remember(Options(kit), progress, fresh, {name: fingerprint(files, name, "cpu") for name in fresh})


def current(kit: Kit) -> str | None:
    return current_problem(KitFiles(kit), dict.fromkeys("abcd", ()), progress_file.load(kit), "cpu")


def step(kit: Kit) -> str:
    return next_step(Options(kit), [ListedProblem(name) for name in "abcd"], progress_file.load(kit))


def test_in_a_fresh_kit_it_is_the_first_one(kit: Kit) -> None:
    assert current(kit) == "a"


def test_it_is_the_one_that_was_graded_last_and_not_the_first_that_failed(kit: Kit) -> None:
    grade(kit, a=Status.WRONG)
    grade(kit, c=Status.ERROR)
    assert current(kit) == "c"
    grade(kit, a=Status.WRONG)
    assert current(kit) == "a"


def test_it_is_the_one_that_was_saved_after_the_last_grading(kit: Kit) -> None:
    grade(kit, a=Status.WRONG)
    save(kit, "b", ago=10)
    assert current(kit) == "a"
    save(kit, "b")
    assert current(kit) == "b"


def test_a_stub_that_was_touched_and_not_changed_is_not_saved(kit: Kit) -> None:
    grade(kit, b=Status.CORRECT)
    grade(kit, c=Status.WRONG)
    os.utime(kit.stub("a"))
    os.utime(kit.stub("b"))
    assert current(kit) == "c"


def test_after_a_right_one_it_is_the_one_to_go_on_to(kit: Kit) -> None:
    grade(kit, a=Status.WRONG)
    grade(kit, b=Status.CORRECT)
    assert current(kit) == "c"
    save(kit, "b", BARE + "    # again\n" + "X = 1\n")
    assert current(kit) == "b", "it is changed since"


def test_a_problem_that_was_reset_is_begun_again_until_another_is_graded(kit: Kit) -> None:
    grade(kit, a=Status.WRONG)
    reset(kit, "a")
    assert (current(kit), step(kit)[:28]) == ("a", "Next: python -m grader show ")
    grade(kit, c=Status.WRONG)
    assert current(kit) == "c"


def test_of_several_that_were_graded_in_one_run_it_is_the_first_that_is_not_right(kit: Kit) -> None:
    grade(kit, a=Status.CORRECT, b=Status.WRONG, c=Status.ERROR, d=Status.CORRECT)
    assert current(kit) == "b"
    right = {name: Verdict(name, Status.CORRECT, NO_MESSAGE) for name in "ab"}
    assert to_work_on(right) == "b"


def test_the_next_step_for_a_stub_that_is_filled_in_is_to_grade_it(kit: Kit) -> None:
    save(kit, "b")
    assert step(kit) == "Next: python -m grader b"
    grade(kit, b=Status.WRONG)
    assert step(kit) == "Next: python -m grader b"
    grade(kit, a=Status.CORRECT)
    assert step(kit) == "Next: python -m grader b", "the next that is open"


def test_an_answer_that_was_graded_right_in_a_notebook_leads_on(kit: Kit) -> None:
    def solved(progress: progress_file.Progress) -> None:
        progress.graded("b")
        progress.solved["b"] = "2026-01-01"

    progress_file.update(kit, lambda progress: progress.graded("b"))
    assert current(kit) == "b"
    progress_file.update(kit, solved)
    assert current(kit) == "c"
