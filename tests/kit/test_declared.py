"""Where the cases of a problem are declared, without running its file."""

from __future__ import annotations

from grader.kit.declared import case_lines

TEXT = """problem = Problem(
    axes=("i",),
    cases=[
        (0, 1),
        (0, 2), (0, 3),
    ],
)
other = module.Problem(cases=[(0, 9)])
"""


def test_each_case_has_its_line() -> None:
    assert case_lines(TEXT) == [4, 5, 5]


def test_cases_that_are_not_written_out_have_no_lines() -> None:
    assert case_lines("problem = Problem(cases=made())\n") == []
