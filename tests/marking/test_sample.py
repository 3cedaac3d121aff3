"""Some values of a wrong answer: what was kept is enough to compare it with others, and nothing damaged is believed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from grader.marking.facts import Truth
from grader.marking.sample import LARGEST_SAMPLE, PLACES, WHOLE, read_sample, sample_distance, sample_of
from grader.values.arrays import Answered, Array, Expected
from tests.marking.evidence import evidence_of
from tests.marking.test_judgement import Programs

TOLERANCE = 1e-6
TRUE = [np.linspace(1, 2, size) for size in (4, 200, 2000)]


def sample(
    given: Sequence[Array | None], *, seed: int = 7, true: Sequence[Array] = TRUE, tolerance: Any = TOLERANCE
) -> str:
    dtypes = [str(one.dtype) for one in true]
    truth = Truth([Expected(one, tolerance) for one in true], [one.shape for one in true], dtypes, [{}] * len(true))
    returned = [Answered(one, "" if one is None else str(one.dtype)) for one in given]
    return sample_of(evidence_of(truth, true, returned=returned, seed=seed))


def moved(by: float = 0.5, *, at: int | None = None, cases: Sequence[int] = (0, 1, 2)) -> list[Array]:
    """The true values with an error, of all values or of one, on some cases."""
    given = [one.copy() for one in TRUE]
    for case in cases:
        given[case][slice(None) if at is None else at] += by
    return given


def gap(one: str, other: str, most: float = math.inf) -> float:
    assert sample_distance(read_sample(one), read_sample(other), most) == sample_distance(
        read_sample(other), read_sample(one), most
    )
    return sample_distance(read_sample(one), read_sample(other), most)


def test_the_smallest_failing_case_is_whole_and_of_every_other_case_some_values_are_kept() -> None:
    small, middle, large = read_sample(sample(moved()))
    assert [one.places.size for one in (small, middle, large)] == [4, PLACES, PLACES]
    assert [one.size for one in (small, middle, large)] == [4, 200, 2000]
    assert len(set(large.places)) == PLACES
    np.testing.assert_allclose(middle.values, 0.5, rtol=1e-6)
    assert [one.places.size for one in read_sample(sample(moved(cases=[1])))] == [4, 200, PLACES]
    assert [one.places.size for one in read_sample(sample(moved(cases=[2])))] == [4, PLACES, WHOLE]


def test_one_seed_chooses_the_same_places_and_another_seed_others() -> None:
    mine, same, other = (
        read_sample(sample(moved(by), seed=seed))[2].places for by, seed in ((0.5, 7), (0.6, 7), (0.5, 8))
    )
    assert mine.tolist() == same.tolist() != other.tolist()
    assert read_sample(sample(moved(), seed=7))[1].places.max() < 200


def test_it_is_small() -> None:
    true = [np.linspace(1, 2, size) for size in (2, 12, 60, 600, 600, 2048, 2048, 4096, 2048)]
    assert len(sample([one + 0.5 for one in true], true=true)) < 4500


@pytest.mark.parametrize("by", [1e-5, 0.5, 1e6])
def test_what_differs_by_rounding_is_near_and_what_differs_by_more_is_not(by: float) -> None:
    one = sample(moved(by))
    rounded = [value.astype(np.float32).astype(np.float64) for value in moved(by)]
    assert gap(one, sample(rounded)) < 1
    assert gap(one, sample(moved(by + 10 * max(TOLERANCE, by * 2.0**-21)))) == pytest.approx(10, rel=0.1)
    assert gap(one, sample(moved(by * 1.001 + 1e-3))) > 64


def test_a_value_that_is_kept_nowhere_shows_in_the_largest_difference() -> None:
    at = next(one for one in range(2000) if one not in read_sample(sample(moved()))[2].places)
    one, other = moved(), moved()
    other[2][at] += 0.25
    assert gap(sample(one), sample(other)) > 1000


def test_a_case_that_is_whole_in_one_and_not_in_the_other_is_compared_where_both_have_values() -> None:
    passes_on_the_first = moved(cases=[1, 2])
    assert gap(sample(moved()), sample(passes_on_the_first)) == pytest.approx(0.5 / TOLERANCE, rel=1e-3)
    just = [passes_on_the_first[0] + 15 * TOLERANCE, *passes_on_the_first[1:]]
    further = [passes_on_the_first[0] + 17 * TOLERANCE, *passes_on_the_first[1:]]
    assert gap(sample(just), sample(further)) == pytest.approx(2, rel=1e-2)


def test_samples_without_a_common_place_cannot_be_compared() -> None:
    mine = moved(cases=[0, 2])
    here = {*read_sample(sample(mine))[2].places.tolist()}
    seed = next(one for one in range(8, 999) if not here & {*read_sample(sample(mine, seed=one))[2].places.tolist()})
    assert gap(sample(mine), sample(mine, seed=seed)) == math.inf


def test_each_place_has_its_own_tolerance() -> None:
    true, wide = [np.zeros(3)], np.array([1e-6, 1.0, 1e-6])
    one, far_in_a_wide_place, far_in_a_narrow_place = (
        sample([np.array(values)], true=true, tolerance=wide) for values in ([9.0, 9, 9], [9.0, 14, 9], [9.0, 9, 9.1])
    )
    assert gap(one, far_in_a_wide_place) == pytest.approx(5)
    assert gap(one, far_in_a_narrow_place) > 64


def test_infinities_and_nan_are_equal_or_infinitely_far() -> None:
    nan, inf, low = ([np.array([value, 1.0])] for value in (math.nan, math.inf, -math.inf))
    true = [np.array([1.0, -math.inf])]
    for one in (nan, inf, low):
        assert gap(sample(one, true=true), sample(one, true=true)) == 0
    assert gap(sample(nan, true=true), sample(inf, true=true)) == math.inf
    assert gap(sample(inf, true=true), sample(low, true=true)) == math.inf
    (masked,) = read_sample(sample([np.array([1.5, -math.inf])], true=true))
    assert (masked.values.tolist(), masked.off) == ([0.5, 0.0], pytest.approx(0.5 / TOLERANCE)), (
        "as infinite as it should be"
    )


def test_integers_are_near_only_if_they_are_equal() -> None:
    true = [np.array([1, 2, 3])]
    one, same, other = (
        sample([np.array([1, 2, last])], true=true, tolerance=0.0) for last in (9_000_001, 9_000_001, 9_000_002)
    )
    assert (gap(one, same), gap(one, other)) == (0, math.inf)


@pytest.mark.parametrize("other", [None, np.array(["a"]), np.arange(5.0), np.arange(4.0) * 1j, np.arange(4)])
def test_what_has_another_form_cannot_be_near(other: Array | None) -> None:
    true, given = [np.arange(4.0)], [np.arange(4.0) + 1]
    assert gap(sample(given, true=true), sample([other], true=true)) == math.inf
    assert gap(sample([other], true=true), sample([other], true=true)) == 0
    assert gap(sample(given, true=true), sample([*given, *given], true=[*true, *true])) == math.inf


def test_what_only_float64_shows_is_compared_by_its_tolerance() -> None:
    ones = np.ones(4)
    truth = Truth([Expected(ones, TOLERANCE)], [(4,)], ["float64"], [{}])

    def hidden(by: float) -> str:
        programs = Programs([ones + by])
        programs.constants = lambda: [np.zeros(4)]
        return sample_of(evidence_of(truth, [ones + by], programs=programs, seed=7))

    assert gap(hidden(1e-7), hidden(1e-7 + 1e-10)) < 16 < 64 < gap(hidden(1e-7), hidden(3e-7))


def test_a_distance_beyond_the_limit_counts_as_infinite() -> None:
    one, other = sample(moved()), sample(moved(0.5 + 20 * TOLERANCE))
    assert gap(one, other, 16) == math.inf
    assert gap(one, other, 64) == pytest.approx(20, rel=0.1)


def change(case: int = 1, **more: Any) -> Callable[[Any], object]:
    return lambda parsed: parsed["cases"][case].update(more)


@pytest.mark.parametrize(
    "damage",
    [
        lambda parsed: parsed.update(more=1),
        lambda parsed: parsed.pop("seed"),
        lambda parsed: parsed.update(seed="7"),
        lambda parsed: parsed["cases"].append(7),
        lambda parsed: parsed["cases"].append({}),
        change(size=-2),
        change(size=True),
        change(size=10**9),
        change(size=199.0),
        change(size=63),
        change(size=-1),
        change(kind="O"),
        change(kind=""),
        change(kind="i"),
        change(off=-1.0),
        change(off=float("inf")),
        change(off=float("nan")),
        change(off="1"),
        change(values="AAA"),
        change(values="AAAA"),
        change(values="AAAAAA=="),
        change(values="é"),
        change(tolerances=""),
        change(tolerances="AAAAAAAAAAA="),
        change(tolerances="AADAfw=="),  # NaN
        change(tolerances="AACAvw=="),  # -1
        change(more=1),
    ],
)
def test_a_damaged_sample_is_refused_in_a_few_words(damage: Callable[[Any], object]) -> None:
    parsed = json.loads(sample(moved()))
    damage(parsed)
    with pytest.raises(ValueError, match=r"^(case \d of )?a sample (that|with|whose|without)"):
        read_sample(json.dumps(parsed))


@pytest.mark.parametrize("text", ["", "{", "[]", "7", "[" * 100_000, "x" * (LARGEST_SAMPLE + 1)])
def test_what_is_no_sample_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a sample"):
        read_sample(text)
