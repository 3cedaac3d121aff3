"""Declarations: what contradicts itself is refused with what is wrong; sets turn different knobs."""

from __future__ import annotations

from typing import Any

import pytest

from grader import Pitfall, Problem, ProblemError, any_of


def toy(seed: int, n: int, *, a: int = 1, b: int = 2, c: str = "x") -> Any:
    raise AssertionError("a declaration is not called")


def pitfall(name: str, **knobs: object) -> Pitfall:
    return Pitfall(name, why="It is.", hint="Is it?", **knobs)


def test_a_problem_takes_its_name_and_parameters_from_the_reference() -> None:
    problem = Problem(reference=toy, cases=[(0, 1)])
    assert (problem.name, problem.parameters, problem.cases) == ("toy", ("seed", "n"), ((0, 1),))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"cases": []}, "has no cases"),
        ({"cases": [(0,)]}, r"should give \(seed, n\)"),
        ({"cases": [(0, 1), (0, 1)]}, r"\(0, 1\) of toy is listed twice"),
        ({"cases": [(0, "1")]}, "ints and floats only"),
        ({"cases": [(0, True)]}, "ints and floats only"),
        ({"pitfalls": [pitfall("p", z=1)]}, "turns 'z', which is not a knob of toy: it has a, b, c"),
        ({"pitfalls": [pitfall("p")]}, "turns no knob"),
        ({"pitfalls": [pitfall("p", a=0), pitfall("p", b=0)]}, "two pitfalls are called 'p'"),
    ],
)
def test_what_contradicts_itself_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        Problem(reference=toy, **{"cases": [(0, 1)], **arguments})


def test_a_knob_without_a_default_is_refused() -> None:
    def without(seed: int, *, knob: int) -> Any: ...

    with pytest.raises(ProblemError, match="'knob' of without has no default"):
        Problem(reference=without, cases=[(0,)])


def test_sets_turn_different_knobs_and_keep_the_declared_order() -> None:
    declared = [pitfall("one", a=0), pitfall("other", a=9), pitfall("two", b=any_of(5, 6)), pitfall("three", c="y")]
    problem = Problem(reference=toy, cases=[(0, 1)], pitfalls=declared)
    assert [names for names, _ in problem.sets(1)] == [("one",), ("other",), ("two",), ("two",), ("three",)]
    pairs = list(problem.sets(2))
    assert ("one", "other") not in [names for names, _ in pairs]
    assert (("one", "two"), {"a": 0, "b": 6}) in pairs
    assert [names for names, _ in problem.sets(3)] == [("one", "two", "three")] * 2 + [("other", "two", "three")] * 2


def test_a_setting_that_is_tried_alone_is_combined_with_no_other_pitfall() -> None:
    declared = [pitfall("one", a=any_of(3, alone=[4, 5])), pitfall("two", b=any_of(alone=[6])), pitfall("three", c="y")]
    problem = Problem(reference=toy, cases=[(0, 1)], pitfalls=declared)
    assert [knobs for _, knobs in problem.sets(1)] == [{"a": 3}, {"a": 4}, {"a": 5}, {"b": 6}, {"c": "y"}]
    assert list(problem.sets(2)) == [(("one", "three"), {"a": 3, "c": "y"})]
