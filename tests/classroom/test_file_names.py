"""Names of files as systems, browsers and file managers change them."""

from __future__ import annotations

import pytest

from grader.classroom.file_names import (
    ignored,
    number_of,
    problem_of,
    storable_name,
    student_and_problem,
    without_copies,
)

PROBLEMS = ("mha_rope", "relative_bias", "rope", "t5_relative_bias")
UUID = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("ana_rope.py", ("ana", "rope")),
        ("ana_maria_rope.py", ("ana_maria", "rope")),
        ("ana_mha_rope.py", ("ana", "mha_rope")),
        ("x_2_t5_relative_bias.py", ("x_2", "t5_relative_bias")),
        ("student_2026_01_rope.py", ("student_2026_01", "rope")),
        ("ana_Rope.PY", ("ana", "rope")),
        ("ana_rope (1).py", ("ana", "rope")),
        ("ana_rope-2.ipynb", ("ana", "rope")),
        ("week-2_rope.py", ("week-2", "rope")),
        ("_rope.py", ("", "")),
        ("rope.py", ("", "")),
        ("ana_homework.py", ("", "")),
    ],
)
def test_a_student_and_a_problem(file: str, named: tuple[str, str]) -> None:
    assert student_and_problem(file, PROBLEMS) == named


@pytest.mark.parametrize(
    ("file", "number"),
    [
        ("rope.py", 0),
        ("ROPE.PY", 0),
        ("rope-3.py", 3),
        ("rope (1).py", 1),
        ("rope(1).ipynb", 1),
        ("rope-1-1.py", None),
        (f"rope-{UUID}.py", None),
        ("rope - Copy.py", None),
        ("rope - Copy (2).py", None),
        ("rope copy 2.py", None),
        ("Copy of rope.ipynb", 0),
    ],
)
def test_the_name_of_a_problem_and_the_number_of_its_attempt(file: str, number: int | None) -> None:
    assert (problem_of(file, PROBLEMS), number_of(file)) == ("rope", number)


@pytest.mark.parametrize("file", ["ropes.py", "my_rope.py", "rope2.py", "README.py", "Rope Final.py", "rope.py.txt"])
def test_a_name_of_no_problem(file: str) -> None:
    assert problem_of(file, PROBLEMS) == ""


def test_hyphens_and_blanks_stand_for_underscores() -> None:
    assert problem_of("mha-rope.py", PROBLEMS) == problem_of("mha rope.py", PROBLEMS) == "mha_rope"


def test_a_name_is_shown_as_text_that_can_be_printed_and_kept() -> None:
    assert storable_name("a\nb/\udcff.py") == "a\\nb/\\xff.py"
    assert storable_name("Jose\u0301") == "Jos\u00e9"


def test_a_name_without_copies() -> None:
    assert {without_copies(one) for one in ("rope.py", "Rope-1.ipynb", "rope (2).py", f"rope-{UUID}.py")} == {"rope"}
    assert without_copies("rope_2.py") == "rope_2"


@pytest.mark.parametrize(
    ("file", "whether"),
    [("practice.py", True), ("practice.2026-11-30-101500.py", True), ("practice_rope.py", False), ("rope.py", False)],
)
def test_an_exercise_is_no_answer(file: str, whether: bool) -> None:
    assert ignored(file) is whether
