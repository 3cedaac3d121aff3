"""Other seeds of the cases: as many for each size, none of them a case, and described by the names of the sizes."""

from __future__ import annotations

from collections import Counter

from grader.author.calls import CALLS_ON_OTHER_SEEDS, MOST_SEEDS, advice_on_call, other_seeds, seed_in_words

CASES = [(0, 2, 0.5), (3, 2, 0.5), (0, 7, 1.0)]


def test_each_size_has_as_many_other_seeds() -> None:
    listed = list(other_seeds(CASES))
    assert Counter(case[1:] for case in listed) == {(2, 0.5): MOST_SEEDS, (7, 1.0): MOST_SEEDS}
    assert len({*listed, *CASES}) == len(listed) + len(CASES)


def test_many_sizes_share_the_calls() -> None:
    sizes = CALLS_ON_OTHER_SEEDS // 4
    listed = list(other_seeds([(0, size) for size in range(sizes)]))
    assert Counter(case[1:] for case in listed) == {(size,): 4 for size in range(sizes)}


def test_a_seed_is_to_be_taken_and_a_case_of_other_sizes_to_be_added() -> None:
    names = ("seed", "T", "scale")
    assert advice_on_call(names, CASES, (9, 7, 1.0)) == "seed 9 of the case T=7, scale=1.0 does, so take it"
    assert advice_on_call(names, CASES, (0, 7, 0.5)) == "the case (0, 7, 0.5) would, so add it"


def test_a_call_without_sizes_has_its_seed_alone() -> None:
    assert seed_in_words(("seed",), (4,)) == "seed 4"
