"""An answer whose constant differs in the fifth digit is wrong, however small the difference is in float32."""

from __future__ import annotations

from typing import Any

import pytest

from grader.author.mutation_score import given_lines
from grader.author.near_misses import near_misses
from grader.kit.solution import bare
from grader.marking.verdict import Status
from tests.answers import Written
from tests.test_answers import Here
from tests.test_problems import KIT, NAMES, computed, others_are_slow

TOO_LITTLE_TO_SEE = {
    ("match_brackets", 0.5): "a border between whole numbers",
    ("gae_scan", 0.2): "the probability of a draw: no number that was drawn lies in between",
}
"""Constants of worked answers that change next to nothing if they change in the fifth digit."""


def written(problem: str) -> list[Written]:
    """The worked answer with one of its float constants changed, for each of them."""
    text = KIT.answer(problem).read_text(encoding="utf-8")
    given = given_lines(text, KIT.stub(problem).read_text(encoding="utf-8"))
    return [
        Written(f"line {near.line}, column {near.column}: {near.value}", near.text)
        for near in near_misses(bare(text, numbered=True))
        if near.line not in given and (problem, near.value) not in TOO_LITTLE_TO_SEE
    ]


def listed() -> list[Any]:
    return [
        pytest.param(problem, one, id=f"{problem}: {one.title}", marks=others_are_slow(problem))
        for problem in NAMES
        for one in written(problem)
    ]


@pytest.mark.parametrize(("problem", "near"), listed())
def test_a_constant_that_is_wrong_in_the_fifth_digit_is_wrong(problem: str, near: Written) -> None:
    here = Here(problem, near)
    verdict = here.concluded(computed(problem), here.attempt())
    assert verdict.status is Status.WRONG
