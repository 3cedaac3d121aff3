"""Names of files and folders as platforms write them."""

from __future__ import annotations

import pytest

from grader.classroom.layouts import Attempt, Named, at_the_top, in_folder, shown_path, student_of, time_of

PROBLEMS = ("mha_rope", "relative_bias", "rope", "t5_relative_bias")


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("ana_rope.py", Named("ana", "rope")),
        ("ana_maria_rope.py", Named("ana_maria", "rope")),
        ("ana_mha_rope.py", Named("ana", "mha_rope")),
        ("x_2_t5_relative_bias.py", Named("x_2", "t5_relative_bias")),
        ("ana_Rope.py", Named("ana", "rope")),
        ("ana_rope (1).py", Named("ana", "rope")),
        ("ana_rope-2.ipynb", Named("ana", "rope")),
        ("week-2_rope.py", Named("week-2", "rope")),
        ("doejane_12345_67890_rope.py", Named("12345", "rope", Attempt(0, 67890))),
        ("doejane_LATE_12345_67890_rope-2.py", Named("12345", "rope", Attempt(2, 67890))),
        ("doejane_12345_67890_mha_rope.py", Named("12345", "mha_rope", Attempt(0, 67890))),
        ("doejane_12345_67890_homework.ipynb", Named("12345", "", Attempt(0, 67890))),
        ("Jane Doe_123_assignsubmission_file_rope.py", Named("Jane Doe_123", "rope")),
        ("_rope.py", Named()),
        ("rope.py", Named()),
        ("ana_homework.py", Named()),
    ],
)
def test_a_name_at_the_top(file: str, named: Named) -> None:
    assert at_the_top(file, PROBLEMS) == named


@pytest.mark.parametrize("file", ["rope.py", "ROPE.py", "rope-3.py", "rope (1).py", "rope(1).ipynb"])
def test_a_name_in_a_folder(file: str) -> None:
    assert in_folder(file, PROBLEMS).problem == "rope"


@pytest.mark.parametrize("file", ["ropes.py", "my_rope.py", "rope2.py", "README.py"])
def test_a_name_of_no_problem(file: str) -> None:
    assert in_folder(file, PROBLEMS).problem == ""


def test_hyphens_and_blanks_stand_for_underscores() -> None:
    assert in_folder("mha-rope.py", PROBLEMS).problem == in_folder("mha rope.py", PROBLEMS).problem == "mha_rope"


@pytest.mark.parametrize(
    ("folder", "student"),
    [
        ("ana", "ana"),
        ("Jane Doe_123_assignsubmission_file_", "Jane Doe_123"),
        ("Jane Doe_123_assignsubmission_onlinetext_", "Jane Doe_123"),
        ("Jose\u0301", "Jos\u00e9"),
    ],
)
def test_the_student_of_a_folder(folder: str, student: str) -> None:
    assert student_of(folder) == student


def test_an_attempt_is_later_where_both_numbers_say_so() -> None:
    assert Attempt(2, 9).later_than(Attempt(0, 5))
    assert Attempt(0, 9).later_than(Attempt(0, 5))
    assert not Attempt(2, 5).later_than(Attempt(0, 9))
    assert not Attempt(0, 9).later_than(Attempt(2, 5))


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-02-02 15:58:23.948203 UTC\n", "2026-02-02T15:58:23.948203+00:00"),
        ("2026-02-02 15:58:23 +0100", "2026-02-02T14:58:23+00:00"),
        ("2026-02-02 15:58:23 CET", ""),
        ("2026-02-30 15:58:23 UTC", ""),
        ("yesterday", ""),
    ],
)
def test_the_time_of_nbgrader(text: str, time: str) -> None:
    assert time_of(text) == time


def test_a_path_is_shown_as_text_that_can_be_printed_and_kept() -> None:
    assert shown_path("a\nb/\udcff.py") == "a\\nb/\\xff.py"
