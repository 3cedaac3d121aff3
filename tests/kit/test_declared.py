"""The lines at which a reference declares its pitfalls and its cases."""

from __future__ import annotations

from grader.kit.declared import case_lines, pitfall_lines

TEXT = """problem = Problem(
    reference=ramp,
    cases=[
        (0, 3),
        (1,
         5),
        (2, 7), (3, 8),
    ],
    pitfalls=[
        Pitfall(
            "doubled", why="", hint="", factor=2.0),
        Pitfall("shifted", why="", hint="", shift=1.0),
        Pitfall("doubled", why="", hint="", factor=3.0),
    ],
)
"""


def test_the_line_of_a_pitfall_is_where_its_declaration_begins_and_the_second_of_two_counts() -> None:
    assert pitfall_lines(TEXT) == {"doubled": 13, "shifted": 12}
    assert pitfall_lines("Pitfall(name)\nother.Pitfall('x')\nPitfall()\n") == {}


def test_the_lines_of_cases_are_known_where_these_are_written_out() -> None:
    assert case_lines(TEXT) == [4, 5, 7, 7]
    assert case_lines("problem = Problem(reference=ramp, cases=made())\n") == []
