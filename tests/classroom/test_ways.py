"""The ways in which a name of Canvas can be read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.classroom.student_names import Listed, decided, ways_of_canvas, ways_of_quiz
from grader.classroom.tree import Whom, Whose


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("oneana_101_5001_rope.py", [("101", "oneana", "rope.py")]),
        ("doe_smithjan_107_9004_rope.py", [("107", "doe_smithjan", "rope.py")]),
        ("lab_3_101_9001_rope.py", [("3", "lab", "9001_rope.py"), ("101", "lab_3", "rope.py")]),
        ("oneana_101_5001_1_rope.py", [("101", "oneana", "1_rope.py"), ("5001", "oneana_101", "rope.py")]),
        ("oneana_101_5001_03_rope.py", [("101", "oneana", "03_rope.py")]),  # no number begins with a zero
        ("oneana_101_5001_rope_2.py", [("101", "oneana", "rope_2.py")]),
        ("lab_3_LATE_101_9001_rope.py", [("101", "lab_3", "rope.py")]),
        ("oneana_LATE_101_5001_2_7_rope.py", [("101", "oneana", "2_7_rope.py")]),
        ("two_101_5001_x_LATE_7_8_rope.py", [("101", "two", "x_LATE_7_8_rope.py"), ("7", "two_101_5001_x", "rope.py")]),
        ("lab_3_108_text.html", [("108", "lab_3", "")]),
        ("sixfa_LATE_108_link.html", [("108", "sixfa", "")]),
        ("anon_101_5001_rope.py", []),
        ("oneana101_question_5551_77001_2_rope.py", []),
        ("_102_5002_rope.py", []),
        ("Oneana_101_5001_rope.py", []),
        ("oneana_101_5001.py", []),
        ("rope.py", []),
    ],
)
def test_all_ways_to_read_a_name_are_found(name: str, ways: list[tuple[str, str, str]]) -> None:
    assert [(one.student, one.called, one.file) for one in ways_of_canvas(name)] == ways


def test_a_name_of_a_quiz_is_read_with_each_number_at_its_end() -> None:
    assert ways_of_quiz("x123") == [("123", "x"), ("23", "x1"), ("3", "x12")]
    assert ways_of_quiz("oneana10") == [("10", "oneana")]
    assert len(ways_of_quiz("x" + "1" * 900)) == 19


def both(name: str) -> Whom:
    first, *others = ways_of_canvas(name)
    return {name: [replace(first, others=tuple(others))]}


LAB = "lab_3_101_9001_rope.py"


@pytest.mark.parametrize(
    ("beside", "listed", "expected"),
    [
        ({}, None, []),
        ({}, lambda number, called: number == "101", ["101"]),
        ({}, lambda number, called: True, []),
        ({}, lambda number, called: False, []),
        ({"a": [Whose("3", "zedzoe")]}, None, ["101"]),  # a number has one name
        ({"a": [Whose("101", "oneana")]}, None, ["3"]),
        ({"a": [Whose("101", "lab_3")]}, None, []),  # a student may be called so on purpose
        (both("oneana_7_101_rope.py"), None, ["101"]),  # an upload is one
        ({"a": [Whose("3", "zedzoe")]}, lambda number, called: number == "3", ["3"]),  # the list is asked first
    ],
)
def test_what_decides_between_two_ways(beside: Whom, listed: Listed | None, expected: list[str]) -> None:
    known, unclear = decided({**beside, **both(LAB)}, listed, doubtful=True)
    assert [one.student for one in known[LAB]] == expected
    assert all(not one.others for one in known[LAB])
    assert (LAB in unclear) is (not expected)


def test_a_name_that_the_list_contradicts_is_not_taken_for_the_one_that_is_left() -> None:
    """The class has `oneana` as 101, which leaves 3; and the list calls 3 otherwise."""
    beside: Whom = {"a": [Whose("101", "oneana")], **both(LAB)}
    names = {"3": "zedzoe", "101": "oneana"}
    known, unclear = decided(beside, lambda number, called: names[number] == called, doubtful=True)
    assert (known[LAB], list(unclear[LAB].students)) == ((), ["3", "101"])
    known, unclear = decided(beside, lambda number, called: None, doubtful=True)
    assert ([one.student for one in known[LAB]], unclear) == (["3"], {})  # the list has neither


def test_those_whom_a_name_may_be_of_are_told_if_the_class_or_its_list_has_them() -> None:
    two: Whom = {"a": [Whose("101", "lab_3")], "b": [Whose("3", "lab")], **both(LAB)}
    assert decided(two, None, doubtful=True)[1][LAB].students == ["3", "101"]
    assert decided(both(LAB), None, doubtful=True)[1][LAB].students == []
    listed = {"101": True}.get
    _, unclear = decided(both("lab_3_101_9001_1_rope.py"), None, doubtful=True)
    assert unclear["lab_3_101_9001_1_rope.py"].students == []
    assert decided(both(LAB), lambda number, called: listed(number), doubtful=True)[1] == {}


def test_the_line_says_how_to_rename_a_file_so_that_it_can_be_read_in_one_way() -> None:
    for name in (LAB, "lab_3_101_9001_2_7_rope.py", "oneana_101_5001_1_rope.py"):
        _, unclear = decided(both(name), None, doubtful=True)
        renamed = unclear[name].why.partition("rename it ")[2].removesuffix(".").split(" or ")
        first, second = ways_of_canvas(name)[:2]
        assert [[(one.student) for one in ways_of_canvas(each)] for each in renamed] == [
            [first.student],
            [second.student],
        ]


def test_without_a_list_a_quiz_is_read_with_the_longest_number() -> None:
    ways = [Whose(one, called) for one, called in ways_of_quiz("x12")]
    whom: Whom = {"q": [replace(ways[0], others=tuple(ways[1:]))]}
    assert decided(whom, None, doubtful=False) == ({"q": [ways[0]]}, {})
    assert decided(whom, lambda number, called: (number, called) == ("2", "x1"), doubtful=False)[0] == {"q": [ways[1]]}
    known, unclear = decided(whom, lambda number, called: True, doubtful=False)
    assert (known, "both are on the list" in unclear["q"].why) == ({"q": ()}, True)
