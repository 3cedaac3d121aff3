"""Where one mistake is known by its line, the place that is told lies on it; and the line is wrong, and nothing else."""

from __future__ import annotations

import pytest

from grader.marking.conclude import conclude
from tests import places
from tests.answers import Written
from tests.bench.known_lines import located
from tests.conftest import first_plain
from tests.places import Known
from tests.test_answers import attempted, inquiry
from tests.test_problems import KIT, computed


def status(problem: str, written: Written) -> str:
    oracle = computed(problem)
    verdict = conclude(attempted(problem, written), oracle.facts, oracle, inquiry=inquiry(problem, written))
    return verdict.status


@pytest.mark.parametrize("problem", first_plain(places.NAMES))
def test_an_answer_is_wrong_and_right_with_any_of_its_marked_lines_made_right(problem: str) -> None:
    for known in places.read(problem):
        assert known.right, known.written.title
        assert status(problem, known.written) == "wrong", known.written.title
        for line in known.right:
            assert status(problem, known.with_right(line)) == "correct", (known.written.title, line)


@pytest.mark.parametrize("problem", first_plain(places.NAMES))
def test_each_place_that_is_told_lies_on_a_line_that_is_wrong(problem: str) -> None:
    for one in located(KIT, problem):
        assert one.elsewhere == [], (one.known.written.title, [found.place for found in one.elsewhere])


def test_a_mark_is_no_part_of_the_answer() -> None:
    known = places.read("layer_norm")[0]
    assert isinstance(known, Known)
    assert places.MARK not in known.written.text
    ((line, right),) = known.right.items()
    assert known.with_right(line).text.splitlines()[line - 1] == right
