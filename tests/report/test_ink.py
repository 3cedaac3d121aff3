"""Colours, shades and letters of values."""

from __future__ import annotations

import numpy as np
from rich.color import ColorType

from grader.pictures.view import Scale
from grader.report.ink import STEPS, Ink, legend, letter, letters_in, steps, steps_apart, style, style_behind

COLOUR, SHADES, ASCII = Ink(True, True), Ink(False, True), Ink(False, False)
EVEN = Scale(-1.0, 1.0, True)


def test_shades_rise_with_the_value() -> None:
    assert "".join(SHADES.shade(place) for place in (0.0, 0.25, 0.5, 0.75, 1.0)) == " ░▒▓█"
    assert "".join(ASCII.shade(place / 10) for place in range(10)) == " .:-=+*#%@"


def test_what_is_not_finite_is_a_letter() -> None:
    assert [letter(value) for value in (1.0, np.nan, np.inf, -np.inf)] == ["", "N", "I", "i"]
    assert letters_in(np.array([1.0, -np.inf]), None, np.array([np.nan])) == "N is NaN, i is -inf"
    assert letters_in(np.zeros(3)) == ""


def test_the_smallest_difference_is_told_from_none_by_its_colour() -> None:
    tiny = np.array([-1e-30, 0.0, 1e-30])
    assert steps(tiny, EVEN).tolist() == [STEPS // 2] * 3
    below, none, above = steps_apart(tiny, EVEN).tolist()
    assert below < none - 4
    assert above > none + 4


def test_nan_has_no_step() -> None:
    assert steps(np.array([np.nan]), EVEN).tolist() == [-1]
    assert steps_apart(np.array([np.nan]), EVEN).tolist() == [-1]


def test_zero_is_white_and_text_on_a_colour_can_be_read() -> None:
    white = style(True, STEPS // 2).color
    assert white is not None
    assert white.triplet == (247, 247, 247)
    for step, expected in ((0, 255), (STEPS // 2, 0), (STEPS, 255)):
        text = style_behind(True, step).color
        assert text is not None
        assert text.triplet == (expected,) * 3


def test_a_legend_has_the_ends_of_the_scale_and_never_more_columns_than_there_are() -> None:
    assert legend(EVEN, COLOUR, 40).plain == "█ -1  █ 0  █ 1"
    assert legend(EVEN, ASCII, 40).plain == "[ ] -1  [+] 0  [@] 1"
    assert legend(EVEN, COLOUR, 40, apart=True).plain == "█ -1  · 0  █ 1"
    for ink in (COLOUR, SHADES, ASCII):
        for width in (1, 8, 15, 24):
            shown = legend(Scale(-1.2345e300, 1.2345e300, True), ink, width).plain
            assert len(shown) <= width
            assert not shown or shown.endswith("1.23e+300")  # a number is never cut


def test_in_256_colours_each_side_of_zero_keeps_its_hue() -> None:
    found = [style(True, step, fine=False).color for step in range(STEPS + 1)]
    assert all(colour is not None and colour.type is ColorType.EIGHT_BIT for colour in found)
    triplets = [colour.get_truecolor() for colour in found if colour is not None]
    below, above = triplets[: STEPS // 2 - 2], triplets[STEPS // 2 + 3 :]
    assert all(one.blue > one.red for one in below)
    assert all(one.red > one.blue for one in above)
