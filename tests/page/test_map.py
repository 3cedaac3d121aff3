"""The map of a track: each lesson stands to the right of all that it builds on."""

from __future__ import annotations

import re

from markupsafe import Markup

from grader.page.body import Body
from grader.page.map import IN_ROW, LINE, WIDTH, columns, map_of
from grader.page.site import Lesson


def test_a_lesson_stands_after_the_longest_chain_before_it() -> None:
    assert columns({"a": [], "b": ["a"], "c": ["a", "b"], "d": []}) == [["a", "d"], ["b"], ["c"]]
    assert columns({}) == []


def test_what_builds_on_nothing_stands_just_before_what_needs_it() -> None:
    assert columns({"other": [], "a": [], "b": ["a"], "c": ["b", "other"]}) == [["a"], ["b", "other"], ["c"]]
    assert columns({"other": [], "a": [], "b": ["other"]}) == [["other", "a"], ["b"]]


def test_lessons_stand_near_what_they_build_on() -> None:
    assert columns({"a": [], "b": [], "x": ["b"], "y": ["a"]})[1] == ["y", "x"]


def lesson(name: str, *after: str, title: str = "") -> Lesson:
    return Lesson(name, title or name, "1", "easy", (), after, Body(Markup(""), ()))


def corners(svg: str) -> dict[str, tuple[float, float]]:
    found = re.findall(r'data-lesson="(\w+)"><rect x="(\d+)" y="(\d+)"', svg)
    return {name: (float(x), float(y)) for name, x, y in found}


def test_the_picture_has_a_box_that_leads_to_each_lesson_and_a_line_for_each_step() -> None:
    svg = map_of([lesson("a"), lesson("b", "a", "elsewhere"), lesson("c", "a")], folder="lessons/")
    assert sorted(re.findall(r'href="([^"]+)"', svg)) == ["lessons/a.html", "lessons/b.html", "lessons/c.html"]
    assert svg.count("<path") == 2
    at = corners(svg)
    assert at["a"][0] < at["b"][0] == at["c"][0]
    assert at["b"][1] < at["a"][1] < at["c"][1]


def test_a_box_has_the_title_in_as_many_lines_as_it_needs() -> None:
    svg = map_of([lesson("a", title="Multi-head attention with rotary positions"), lesson("b", "a")], folder="")
    assert re.findall(r">([^<]+)</tspan>", svg) == ["Multi-head attention", "with rotary", "positions", "b"]
    heights = [int(height) for height in re.findall(r'height="(\d+)" rx', svg)]
    assert heights[0] - heights[1] == 2 * LINE


def test_lessons_that_no_line_leads_to_stand_in_rows_below_the_others() -> None:
    apart = [lesson(f"apart_{at}", "far") for at in range(IN_ROW + 1)]
    at = corners(map_of([lesson("a"), lesson("b", "a"), *apart], folder=""))
    heights = [at[one.name][1] for one in apart]
    assert max(at["a"][1], at["b"][1]) < heights[0]
    assert len(set(heights[:IN_ROW])) == 1
    assert heights[IN_ROW] > heights[0]


def test_the_picture_holds_all_its_boxes() -> None:
    for track in ([lesson("a")], [lesson("a"), lesson("b", "a"), lesson("c")], []):
        svg = map_of(track, folder="")
        width, height = map(float, re.findall(r"\d+", svg)[:2])
        assert all(x + WIDTH < width and y + LINE < height for x, y in corners(svg).values())
