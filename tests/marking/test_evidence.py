"""What is known of an answer is asked once, and only when it is needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grader.values.arrays import Answered
from grader.values.outline import Draw
from tests.marking.test_judgement import TOLERANCE, Programs, calls, looked, programs


def test_an_answer_is_judged_once_whatever_is_asked_of_its_evidence() -> None:
    evaluated, plain = programs(np.nan), calls(np.nan)
    evidence = looked(np.nan, evaluated, plain)
    for _ in range(2):
        assert evidence.failing == 1
        assert not evidence.judgement.lost
        assert evidence.comparable
    assert evaluated.asked == ["constants"]
    assert plain.of == []


def test_mistakes_are_looked_for_in_the_numbers_of_programs_that_count() -> None:
    numbers = looked(0.5 * TOLERANCE, programs(0.5 * TOLERANCE)).numbers
    assert numbers.exact is not None
    assert numbers.values[1][1] == 5.0 + 0.5 * TOLERANCE
    assert numbers.truth.expected[1].largest_tolerance < TOLERANCE
    alone = looked(0.5, None).numbers
    assert alone.exact is None
    assert alone.truth.expected[1].largest_tolerance == TOLERANCE


def test_the_draws_are_those_of_the_value_where_a_derivative_is_asked_for_too() -> None:
    both = looked(1.0, programs(1.0))
    assert (both.draws(1), looked(1.0, None).draws(1)) == ((), ())
    assert replace(both, value=Programs(None, drawn=[Draw("aa", 3)])).draws(1) == [Draw("aa", 3)]


def test_a_plain_call_that_gave_nothing_is_known_as_such() -> None:
    evidence = looked(1.0, None).with_calls([0, 1], {1: Answered(None)})
    assert evidence.plain == {0: None, 1: Answered(None)}
