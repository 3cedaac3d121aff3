"""What is known of an answer is asked once, and only when it is needed."""

from __future__ import annotations

import numpy as np

from grader.marking.evidence import nowhere
from tests.marking.test_judgement import TOLERANCE, calls, looked, programs


def test_an_answer_is_judged_once_whatever_is_asked_of_its_evidence() -> None:
    replayed, process = programs(np.nan), calls(np.nan)
    evidence = looked(np.nan, replayed, process)
    for _ in range(2):
        assert evidence.failing == 1
        assert not evidence.judgement.lost
        assert evidence.comparable
    assert replayed.asked == ["constants"]
    assert process.calls_of == []


def test_mistakes_are_looked_for_in_the_numbers_of_programs_that_count() -> None:
    numbers = looked(0.5 * TOLERANCE, programs(0.5 * TOLERANCE)).numbers
    assert numbers.exact is not None
    assert numbers.values[1][1] == 5.0 + 0.5 * TOLERANCE
    assert numbers.truth.expected[1].largest_tolerance < TOLERANCE
    alone = looked(0.5, None).numbers
    assert alone.exact is None
    assert alone.truth.expected[1].largest_tolerance == TOLERANCE


def test_of_an_answer_that_nobody_can_ask_again_nothing_more_is_known() -> None:
    evidence = looked(1.0, programs(1.0))
    assert (evidence.draws(0), evidence.calls([0, 1])) == ((), {})
    exact = evidence.comparison
    assert exact is not None
    assert evidence.places(exact) is nowhere
    assert nowhere(1) == ()
