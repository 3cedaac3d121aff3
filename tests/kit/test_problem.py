"""Declarations: what contradicts itself is refused with what is wrong."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from grader import Problem, ProblemError, Whole
from tests.toy import problem_of


def toy(seed: int, n: int) -> Any:
    raise AssertionError("a declaration is not called")


def test_a_problem_takes_its_name_and_parameters_from_the_worked_answer() -> None:
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
    ],
)
def test_what_contradicts_itself_is_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        problem_of(toy, **{"cases": [(0, 1)], **arguments})


def test_authors_see_the_parameters_that_they_give_and_no_others() -> None:
    given = ("cases", "arguments", "legal", "axes", "by_row", "contract", "wrt", "trace", "picture")
    assert tuple(inspect.signature(Problem).parameters) == (*given, "solution")
    assert all(f"    {name}: " in str(inspect.getdoc(Problem)) for name in given)
    assert "solution=" not in repr(problem_of(toy, cases=[(0, 1)]))


def test_a_declaration_alone_has_no_worked_answer() -> None:
    with pytest.raises(ProblemError, match="load it from its file"):
        Problem(cases=[(0, 1)]).parameters  # noqa: B018
