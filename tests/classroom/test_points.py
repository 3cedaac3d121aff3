"""Points follow from verdicts by a rule, and nothing but a verdict is a number."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from grader.classroom.points import BadRule, points
from tests.classroom.exports.rows import ROWS, verdict


def given(rule: str | None) -> list[str | None]:
    rule = points(rule)
    return [None if (one := rule.of(row)) is None else str(one) for row in ROWS]


def test_without_a_rule_a_right_answer_is_one_point_and_a_fault_is_no_number() -> None:
    assert given(None) == ["1", "0", None, "1", None, "0"]


def test_a_rule_says_what_each_outcome_is_worth() -> None:
    assert given("correct=2, insight=1.8,wrong=0.5") == ["1.8", "0.5", None, "2", None, "0"]


def test_a_problem_may_have_a_rule_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "points.toml"
    file.write_text("[every]\ncorrect = 3\n[rope]\ncorrect = 10\nwrong = 0.1\n")
    assert given(str(file)) == ["3", "0.1", None, "10", None, "0"]
    rule = points(str(file))
    assert (rule.most("rope"), rule.most("alibi")) == (Decimal(10), Decimal(3))
    file.write_text("[rope]\ncorrect = 10\n")
    assert points(str(file)).of(verdict("1", "alibi", "correct")) == 1


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("right=1", "there is no outcome 'right'"),
        ("correct=many", "correct should be a number of points"),
        ("correct=-1", "correct should be zero points or more"),
        ("correct=nan", "correct should be zero points or more"),
        ("none.toml", "there is no such file"),
        ("correct = 1\n", "correct stands outside of a table"),
        ("[rope]\nbest = 1\n", r"\[rope\]: there is no outcome 'best'"),
        ("[rope\n", "it is no TOML"),
    ],
)
def test_what_is_wrong_with_a_rule_is_one_line(tmp_path: Path, rule: str, why: str) -> None:
    if "\n" in rule:
        (tmp_path / "points.toml").write_text(rule)
        rule = str(tmp_path / "points.toml")
    with pytest.raises(BadRule, match=why) as raised:
        points(rule)
    assert "\n" not in str(raised.value)
