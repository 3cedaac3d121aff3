"""Declarations: what contradicts itself is refused with what is wrong; sets turn different knobs."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from grader import Pitfall, Problem, ProblemError, Whole, any_of
from grader.kit.problem import pitfall_sets
from tests.toy import problem_of


def toy(seed: int, n: int, *, a: int = 1, b: int = 2, c: str = "x") -> Any:
    raise AssertionError("a declaration is not called")


def pitfall(name: str, **knobs: object) -> Pitfall:
    return Pitfall(name, why="It is.", hint="Is it?", **knobs)


def test_a_problem_takes_its_name_and_parameters_from_the_reference() -> None:
    problem = problem_of(toy, cases=[(0, 1)])
    assert (problem.name, problem.parameters, problem.cases) == ("toy", ("seed", "n"), ((0, 1),))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"cases": []}, "has no cases"),
        ({"cases": [(0,)]}, r"should give \(seed, n\)"),
        ({"cases": [(0, 1), (0, 1)]}, r"\(0, 1\) of toy is listed twice"),
        ({"cases": [(0, "1")]}, "gives n a value of type str: it may hold Python ints and floats only"),
        ({"cases": [(0, True)]}, "gives n a value of type bool"),
        ({"cases": [(0, [1])]}, "gives n a value of type list"),
        (
            {"arguments": {"seed": Whole(0), "n": Whole()}},
            "`arguments` names seed, n: name each argument but the seed, n",
        ),
        ({"arguments": {"n": Whole(2)}}, r"the case \(0, 1\) of toy gives n=1, which should be at least 2"),
        ({"legal": [lambda n: n > 0]}, "`legal` is about 'n', which `arguments` does not name"),
        ({"arguments": {"n": Whole()}, "legal": [lambda n: n > 1]}, r"gives n=1, and `legal` does not allow"),
        ({"axes": ["place", "place"]}, "names 'place' twice"),
        ({"pitfalls": [pitfall("p", z=1)]}, "turns 'z', which is not a knob of toy: it has a, b, c"),
        ({"pitfalls": [pitfall("p")]}, "turns no knob"),
        ({"pitfalls": [pitfall("p", a=0), pitfall("p", b=0)]}, "two pitfalls are called 'p'"),
    ],
)
def test_what_contradicts_itself_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        problem_of(toy, **{"cases": [(0, 1)], **arguments})


@pytest.mark.parametrize(
    ("values", "alone", "said"),
    [((1, 2), [2], "the value 2 twice"), ((), ["a", "b", "a"], "the value 'a' twice"), ((), [], "no value")],
)
def test_values_of_a_knob_that_are_repeated_or_missing_are_refused(
    values: tuple[object, ...], alone: list[object], said: str
) -> None:
    with pytest.raises(ProblemError, match=said):
        any_of(*values, alone=alone)


def test_authors_see_the_parameters_that_they_give_and_no_others() -> None:
    given = (
        "reference",
        "cases",
        "pitfalls",
        "arguments",
        "legal",
        "axes",
        "by_row",
        "contract",
        "wrt",
        "trace",
        "picture",
    )
    assert tuple(inspect.signature(Problem).parameters) == given
    assert all(f"    {name}: " in str(inspect.getdoc(Problem)) for name in given)
    shown = repr(problem_of(toy, cases=[(0, 1)]))
    assert "name=" not in shown
    assert "parameters=" not in shown
    assert [name for name in vars(Problem) if not name.startswith("_") and name not in given] == []


def test_a_knob_without_a_default_is_refused() -> None:
    def without(seed: int, *, knob: int) -> Any: ...

    with pytest.raises(ProblemError, match="'knob' of without has no default"):
        problem_of(without, cases=[(0,)])


def test_sets_turn_different_knobs_and_keep_the_declared_order() -> None:
    declared = [pitfall("one", a=0), pitfall("other", a=9), pitfall("two", b=any_of(5, 6)), pitfall("three", c="y")]
    problem = problem_of(toy, cases=[(0, 1)], pitfalls=declared)
    assert [names for names, _ in pitfall_sets(problem, 1)] == [("one",), ("other",), ("two",), ("two",), ("three",)]
    pairs = list(pitfall_sets(problem, 2))
    assert ("one", "other") not in [names for names, _ in pairs]
    assert (("one", "two"), {"a": 0, "b": 6}) in pairs
    assert [names for names, _ in pitfall_sets(problem, 3)] == [("one", "two", "three")] * 2 + [
        ("other", "two", "three")
    ] * 2


def test_a_setting_that_is_tried_alone_is_combined_with_no_other_pitfall() -> None:
    declared = [pitfall("one", a=any_of(3, alone=[4, 5])), pitfall("two", b=any_of(alone=[6])), pitfall("three", c="y")]
    problem = problem_of(toy, cases=[(0, 1)], pitfalls=declared)
    assert [knobs for _, knobs in pitfall_sets(problem, 1)] == [{"a": 3}, {"a": 4}, {"a": 5}, {"b": 6}, {"c": "y"}]
    assert list(pitfall_sets(problem, 2)) == [(("one", "three"), {"a": 3, "c": "y"})]
