"""The page of a place: values side by side where they fit, whole numbers short, floats with the digits that differ."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from grader.marking.verdict import Block, CaseResult, Diagnosis, Named, Status, Verdict, Where
from grader.report.terminal import Terminal
from grader.report.where import case_of, values

MASK = Block(((1.0, 1.0), (1.0, 1.0)), ((1.0, 0.0), (1.0, 1.0)), "mask")
LINE = "    scores = jnp.where((away >= 0) & (away < 2), q @ k.T / d_model**0.5, -jnp.inf)"
WHERE = Where(
    *(12, LINE.index("away < 2"), 12, LINE.index("away < 2") + 8, (LINE,), "value", "lt", "7:4:le:0:0", "", 0, 6, 1),
    *(
        False,
        (2, 2),
        MASK,
        "With the values needed here, all 6 cases come out right: what is computed from them needs no change.",
    ),
)
NAMED = Diagnosis((Named("one-mistake", "Why.", "Hint?"),), explained=True)


def printed(diagnosis: Diagnosis, *where: Where, width: int = 80, encoding: str = "utf-8") -> str:
    verdict = Verdict("toy", Status.WRONG, "Wrong.", diagnosis=diagnosis, where=where)
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
    assert "all 6 cases come out right" in text
    assert "Hint: Where is this expression true" in text


def test_beside_a_mistake_it_says_where_that_is() -> None:
    text = flat(printed(NAMED, WHERE))
    assert "Hint: Hint? It can be fixed here: 12 │" in text
    assert "None of the mistakes" not in text


def test_values_of_another_case_than_the_first_that_fails_name_it() -> None:
    cases = [CaseResult({"seed": 0, "T": T}, status, 0.0, 1.0) for T, status in ((1, "pass"), (2, "fail"), (3, "fail"))]
    assert [case_of(replace(WHERE, case=index), cases) for index in (1, 2)] == ["", "T=3"]
    assert "of shape (2, 2), at T=3" in values(WHERE, 80, "T=3")[0]


def test_two_places_are_both_shown() -> None:
    text = printed(NAMED, WHERE, replace(WHERE, line=31, end_line=31))
    assert "It can be fixed at these places:" in text
    assert text.index(" 12 │") < text.index(" 31 │")


def test_without_values_the_place_stands_alone() -> None:
    text = printed(NAMED, replace(WHERE, block=None))
    assert "^^^^^^^^" in text
    assert "needed\n" not in text


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_it_fits_and_has_only_characters_of_the_encoding(width: int, encoding: str) -> None:
    wide = Block(*[tuple((-1234.5678 * sign,) * 6 for _ in range(8)) for sign in (1, -1)], "real", "[8:16, 30:36]")  # type: ignore[misc]
    text = printed(
        Diagnosis(), WHERE, replace(WHERE, block=wide, shape=(90, 90), name="π"), width=width, encoding=encoding
    )
    assert max(map(len, text.splitlines())) <= width
    assert "away < 2" in text


def shown(block: Block, width: int = 70, **fields: object) -> list[str]:
    return values(replace(WHERE, block=block, **fields), width)  # type: ignore[arg-type]


def test_floats_have_as_many_digits_as_show_the_difference() -> None:
    assert shown(Block(((0.5,),), ((0.25,),), "real"))[-1].split() == ["0.500", "0.250"]
    assert shown(Block(((0.5, 0.5),), ((0.50001, 0.5),), "real"))[-1].split() == [
        "0.50000",
        "0.50000",
        "0.50001",
        "0.50000",
    ]
    assert shown(Block(((1.0, 2.0),), ((3.0, float("-inf")),), "real"))[-1].split() == ["1", "2", "3", "-inf"]
    assert shown(Block(((1e-12,),), ((3e-12,),), "real"))[-1].split() == ["1e-12", "3e-12"]


def test_values_stand_side_by_side_or_below_each_other() -> None:
    numbers = ((0.125,) * 4, (0.25,) * 4)
    block = Block((numbers[0],), (numbers[1],), "real")
    assert [len(shown(block, width)) for width in (80, 60, 40)] == [2, 3, 5]


def test_where_not_all_columns_fit_those_that_differ_do() -> None:
    block = Block(((0.125,) * 9,), ((0.125,) * 8 + (0.5,),), "real")
    rows = shown(block, 30)
    assert max(map(len, rows)) <= 30
    assert rows[-1].startswith("... ")
    assert rows[-1].endswith("0.500")


@pytest.mark.parametrize(
    ("fields", "block", "title"),
    [
        ({"name": "seen"}, MASK, "seen of shape (2, 2)"),
        ({"name": "seen", "shape": (9, 2)}, replace(MASK, part="[4:6]"), "seen[4:6] of shape (9, 2)"),
        ({"shape": (2,), "rounds": 5}, replace(MASK, evaluation=3), "of shape (2,), evaluation 3 of 5"),
        ({"inner": True, "operation": "exp"}, MASK, "inside it, `exp` of shape (2, 2)"),
    ],
)
def test_the_title_says_what_the_values_are(fields: dict[str, object], block: Block, title: str) -> None:
    assert shown(block, **fields)[0].startswith(title)
