"""What the first hint says of the cases: it is true of each of them."""

from __future__ import annotations

import pytest

from grader.marking.verdict import CaseResult
from grader.practice.hints import failing_cases


def said(*cases: tuple[dict[str, int | float], bool]) -> str:
    return failing_cases([CaseResult(args, passed, 0.0 if passed else 1.0, 0.1) for args, passed in cases])


def of(name: str, failing: list[int | float], passing: list[int | float]) -> str:
    seeds = iter(range(100))
    rows = [({"seed": next(seeds), name: value}, False) for value in failing]
    return said(*rows, *(({"seed": next(seeds), name: value}, True) for value in passing))


@pytest.mark.parametrize(
    ("failing", "passing", "hint"),
    [
        ([1, 2], [], "Every case fails, whatever the arguments are."),
        ([8, 9, 8, 12], [3, 4, 1, 1], "Every case with n of 8 or more fails. With 4 or less, all pass."),
        (
            [0.5, 1.0, 0.1, 0.2],
            [2.0, 30.0, 9.0, 9.5],
            "Every case with n of 1 or less fails. With 2 or more, all pass.",
        ),
        ([1, 3, 4], [2, 8], "Only these cases pass: n=2; n=8."),
        ([1, 3, 9], [2], "Only this case passes: n=2."),
        ([5], [2, 9], "Only this case fails: n=5."),
        ([1, 3, 5, 6, 9], [2, 4, 7, 8], "5 of 9 cases fail, and no single argument tells them apart."),
    ],
)
def test_the_hint_says_which_arguments_fail(failing: list[int | float], passing: list[int | float], hint: str) -> None:
    assert of("n", failing, passing) == hint


def test_two_arguments_may_tell_the_cases_apart_together() -> None:
    cases: list[tuple[dict[str, int | float], bool]] = [
        ({"rows": rows, "columns": columns}, rows <= columns)
        for rows, columns in [(5, 1), (1, 5), (3, 3), (4, 3), (6, 7), (9, 2), (2, 1), (2, 9)]
    ]
    assert said(*cases) == "Every case with rows greater than columns fails. All others pass."


def test_a_seed_tells_nothing() -> None:
    assert "seed" not in said(({"seed": 1, "n": 3}, False), ({"seed": 9, "n": 3}, True), ({"seed": 2, "n": 3}, True))
