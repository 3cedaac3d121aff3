"""The page of a place: values side by side where they fit, whole numbers short, floats with the digits that differ."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from grader.marking.verdict import CaseResult, Computed, Diagnosis, Helper, Named, Status, ValueBlock, Verdict, Where
from grader.report.places import beside_line, case_of, heading, messages, values
from grader.report.terminal import Terminal
from grader.values.message import Line, verbatim
from grader.values.places import NO_DERIVATIVES, Edit, PlaceKind, Relation
from tests.marking.places import changed, place

MASK = ValueBlock(((1.0, 1.0), (1.0, 1.0)), ((1.0, 0.0), (1.0, 1.0)), "mask")
LINE = "    scores = jnp.where((away >= 0) & (away < 2), q @ k.T / d_model**0.5, -jnp.inf)"
WHERE = place(
    *(12, LINE.index("away < 2"), 12, LINE.index("away < 2") + 8, LINE),
    operation="lt",
    step="7:4:le:0:0",
    proven=6,
    cases=6,
    shape=(2, 2),
    needed=(2, 2),
    block=MASK,
)
NAMED = Diagnosis((Named("one-mistake", verbatim("Why."), verbatim("Hint?")),), explained=True)


def printed(diagnosis: Diagnosis, *where: Where, width: int = 80, encoding: str = "utf-8") -> str:
    verdict = Verdict("toy", Status.WRONG, verbatim("Wrong."), diagnosis=diagnosis, where=where)
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Terminal(Console(file=stream, width=width, highlight=False)).verdict(verdict, device="cpu")
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_place_without_a_mistake_is_the_explanation() -> None:
    text = flat(printed(Diagnosis(), WHERE))
    assert "None of the mistakes that this problem knows gives this answer. But it can be fixed here:" in text
    assert "of shape (2, 2) yours needed 1 1 1 0 1 1 1 1" in text
    assert "With the values needed here, all 6 cases are right." in text
    assert "Hint: Where is this expression true" in text


def test_beside_a_mistake_it_says_where_that_is() -> None:
    text = flat(printed(NAMED, WHERE))
    assert "Hint: Hint? It can be fixed here: 12 │" in text
    assert "None of the mistakes" not in text


def test_values_of_another_case_than_the_smallest_that_fails_name_it() -> None:
    sizes = ((1, True), (3, False), (2, False))
    cases = [CaseResult({"seed": 0, "T": T}, passed, 0.0, 1.0, T) for T, passed in sizes]
    assert [case_of(changed(WHERE, case=index), cases) for index in (1, 2)] == ["T=3", ""]
    assert "of shape (2, 2), at T=3" in values(WHERE, 80, "T=3")[0]


def test_two_places_are_both_shown() -> None:
    text = printed(NAMED, WHERE, changed(WHERE, line=31, end_line=31))
    assert "It can be fixed at these places:" in text
    assert text.index(" 12 │") < text.index(" 31 │")


def test_without_values_the_place_stands_alone() -> None:
    text = printed(NAMED, changed(WHERE, block=None))
    assert "^^^^^^^^" in text
    assert "needed\n" not in text


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_it_fits_and_has_only_characters_of_the_encoding(width: int, encoding: str) -> None:
    wide = ValueBlock(*[tuple((-1234.5678 * sign,) * 6 for _ in range(8)) for sign in (1, -1)], "real", "[8:16, 30:36]")  # type: ignore[misc]
    text = printed(
        Diagnosis(), WHERE, changed(WHERE, block=wide, shape=(90, 90), name="π"), width=width, encoding=encoding
    )
    assert max(map(len, text.splitlines())) <= width
    assert "away < 2" in text


def shown(block: ValueBlock, width: int = 70, **fields: object) -> list[str]:
    return values(changed(WHERE, block=block, **fields), width)


def test_floats_have_as_many_digits_as_show_the_difference() -> None:
    assert shown(ValueBlock(((0.5,),), ((0.25,),), "real"))[-1].split() == ["0.500", "0.250"]
    assert shown(ValueBlock(((0.5, 0.5),), ((0.50001, 0.5),), "real"))[-1].split() == [
        "0.50000",
        "0.50000",
        "0.50001",
        "0.50000",
    ]
    assert shown(ValueBlock(((1.0, 2.0),), ((3.0, float("-inf")),), "real"))[-1].split() == ["1", "2", "3", "-inf"]
    assert shown(ValueBlock(((1e-12,),), ((3e-12,),), "real"))[-1].split() == ["1e-12", "3e-12"]


def test_values_stand_side_by_side_or_below_each_other() -> None:
    numbers = ((0.125,) * 4, (0.25,) * 4)
    block = ValueBlock((numbers[0],), (numbers[1],), "real")
    assert [len(shown(block, width)) for width in (80, 60, 40)] == [2, 3, 5]


def test_beside_a_line_stand_a_few_values_of_the_first_row_that_differs() -> None:
    rows = ((0.0,) * 8, (0.0,) * 8), ((0.0,) * 8, (*(0.0,) * 7, 1.0))
    assert beside_line(place(1, 0, 1, 1, "x", block=ValueBlock(*rows, "integer"))) == (
        "... 0 0 0 0 0 0",
        "... 0 0 0 0 0 1",
    )
    assert beside_line(place(1, 0, 1, 1, "x", block=None)) == ("", "")


def test_where_not_all_columns_fit_those_that_differ_do() -> None:
    block = ValueBlock(((0.125,) * 9,), ((0.125,) * 8 + (0.5,),), "real")
    rows = shown(block, 30)
    assert max(map(len, rows)) <= 30
    assert rows[-1].startswith("... ")
    assert rows[-1].endswith("0.500")


@pytest.mark.parametrize(
    ("fields", "block", "title"),
    [
        ({"name": "seen"}, MASK, "seen of shape (2, 2)"),
        ({"name": "seen", "shape": (9, 2)}, replace(MASK, part="[4:6]"), "seen of shape (9, 2), part [4:6]"),
        ({"shape": (2,), "rounds": 5}, replace(MASK, evaluation=3), "of shape (2,), run 3 of 5"),
        ({"devices": 4}, replace(MASK, device=3), "of shape (2, 2), on device 3 (of 0 to 3)"),
        ({"devices": 2, "change": Edit.SPEC}, MASK, "a part of shape (2, 2), on device 0 (of 0 to 1)"),
        ({"inner": True, "operation": "exp"}, MASK, "inside it, `exp` of shape (2, 2)"),
        ({"inner": True, "derivative": True}, MASK, "in the derivative, of shape (2, 2)"),
    ],
)
def test_the_title_says_what_the_values_are(fields: dict[str, object], block: ValueBlock, title: str) -> None:
    assert shown(block, **fields)[0].startswith(title)


def said(**fields: Any) -> str:
    (one,) = map(str, messages([changed(WHERE, **fields)]))
    return one


REPAIR = {"kind": PlaceKind.REPAIR, "change": Edit.CONSTANT, "written": "1.0"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "With the values needed here, all 6 cases are right."),
        ({"cases": 1, "proven": 1}, "With the values needed here, the case is right."),
        ({"proven": 2}, "With the values needed here, the 2 of 6 cases that were tried are right."),
        ({"inner": True}, "With the values needed inside this expression, all 6 cases are right."),
        ({"alone": 2, "rounds": 3}, "With the values needed here in run 2 of 3, all 6 cases are right."),
        ({"needed": (3,)}, "With the values needed here, of shape (3,) and not (2, 2), all 6 cases are right."),
        (REPAIR, "With another number in place of `1.0`, all 6 cases are right."),
        (
            {**REPAIR, "change": Edit.SPEC, "written": 'P("x")', "alone": 2, "rounds": 3},
            'With another spec in place of `P("x")` in run 2 of 3, all 6 cases are right.',
        ),
        ({**REPAIR, "change": Edit.DROPPED, "written": ".T"}, "Without `.T`, all 6 cases are right."),
        (
            {"of": "seed"},
            "This is in the derivative with respect to `seed`. With the values needed here, all 6 cases are right.",
        ),
        (
            {"of": NO_DERIVATIVES},
            "This is about the numbers that are no derivatives. With the values needed here, they are right in all 6 cases.",
        ),
        (
            {"of": NO_DERIVATIVES, "proven": 2},
            "This is about the numbers that are no derivatives. With the values needed here, they are right in the 2 of 6 "
            "cases that were tried.",
        ),
        (
            {"rule_of": "q"},
            "This is the derivative rule of `q`. With the values needed here, all 6 cases are right.",
        ),
        ({"kind": PlaceKind.HIDDEN}, "With other values here, all 6 cases are right."),
    ],
    ids=str,
)
def test_the_message_says_what_was_proven_and_no_more(fields: dict[str, Any], message: str) -> None:
    assert said(**fields) == message


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"relation": Relation.INVERSE}, "Each value needed is 1 divided by yours."),
        ({"relation": Relation.REORDERED}, "The values needed are yours in another order."),
        ({"computed": (Computed("low", Line(10), 6.35),)}, "It reads `low` = 6.35, computed on line 10."),
        (
            {"computed": (Computed("low", Line(10), None), Computed("high", Line(9, 2), None))},
            "It reads `low` and `high`, computed on line 10 and cell 2, line 9.",
        ),
        (
            {"helper": Helper("split", (Line(3), Line(4)))},
            "`split` is called on lines 3 and 4: the mistake may also be there.",
        ),
    ],
    ids=str,
)
def test_what_else_is_known_is_a_sentence_of_its_own(fields: dict[str, Any], sentence: str) -> None:
    assert said(**fields) == f"With the values needed here, all 6 cases are right. {sentence}"


def test_what_is_proven_of_two_places_is_said_once() -> None:
    first, second = changed(WHERE, places=2), changed(WHERE, places=2, line=14)
    assert [*map(str, messages([first, second]))] == [
        "",
        "With the values needed at both places, all 6 cases are right.",
    ]
    assert str(messages([first, changed(second, **REPAIR)])[1]) == (
        "With the values needed on line 12 and with another number in place of `1.0` on line 14, all 6 cases are right."
    )


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "It can be fixed here:"),
        ({"fixable": False}, "From here on it is right. The mistake is at or before this line:"),
        ({"fixable": False, "onward": False}, "The mistake is here, or in what goes in here:"),
        (
            {"fixable": False, "derivative": True},
            "The derivative is wrong here. The mistake may be on this line, before it or after it:",
        ),
    ],
    ids=str,
)
def test_it_can_be_fixed_is_said_only_where_it_can(fields: dict[str, Any], told: str) -> None:
    one = changed(WHERE, **fields)
    assert heading([one], explained=True) == told
    both = heading([one, WHERE], explained=True)
    assert ("can be fixed" in both) == one.fixable
