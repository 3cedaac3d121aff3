"""Where one mistake is known by its line, the place that is told lies on it, or where the mistake can be made up for."""

from __future__ import annotations

import pytest

from grader.marking.facts import ProgramRequirements
from grader.program.data import Place
from tests import places
from tests.answers import Written
from tests.bench.known_lines import located
from tests.conftest import closely
from tests.places import Known, touches
from tests.test_answers import Here
from tests.test_problems import KIT, computed


def status(problem: str, written: Written) -> str:
    here = Here(problem, written, ProgramRequirements())  # the places are those of mistakes in the values
    return here.concluded(computed(problem), here.attempt()).status


@pytest.mark.slow
@pytest.mark.parametrize("problem", closely(places.NAMES))
def test_an_answer_is_wrong_and_right_with_any_of_its_marked_lines_changed(problem: str) -> None:
    for known in places.read(problem):
        assert known.wrong, known.written.title
        assert status(problem, known.written) == "wrong", known.written.title
        for line in (*known.wrong, *known.also):
            assert status(problem, known.with_line(line)) == "correct", (known.written.title, line)


@pytest.mark.slow
@pytest.mark.parametrize("problem", closely(places.NAMES))
def test_each_place_that_is_told_lies_on_a_line_that_could_be_changed(problem: str) -> None:
    elsewhere = {
        one.known.written.title: [place.place.line for place in one.elsewhere] for one in located(KIT, problem)
    }
    assert {title: lines for title, lines in elsewhere.items() if lines} == {}


def keys_ask() -> Known:
    return next(one for one in places.read("scaled_dot_product") if one.written.title == "keys ask the queries")


def test_a_mark_is_no_part_of_the_answer() -> None:
    known = keys_ask()
    lines = known.written.text.splitlines()
    assert known.wrong == {10: '    scores = jnp.einsum("id,jd->ij", q, k)'}
    assert lines[9] == '    scores = jnp.einsum("id,jd->ij", k, q)'
    assert list(known.also) == [12]
    assert known.with_line(10).text.splitlines() == [*lines[:9], known.wrong[10], *lines[10:]]


def test_a_place_is_at_the_change_if_it_holds_some_of_what_is_changed() -> None:
    known = keys_ask()
    columns = {"jnp": (13, 16), "k, q": (38, 42), "the call": (13, 43), "scores": (4, 10)}
    there = {name: known.at_the_change(Place(10, start, 10, end)) for name, (start, end) in columns.items()}
    assert there == {"jnp": False, "k, q": True, "the call": True, "scores": False}
    assert not touches(Place(11, 13, 11, 43), known.wrong)
    assert touches(Place(9, 0, 11, 4), known.wrong)
