"""Ids that differ by a number alone."""

from __future__ import annotations

import pytest

from grader.classroom.file_names import attempts_in


@pytest.mark.parametrize(
    "ids",
    [
        ["ana@x_1", "ana@x_2"],
        ["ana@x.example_1", "ana@x.example_10", "bo@x.example_1"],
        ["ana_1", "ana_2", "bo_1"],
        ["maria_jose_1", "maria_jose_2", "bo_1"],
        ["ana-1", "ana-2", "bo-1"],
        ["ana_v1", "ana_v2", "bo_v1"],
        ["ana attempt 1", "ana attempt 2", "bo attempt 1"],
        ["101_5001", "101_5002", "102_5003"],
        ["101_5001_file_1", "101_5002_file_1", "102_5003_file_1"],
        ["101_5001_file_1", "101_5001_file_2"],
    ],
)
def test_an_identity_and_a_counter_may_be_attempts(ids: list[str]) -> None:
    assert attempts_in(ids) == (ids[0], ids[1])


@pytest.mark.parametrize(
    "ids",
    [
        [],
        ["ana", "bo"],
        ["student1", "student2", "ana1"],
        ["s101", "s102", "t101"],
        ["student_1", "student_2", "student_3"],
        ["student-1", "student-2", "Student Six"],
        ["group1", "group2"],
        ["Group 1", "Group 2", "Group 3"],
        ["lab_3", "lab_4", "doe_smithjan"],
        ["student_2026_01", "student_2026_02"],
        ["student_2026_1", "student_2026_2"],
        ["2021-10234", "2021-10235", "2022-10236"],
        ["12345", "12346"],
        ["sec1_ana", "sec1_bo", "sec2_cy"],
        ["Ana García_4711", "Bo Two_4712"],
        ["ana@x", "bo@x"],
        ["sec1_01", "sec1_02", "sec2_01"],
    ],
)
def test_students_who_are_numbered_are_students(ids: list[str]) -> None:
    assert attempts_in(ids) is None
