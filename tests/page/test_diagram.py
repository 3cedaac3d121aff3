"""The diagrams of a statement as HTML: boxes for arrays, and a table whose numbers are shaded by their size."""

from __future__ import annotations

import re

import pytest

from grader.page.body import diagram_html


def test_a_flow_is_boxes_for_arrays_and_words_between_them() -> None:
    made = diagram_html("flow", "x (T, d) -> a < b -> y (T,)\n")
    assert made is not None
    assert made.count('<span class="array">') == 2
    assert '<span class="array">x <small>(T, d)</small></span>' in made
    assert '<span class="step">a &lt; b</span>' in made
    assert made.count('<span class="arrow">→</span>') == 2


RESIDUAL = "x (T, d) -> norm -> n (T, d) -> add -> y (T, d)\nx (T, d) -> add\n"


def drawn(text: str) -> str:
    made = diagram_html("flow", text)
    assert made is not None
    return str(made)


def test_chains_that_meet_are_one_graph_with_each_array_once_and_an_arrow_past_what_lies_between() -> None:
    made = drawn(RESIDUAL)
    assert re.findall(r"<text[^>]*>(.*?)</text>", made) == [
        "x <tspan>(T, d)</tspan>",
        "norm",
        "n <tspan>(T, d)</tspan>",
        "add",
        "y <tspan>(T, d)</tspan>",
    ]
    assert made.count("<path") == 5
    bends = [path.count("C") for path in re.findall(r'<path d="([^"]*)"', made)]
    assert sorted(bends) == [1, 1, 1, 1, 3], "one arrow passes two rows"
    assert 'aria-label="x (T, d) → norm → n (T, d) → add → y (T, d); x (T, d) → add"' in made


def test_no_box_of_a_graph_covers_another_one_and_all_are_inside() -> None:
    made = drawn(
        "q (T, d) -> turn -> a (T, d)\nk (T, d) -> turn -> b (T, d)\n"
        "a, b (T, d) -> product -> s (T, T)\nq (T, d) -> sum -> z ()\n"
    )
    width, height = (float(one) for one in re.findall(r'(?:width|height)="(\d+)"', made)[:2])
    boxes = [
        tuple(map(float, one))
        for one in re.findall(r'<rect[^>]*x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"', made)
    ]
    assert len(boxes) == 10
    for at, (x, y, wide, high) in enumerate(boxes):
        assert min(x, y) >= 0
        assert (x + wide <= width, y + high <= height) == (True, True)
        for left, top, other_wide, other_high in boxes[:at]:
            assert x + wide <= left or left + other_wide <= x or y + high <= top or top + other_high <= y


@pytest.mark.parametrize(
    "text",
    ["x (T,) -> f -> y (T,)\ny (T,) -> g -> z (T,)\n", "x (T,) -> layer -> x (T,)\nx (T,) -> end -> y (T,)\n"],
    ids=["a chain", "a round"],
)
def test_what_does_not_meet_or_goes_round_stays_lines(text: str) -> None:
    assert drawn(text).startswith('<div class="flow">')


def test_parts_that_do_not_hang_together_are_drawn_one_below_another() -> None:
    assert drawn(f"{RESIDUAL}w (d,) -> square -> v (d,)\n").count("<svg") == 2


def test_a_grid_is_a_table_whose_numbers_are_shaded_by_their_size() -> None:
    made = diagram_html("grid", "   | k0 | k1 | k2 | k3 | k4\nq0 | # | . | 0.5 | -2 | nan\n")
    assert made is not None
    assert re.findall(r'<td class="([^"]*)">([^<]*)</td>', made) == [
        ("filled", "■"),
        ("empty", "·"),
        ("shade-1", "0.5"),
        ("shade-5", "-2"),
        ("shade-0", "nan"),
    ]
    assert re.findall("<th>(.*?)</th>", made) == ["", "k0", "k1", "k2", "k3", "k4", "q0"]


def test_whole_numbers_that_stand_alone_in_their_row_are_names_and_have_no_shade() -> None:
    made = diagram_html("grid", " | a | b\nstep | 1 | 900\nsize | 0.5 | 1\n")
    assert made is not None
    assert re.findall(r'<td class="([^"]*)">', made) == ["shade-0", "shade-0", "shade-2", "shade-5"]


@pytest.mark.parametrize("kind", ["flow", "grid"])
def test_what_cannot_be_read_is_none(kind: str) -> None:
    assert diagram_html(kind, "one line\n") is None
