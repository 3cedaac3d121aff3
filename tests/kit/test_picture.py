"""How a problem declares its pictures, and what an author is told who declares one that does not fit."""

from __future__ import annotations

import pytest

import grader
from grader import Curve, Heatmap, Matrix, Problem, ProblemError, Tokens, Waves
from grader.kit.problem import KINDS, pictured
from grader.marking.verdict import AXES, Pictured
from tests.toy import problem_of


def toy(seed: int, n: int) -> int:
    return n


def declared(picture: object, axes: tuple[str, ...] = ("row", "dim")) -> Problem:
    return problem_of(toy, cases=[(0, 1)], axes=axes, picture=picture)  # type: ignore[arg-type]


def test_a_problem_has_no_picture_one_or_several() -> None:
    assert problem_of(toy, cases=[(0, 1)]).picture == ()
    assert declared(Heatmap("row", "dim")).picture == (Heatmap("row", "dim"),)
    assert declared([Waves("row", "dim"), Curve("row")]).picture == (Waves("row", "dim"), Curve("row"))


def test_every_kind_is_exported_and_known_as_data() -> None:
    assert {kind.__name__ for kind in KINDS} <= set(grader.__all__)
    for picture in (Heatmap("a", "b"), Matrix("a", "b"), Waves("a", "b"), Curve("a"), Tokens("a")):
        assert pictured(picture).fits(("a", "b"))
    assert {kind.__name__.lower() for kind in KINDS} == set(AXES)
    assert not Pictured("heatmap", ("a", "a")).fits(("a", "b"))
    assert not Pictured("globe", ("a",)).fits(("a", "b"))


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (Heatmap("row", "dims"), "'dims', which is not in `axes`: it has row, dim"),
        (Heatmap("row", "row"), "the axis 'row' twice"),
        ([Curve("row"), Curve("row")], r"Curve\(\"row\"\) is given twice: remove one"),
        ("heatmap", "'heatmap' is not one that the grader draws: give one of Heatmap"),
        (Heatmap, "is not one that the grader draws"),
    ],
)
def test_a_picture_that_does_not_fit_is_refused_with_what_to_do(picture: object, said: str) -> None:
    with pytest.raises(ProblemError, match=said) as caught:
        declared(picture)
    assert str(caught.value).startswith("toy: the picture ")


def test_a_problem_without_names_of_axes_has_no_picture() -> None:
    with pytest.raises(ProblemError, match="it has none"):
        declared(Heatmap("row", "dim"), ())
