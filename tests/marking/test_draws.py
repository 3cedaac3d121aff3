"""Draws of an answer beside those of the reference: another key, one key twice, another size; the order does not count."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grader.marking.draws import exchanged_keys, exchanges, other_inputs, same_draws
from grader.values.outline import Draw

DUE = [Draw("aa", 6), Draw("bb", 6), Draw("cc", 4)]


def why(*drawn: tuple[str, int, int], due: Sequence[Draw] = DUE) -> str:
    named = other_inputs([Draw(*one) for one in drawn], due)
    assert named is None or (named.name == "other-inputs" and str(named.hint).endswith("?"))
    return "" if named is None else str(named.why)


@pytest.mark.parametrize(
    "drawn",
    [
        [("aa", 6, 7), ("bb", 6, 8), ("cc", 4, 9)],
        [("cc", 4, 7), ("bb", 6, 8), ("aa", 6, 9)],
        [("aa", 6, 7), ("aa", 6, 7), ("bb", 6, 8), ("cc", 4, 9)],
        [("aa", 6, 7), ("bb", 6, 8), ("cc", 4, 9), ("dd", 4, 10)],
        [("aa", 6, 7), ("bb", 6, 8)],
        [("aa", 6, 7), ("bb", 6, 8), ("cc", 4, 9), ("cc", 8, 10)],
    ],
    ids=["the same", "another order", "drawn once more", "one draw more", "one draw left out", "one more of a key"],
)
def test_draws_that_may_give_the_same_inputs_are_not_named(drawn: list[tuple[str, int, int]]) -> None:
    assert why(*drawn) == ""


def test_a_problem_without_draws_names_none() -> None:
    assert why(("dd", 6, 7), due=[]) == ""


def test_another_key_is_named_with_its_lines() -> None:
    one = why(("aa", 6, 7), ("dd", 6, 8), ("cc", 4, 9))
    assert one == "Line 8 draws with a key that is not the statement's, so the numbers are different."
    both = why(("ee", 6, 7), ("dd", 6, 8), ("cc", 4, 9))
    assert both.startswith("Lines 7 and 8 draw with a key that is not the statement's")
    unknown = why(("aa", 6, 0), ("dd", 6, 0), ("cc", 4, 0))
    assert unknown.startswith("One line draws with a key that is not the statement's")


def test_one_key_for_two_arrays_is_named_with_its_lines() -> None:
    text = why(("aa", 6, 7), ("aa", 6, 8), ("cc", 4, 9))
    assert text.startswith("Lines 7 and 8 draw with the same key")
    in_a_loop = why(("aa", 6, 7), ("aa", 6, 7), ("cc", 4, 9))
    assert in_a_loop.startswith("Line 7 draws 2 arrays with the same key")


def test_another_number_of_values_is_named_with_both_numbers() -> None:
    assert why(("aa", 6, 7), ("bb", 6, 8), ("cc", 6, 9)) == (
        "Line 9 draws 6 numbers with a key that the statement draws 4 with."
    )


def test_keys_of_arrays_of_other_sizes_that_changed_places_are_named_as_such() -> None:
    assert why(("bb", 6, 7), ("aa", 6, 8), ("cc", 4, 9)) == "", "the same size: values alone can show it"
    text = why(("aa", 6, 7), ("cc", 6, 8), ("bb", 4, 9))
    assert text == (
        "Lines 8 and 9 draw with keys that the statement gives to each other's arrays, so the numbers are different."
    )


def test_two_and_three_draws_are_exchanged_and_each_exchange_comes_once() -> None:
    assert exchanges([DUE[:2], DUE]) == [(0, 1)]
    assert exchanges([DUE]) == [(0, 1), (0, 2), (1, 2), (0, 1, 2), (0, 2, 1)]
    assert len(exchanges([[Draw(f"{place}", 6) for place in range(99)]])) == 28
    assert exchanges([]) == exchanges([[], DUE]) == []


def test_exchanged_keys_are_named_with_the_lines_that_draw_from_them() -> None:
    drawn = [Draw("bb", 6, 7), Draw("aa", 6, 8), Draw("cc", 4, 9)]
    assert "Two of the arrays, drawn at lines 7 and 8, have changed places" in str(
        exchanged_keys(drawn, ["aa", "bb"]).why
    )


@pytest.mark.parametrize(
    ("keys", "same"),
    [
        (("aa", "bb", "cc"), True),
        (("cc", "aa", "bb", "aa", "bb", "cc"), True),
        (("aa", "bb"), False),
        (("aa", "aa", "bb", "cc"), False),
        (("aa", "bb", "dd"), False),
        ((), False),
    ],
)
def test_draws_are_the_same_if_each_is_made_as_often(keys: Sequence[str], same: bool) -> None:
    counts = {one.key: one.count for one in DUE}
    assert same_draws([Draw(key, counts.get(key, 4)) for key in keys], DUE) is same
    assert not same_draws([Draw(one.key, one.count + 1) for one in DUE], DUE)
