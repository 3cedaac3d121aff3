"""What an instructor declares about a program, and what is wrong with a declaration."""

from __future__ import annotations

from typing import Any

import pytest

from grader.kit.problem import Trace, asked_of
from grader.kit.problem_error import ProblemError
from grader.marking.facts import ProgramRequirements
from grader.marking.requirements import FACTOR
from tests.toy import problem_of


def f(seed: Any, T: Any, d: Any, t: Any, *, k: float = 1.0) -> None: ...


CASES = [(0, 2, 3, 0.5), (1, 5, 2, 0.5), (1, 9, 8, 1.5)]


def test_what_is_declared_becomes_data_for_each_case() -> None:
    trace = Trace(["scan"], ["while"], largest=lambda seed, T, d, t: T * d, grows="log", size="T")
    cases = [*CASES, (1, FACTOR * 5, 2, 0.5)]
    problem = problem_of(f, cases=cases, contract="trace", trace=trace)
    assert asked_of(problem) == ProgramRequirements(("scan",), ("while",), (6, 10, 72, 40), "log", "T", (1, 3))


def test_of_several_pairs_one_with_enough_rounds_is_compared() -> None:
    cases = [(0, 8, 3, 0.5), (0, 2, 3, 0.5), (2, 5, 2, 0.5), (2, 20, 2, 0.5), (3, 20, 2, 0.5)]
    assert asked_of(problem_of(f, cases=cases, contract="trace", trace=Trace(grows="no", size="T"))).pair == (
        2,
        3,
    )


def test_a_problem_without_it_asks_for_nothing_of_the_program() -> None:
    assert asked_of(problem_of(f, cases=CASES, contract="jit")) == ProgramRequirements()


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({"contract": "trace"}, "say what the program must be like, as contract='trace', trace=Trace"),
        ({"trace": Trace(["scan"])}, "say what the program must be like, as contract='trace', trace=Trace"),
        ({"trace": Trace("scan")}, r"are lists of names, as in needs=\['scan'\]"),
        ({"trace": Trace(["loop"])}, "'loop' is no operation that can be asked for: choose from scan, while"),
        ({"trace": Trace(["scan"], ["scan"])}, "'scan' is needed and forbidden: name it once"),
        ({"trace": Trace()}, "it asks for nothing: give `needs`, `forbids`, `largest` or `grows`"),
        ({"trace": Trace(grows="never", size="T")}, "`grows` is 'never': choose one of 'no', 'log'"),
        ({"trace": Trace(grows="no")}, "`grows` and `size` belong together"),
        ({"trace": Trace(["scan"], size="T")}, "`grows` and `size` belong together"),
        ({"trace": Trace(grows="no", size="H")}, "`size` is 'H', and the parameters are seed, T, d, t"),
        ({"trace": Trace(grows="no", size="t")}, "`size` is 't', which is not a whole number in every case"),
        ({"trace": Trace(grows="no", size="T")}, r"add the case \(1, 20, 2, 0.5\), for example"),
        ({"trace": Trace(largest=lambda seed, T, d, t: T / 2)}, "`largest` gives 1.0 for a case"),
        ({"trace": Trace(largest=lambda seed, T, d, t: 0)}, "`largest` gives 0 for a case"),
    ],
)
def test_a_declaration_that_contradicts_itself_is_told(declared: dict[str, Any], says: str) -> None:
    contract = {} if "contract" in declared or "say what" in says else {"contract": "trace"}
    with pytest.raises(ProblemError, match=says):
        problem_of(f, cases=CASES, **contract, **declared)
