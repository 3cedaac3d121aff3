"""Arguments: which values are legal, which of them the cases must have, and what is drawn."""

from __future__ import annotations

import random

import pytest

from grader.kit.arguments import Argument, Number, Real, Whole, fault_of_values, seen


@pytest.mark.parametrize(
    ("argument", "value", "said"),
    [
        (Whole(), 1, ""),
        (Whole(), 0, "should be at least 1"),
        (Whole(), 1.0, "should be a whole number"),
        (Whole(2, 4), 5, "should be at most 4"),
        (Whole(2, step=2), 3, "should be a multiple of 2"),
        (Whole(None), -5, ""),
        (Real(0.0, below=1.0), 0.0, ""),
        (Real(0.0, below=1.0), -0.1, "should be at least 0"),
        (Real(0.0, below=1.0), 1.0, "should be below 1"),
        (Real(above=0.0, most=1.0), 0.0, "should be above 0"),
        (Real(above=0.0, most=1.0), 1.5, "should be at most 1"),
        (Real(), -3.5, ""),
        (Real(above=1.0), 8, ""),
    ],
)
def test_what_is_legal(argument: Argument, value: Number, said: str) -> None:
    assert argument.fault(value) == said


@pytest.mark.parametrize(
    ("argument", "corners"),
    [
        (Whole(), ["=1", "=2", " of at least 9"]),
        (Whole(0), ["=0", "=1", "=2", " of at least 9"]),
        (Whole(2, step=2), ["=2", " of at least 9"]),
        (Whole(4, 12, step=4), ["=4", "=12"]),
        (Whole(None, reach=300), ["=1", "=2", " of at least 300", " of at most -300"]),
        (Real(0.0, 1.0), ["=0", "=1"]),
        (Real(0.0, below=1.0), ["=0", " above 0.95"]),
        (Real(above=1.0), [" below 1.1"]),
        (Real(), [" below zero"]),
    ],
)
def test_the_corners_that_cases_must_have(argument: Argument, corners: list[str]) -> None:
    assert [corner.said for corner in argument.corners] == corners


@pytest.mark.parametrize(
    "argument", [Whole(), Whole(0, 3), Whole(4, step=4), Whole(None), Real(0.0, below=1.0), Real(above=1.0), Real()]
)
def test_every_corner_holds_its_example_which_is_legal(argument: Argument) -> None:
    for corner in argument.corners:
        assert corner.holds(corner.example)
        assert argument.fault(corner.example) == ""


@pytest.mark.parametrize(
    ("argument", "column"),
    [
        (Whole(2, step=2), (2, 6, 12)),
        (Whole(None), (-7, 3)),
        (Whole(0, 3), (0, 3)),
        (Real(0.0, 1.0), (0.0, 1.0)),
        (Real(above=1.0), (1.05, 50)),
    ],
)
def test_what_is_drawn_or_near_the_cases_is_legal_and_never_larger_than_needed(
    argument: Argument, column: tuple[Number, ...]
) -> None:
    source = random.Random(0)
    drawn = [argument.draw(source, column) for _ in range(200)]
    assert all(argument.fault(value) == "" and value <= max(column) for value in drawn)
    assert len(set(drawn)) > 2
    near = argument.near(column)
    assert set(column) <= set(near)
    assert all(argument.fault(value) == "" for value in near)


def test_what_is_not_declared_is_guessed_from_the_cases() -> None:
    assert seen((2, 4, 10)) == Whole(2, step=2)
    assert seen((1, 0.5)) == Real(0.5, 1)
    assert seen((0, 0)) == Whole(0)


def test_values_go_together_or_the_fault_names_them() -> None:
    arguments: dict[str, Argument] = {"T": Whole(), "E": Whole(), "k": Whole()}
    relations = [lambda E, k: k <= E]
    assert fault_of_values(arguments, relations, {"T": 9, "E": 3, "k": 3}) == ""
    assert fault_of_values(arguments, relations, {"T": 9, "E": 3, "k": 4}).startswith("gives E=3, k=4")
