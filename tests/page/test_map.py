"""The map of a track: each lesson stands to the right of all that it builds on."""

from __future__ import annotations

import re

from markupsafe import Markup

from grader.page.body import Body
from grader.page.site import Lesson, columns, from_elsewhere, map_of


def test_a_lesson_stands_after_the_longest_chain_before_it() -> None:
    assert columns({"a": [], "b": ["a"], "c": ["a", "b"], "d": []}) == [["a", "d"], ["b"], ["c"]]
    assert columns({}) == []


def test_what_builds_on_nothing_stands_just_before_what_needs_it() -> None:
    assert columns({"other": [], "a": [], "b": ["a"], "c": ["b", "other"]}) == [["a"], ["b", "other"], ["c"]]
    assert columns({"other": [], "a": [], "b": ["other"]}) == [["other", "a"], ["b"]]


def test_lessons_stand_near_what_they_build_on() -> None:
    assert columns({"a": [], "b": [], "x": ["b"], "y": ["a"]})[1] == ["y", "x"]


def lesson(name: str, *after: str) -> Lesson:
    return Lesson(name, name, "1", "easy", (), after, Body(Markup(""), ()))


def test_lessons_of_other_tracks_stand_where_a_track_builds_on_them() -> None:
    track = [lesson("a"), lesson("b", "far", "left_out"), lesson("c", "b", "far")]
    assert from_elsewhere(track, {"a", "b", "c", "far", "other"}) == ["far"]
    svg = map_of(track, folder="", elsewhere=["far"])
    (dashed,) = re.findall(r'href="(\w+).html" tabindex="-1" class="elsewhere"', svg)
    assert dashed == "far"
    left = {name: float(x) for name, x in re.findall(r'href="(\w+).html"[^>]*><rect x="(\d+)"', svg)}
    assert left["far"] < left["b"] < left["c"]
    assert svg.count("<path") == 3


def test_the_picture_has_a_box_that_leads_to_each_lesson_and_a_line_for_each_step() -> None:
    svg = map_of([lesson("a"), lesson("b", "a", "elsewhere"), lesson("c", "a")], folder="lessons/")
    assert re.findall(r'href="([^"]+)"', svg) == ["lessons/a.html", "lessons/b.html", "lessons/c.html"]
    assert svg.count("<path") == 2
    lefts = [float(x) for x in re.findall(r'<rect x="(\d+)"', svg)]
    assert lefts[0] < lefts[1] == lefts[2]
