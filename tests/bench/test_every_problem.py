"""What `python -m tests.bench --every-problem` measures and prints, without running its processes."""

from __future__ import annotations

import pytest

from grader.kit.kit import Kit
from tests.bench.every_problem import Answer, answers_to, row, worst
from tests.conftest import ROOT
from tests.test_problems import NAMES


def measured(kind: str, unsaved: list[float], saved: list[float]) -> Answer:
    return Answer("rope", kind, "", floor=[1.0, 2.0, 1.0], graded={"nothing saved": unsaved, "saved": saved})


MET = measured("right", [2.0, 4.0, 3.0], [1.1, 2.2, 1.3])
MISSED = measured("wrong", [5.0, 8.0, 6.0], [1.0, 2.0, 1.0])


@pytest.mark.parametrize("name", NAMES)
def test_every_problem_has_an_answer_of_each_kind(name: str) -> None:
    given = answers_to(Kit(ROOT), name)
    assert [one.kind for one in given] == ["right", "wrong", "unexplained"]
    assert all(f"def {name}(" in one.text for one in given)
    assert len({one.text for one in given}) == 3


def test_a_ratio_is_to_the_floor_of_the_same_round() -> None:
    assert MET.ratios("nothing saved") == [2.0, 2.0, 3.0]
    assert MET.to_bar("nothing saved") == 0.5


def test_a_row_gives_medians_and_marks_a_missed_bar() -> None:
    assert row([MET, MISSED]).split() == [
        *("rope", "1.00", "s", "3.00", "s", "2.00", "1.30", "s", "1.10"),
        *("1.00", "s", "6.00", "s", "5.00!", "1.00", "s", "1.00"),
    ]


def test_the_worst_ratios_come_first_as_parts_of_their_bars() -> None:
    assert worst([MET, MISSED]) == [
        "rope, wrong, nothing saved:  5.00 (4.00-6.00), bar 4 MISSED",
        "rope, right, saved:  1.10 (1.10-1.30), bar 1.25 met",
        "rope, wrong, saved:  1.00 (1.00-1.00), bar 1.25 met",
        "rope, right, nothing saved:  2.00 (2.00-3.00), bar 4 met",
    ]
