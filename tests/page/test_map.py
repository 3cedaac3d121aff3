"""The map of a track: each lesson stands to the right of all that it builds on."""

from __future__ import annotations

import re

from markupsafe import Markup

from grader.page.body import Body
from grader.page.lesson import Lesson
from grader.page.map import columns, map_of


def test_a_lesson_stands_after_the_longest_chain_before_it() -> None:
    assert columns({"a": [], "b": ["a"], "c": ["a", "b"], "d": []}) == [["a", "d"], ["b"], ["c"]]
    assert columns({}) == []


def test_lessons_stand_near_what_they_build_on() -> None:
    assert columns({"a": [], "b": [], "x": ["b"], "y": ["a"]})[1] == ["y", "x"]


def test_the_picture_has_a_box_that_leads_to_each_lesson_and_a_line_for_each_step() -> None:
    def lesson(name: str, *after: str) -> Lesson:
        return Lesson(name, name, "1", "easy", (), after, Body(Markup(""), ()))

    svg = map_of([lesson("a"), lesson("b", "a", "elsewhere"), lesson("c", "a")], folder="lessons/")
    assert re.findall(r'href="([^"]+)"', svg) == ["lessons/a.html", "lessons/b.html", "lessons/c.html"]
    assert svg.count("<path") == 2
    lefts = [float(x) for x in re.findall(r'<rect x="(\d+)"', svg)]
    assert lefts[0] < lefts[1] == lefts[2]
