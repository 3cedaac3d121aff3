"""What a path says: whose file it is, which problem it answers, and which attempt it is."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from grader.classroom.layouts import Handed, handed

NAMES = ["rope", "rope_scores", "mha_rope", "sinusoidal_pos"]


@pytest.mark.parametrize(
    ("path", "due"),
    [
        ("ana/rope.py", Handed("ana", "rope")),
        ("ana/week1/rope.py", Handed("ana", "rope")),
        ("ana/problems/rope/stub.py", Handed("ana", "rope")),
        ("ana/kit-main/problems/mha_rope/stub.py", Handed("ana", "mha_rope")),
        ("ana/week1/work.ipynb", Handed("ana", "")),
        ("ana_rope.py", Handed("ana", "rope")),
        ("ana_maria_rope_scores.py", Handed("ana_maria", "rope_scores")),
        ("ana_mha_rope.py", Handed("ana", "mha_rope")),
        ("garciaana_12345_67890_rope.py", Handed("12345", "rope", 67890)),
        ("garciaana_LATE_12345_67890_rope-2.py", Handed("12345", "rope", 67890)),
        ("garciaana_12345_67890_work.ipynb", Handed("12345", "", 67890)),
        ("Ana García_4711_assignsubmission_file_/rope.py", Handed("4711", "rope")),
        ("Ana García_4711_assignsubmission_file/week/rope.py", Handed("4711", "rope")),
        ("ana/rope-3.py", Handed("ana", "rope", 3)),
        ("ana.ipynb", Handed("ana", "")),
    ],
)
def test_a_path_names_student_problem_and_attempt(path: str, due: Handed) -> None:
    assert handed(PurePath(path), NAMES) == due


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("ana/essay.pdf", "only .py and .ipynb are graded"),
        ("ana/rop.py", "no problem of this kit is called rop. Is it an answer to rope? Then rename it."),
        ("ana/zzz.py", "no problem of this kit is called zzz."),
        ("rope.py", "call it STUDENT_rope.py"),
        ("ana_essay.py", "its name is not STUDENT_PROBLEM.py"),
        ("ana/problems/nothing/stub.py", "no problem of this kit is called nothing."),
        ("garciaana_12345_67890_essay.py", "no problem of this kit is called essay."),
    ],
)
def test_what_a_path_does_not_say_is_one_line(path: str, why: str) -> None:
    said = handed(PurePath(path), NAMES)
    assert isinstance(said, str)
    assert why in said
    assert "\n" not in said
