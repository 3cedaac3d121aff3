"""The settings of an autograder come back as they were written, or are refused in one line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from grader.classroom.autograder.student_grading import FILE, Settings, in_words, read
from grader.classroom.points import parsed
from grader.kit.kit import KitError
from grader.options import Limits, Policy


def test_they_come_back_as_they_were_written(tmp_path: Path) -> None:
    settings = Settings(
        ("rope", "glow"),
        "correct=1",
        {"rope": "correct=2,insight=1.5"},
        Limits(7, 1 << 30),
        Policy("B", None, "verdict"),
    )
    (tmp_path / FILE).write_text(settings.to_json(), encoding="utf-8")
    assert read(tmp_path) == settings
    assert settings.rules.most("rope") == 2


def test_a_rule_in_words_is_the_same_rule() -> None:
    rule = parsed("correct=100,insight=0.95")
    assert parsed(in_words(rule)) == rule
    assert rule.values["insight"] == Fraction("0.95")


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"schema": "grader/autograder/2"}', '{"schema": "grader/autograder/1"}']
)
def test_what_is_damaged_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(KitError, match="make the autograder again"):
        read(tmp_path)


def test_no_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KitError, match="make the autograder again"):
        read(tmp_path)
