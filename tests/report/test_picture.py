"""Pictures in a terminal: what a report shows, whatever an answer gave, in every kind of terminal."""

from __future__ import annotations

import io
import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from grader.marking.verdict import ComparedCase, Drawable, Excerpt, Pictured, Status, Verdict
from grader.pictures.view import OF, view
from grader.report.feedback import limited
from grader.report.ink import Ink
from grader.report.picture import drawn, in_report
from grader.report.terminal import Terminal
from grader.values.message import verbatim
from tests.pictures.samples import CURVE, HEATMAP, MATRIX, TOKENS, WAVES, Array, compared, hostile, waves

INKS = [Ink(True, True), Ink(False, True), Ink(False, False)]
WRONG = compared(waves(33, 64), waves(33, 64, 1.0), arguments="T=33, d_model=64")


def report(picture: Pictured, one: ComparedCase, width: int = 80, ink: Ink = INKS[0]) -> list[str]:
    return [line.plain for line in in_report(Drawable((picture,), (one,)), width, ink)]


def test_due_given_and_difference_stand_side_by_side() -> None:
    shown = report(HEATMAP, WRONG)
    assert shown[0].strip() == "position down, dim across, at T=33, d_model=64"
    assert shown[2].split() == ["expected", "yours", "difference"]
    assert len(shown) <= 20
    assert "Drawn: 24 of 33 along position" in " ".join(shown)


def test_below_sixty_columns_there_is_none() -> None:
    assert report(HEATMAP, WRONG, 60)
    assert report(HEATMAP, WRONG, 59) == []


@pytest.mark.few(7)
@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("picture", [HEATMAP, MATRIX, WAVES, CURVE, TOKENS])
def test_no_line_is_too_long(picture: Pictured, ink: Ink) -> None:
    for size in ((1, 1), (2, 3), (3, 2), (20, 1), (40, 70)):
        due = waves(*size)
        long = ", ".join(f"parameter_{number}={number}" for number in range(8))
        one = compared(due, due + 0.5, arguments=long)
        if len(picture.axes) == 1:
            one = compared(due.reshape(-1), due.reshape(-1) + 1.5, "step")
        seen = view(picture, one)
        assert seen is not None
        for width, lines in itertools.product((60, 71, 80), (12, 24)):
            for row in drawn(seen, OF, width, lines, ink):
                assert cell_len(row.plain) <= width
                assert ink.unicode or row.plain.isascii()


@pytest.mark.parametrize("ink", INKS)
@pytest.mark.parametrize("picture", [HEATMAP, MATRIX, WAVES, CURVE, TOKENS])
@pytest.mark.parametrize(
    "given", [hostile(), np.full((4, 8), np.nan), np.full((4, 8), -np.inf), np.full((4, 8), 1e308)]
)
def test_whatever_an_answer_gives_is_drawn(picture: Pictured, given: Array, ink: Ink) -> None:
    due = np.arange(32.0).reshape(4, 8)
    for first, second in ((due, given), (given, due), (given, given)):
        one = compared(first, second)
        if len(picture.axes) == 1:
            one = compared(first.reshape(-1), second.reshape(-1), "step")
        seen = view(picture, one)
        assert seen is not None
        assert list(drawn(seen, OF, 80, 12, ink))


def test_without_colour_signs_say_what_is_too_large_and_too_small() -> None:
    due = np.zeros((3, 4))
    given = due.copy()
    given[0, 1], given[2, 3] = 1.0, -1.0
    shown = report(HEATMAP, compared(due, given), ink=INKS[2])
    rows = [line[-14:] for line in shown if "..." in line]
    assert "".join(rows).count("++") == 1
    assert "".join(rows).count("--") == 1
    assert "2 of the 12 values drawn are wrong: those with + (too large) or - (too small)" in one_line(shown)


def one_line(shown: list[str]) -> str:
    return " ".join(" ".join(shown).split())


@pytest.mark.parametrize(
    ("value", "ink", "said"),
    [
        (np.nan, INKS[2], "1 of the 12 values drawn is wrong: the one with a letter in the difference. N is NaN."),
        (np.nan, INKS[0], "1 of the 12 values drawn is wrong: the one with a letter in the difference. N is NaN."),
        (0.9, INKS[2], "1 of the 12 values drawn is wrong: the one with + (too large) in the difference."),
        (0.9, INKS[0], "1 of the 12 values drawn is wrong: the one with a block in the difference."),
    ],
)
def test_the_caption_says_what_one_wrong_value_has(value: float, ink: Ink, said: str) -> None:
    due = np.full((3, 4), 0.5)
    given = due * (1 + 1e-9)
    given[0, 1] = value
    wrong = np.zeros((3, 4), np.bool_)
    wrong[0, 1] = True
    shown = report(HEATMAP, replace(compared(due, given), wrong=wrong.reshape(-1)), ink=ink)
    assert one_line(shown).endswith(said)
    assert ("e-" in one_line(shown)) is False  # rounding of the others is in no legend


def test_a_right_table_has_no_scale_of_differences() -> None:
    seen = view(HEATMAP, compared(waves(4, 8), waves(4, 8)))
    assert seen is not None
    for ink in INKS:
        assert "up to" not in one_line([row.plain for row in drawn(seen, ["difference"], 80, 24, ink)])


def test_nan_and_infinities_are_named() -> None:
    due = np.arange(32.0).reshape(4, 8)
    shown = " ".join(" ".join(report(HEATMAP, compared(due, hostile()))).split())
    assert "N is NaN, I is inf, i is -inf" in shown
    assert "Some of your values lie beyond this scale" in shown


def test_a_part_that_was_not_asked_for_is_not_drawn() -> None:
    seen = view(HEATMAP, WRONG)
    assert seen is not None
    shown = "\n".join(row.plain for row in drawn(seen, ["yours"], 80, 24, INKS[1]))
    assert "yours" in shown
    assert "expected" not in shown
    assert "difference" not in shown
    assert "values drawn are wrong." in shown


@pytest.mark.parametrize("of", [OF, ("yours",), ("difference",)])
@pytest.mark.parametrize("picture", [HEATMAP, WAVES])
def test_of_a_right_answer_it_says_that_nothing_is_wrong(picture: Pictured, of: tuple[str, ...]) -> None:
    seen = view(picture, compared(waves(4, 8), waves(4, 8)))
    assert seen is not None
    assert "No value that is drawn is wrong." in "\n".join(row.plain for row in drawn(seen, of, 80, 24, INKS[0]))


VERDICT = Verdict(
    "toy",
    Status.WRONG,
    verbatim("Right on 1 of 2 cases."),
    excerpt=Excerpt(verbatim("position 1"), (verbatim("dim 0"),), (0.5,), (0.25,), (True,)),
    drawable=Drawable((HEATMAP,), (WRONG,)),
)


def printed(verdict: Verdict, *, pictures: bool) -> str:
    stream = io.StringIO()
    Terminal(Console(file=stream, width=80, no_color=True), pictures).verdict(verdict, device="cpu")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("encoding", "system", "fine"),
    [
        ("utf-8", "truecolor", True),
        ("utf-8", "256", False),
        ("utf-8", "standard", None),  # 16 colours cannot show two sides of a scale
        ("latin-1", "truecolor", None),
        ("ascii", "256", None),
    ],
)
def test_a_terminal_has_the_colours_and_signs_that_it_can_show(encoding: str, system: Any, fine: bool | None) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=stream, width=80, color_system=system, force_terminal=True, no_color=False, _environ={})
    terminal = Terminal(console, pictures=True)
    terminal.verdict(VERDICT, device="cpu")
    stream.flush()
    shown = stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    assert "position down, dim across" in shown
    assert ("▀" in shown) is (fine is not None)
    assert ("those with +" in shown) is (fine is None)
    assert terminal.ink.fine is (fine is True)


def test_a_report_has_a_picture_only_where_it_may() -> None:
    assert "position down, dim across" in printed(VERDICT, pictures=True)
    assert "position down, dim across" not in printed(VERDICT, pictures=False)
    assert not Terminal.make(pictures=True).pictures  # the tests run without a terminal


@pytest.mark.parametrize("level", ["diagnosis", "verdict"])
def test_where_expected_values_are_withheld_there_is_no_picture(level: str) -> None:
    assert limited(VERDICT, level).drawable is None
    assert "position down" not in printed(limited(VERDICT, level), pictures=True)
