"""What a verdict says of a place: the line, the name, the values around the first difference, and what is proven."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.marking.verdict import Block, Where
from grader.marking.where_shown import Located, differing, shown, without_values

TEXT = """import jax.numpy as jnp

def toy(seed, n):
    "é"; mask = jnp.arange(n) < 2 * jnp.ones(n)
    return jnp.where(
        mask, 1.0, 0.0,
    ).mean()
"""
MASK = "jnp.arange(n) < 2 * jnp.ones(n)"


def located(expression: str = MASK, text: str = TEXT, **fields: Any) -> Located:
    """A place at the first such expression of a text, on one line."""
    data = text.encode()
    start = data.index(expression.encode())
    line, column = data[:start].count(b"\n") + 1, start - data.rfind(b"\n", 0, start) - 1
    span = (line, column, line, column + len(expression.encode()))
    usual = {"operation": "lt", "step": "7:4:lt:0:0", "case": 1, "rounds": 1}
    usual |= {"yours": np.array([True, True]), "needed": np.array([True, False])}
    return Located("value", *span, **{**usual, **fields})


def told(found: Located, text: str = TEXT, **known: Any) -> Where:
    one = shown(found, text, **{"cases": 6, "of": 6, "places": 1, "derivative": "", **known})
    assert one is not None
    return one


def block(yours: Any, needed: Any, **fields: Any) -> Block:
    one = told(located(yours=np.asarray(yours), needed=np.asarray(needed), **fields)).block
    assert one is not None
    return one


def test_columns_count_characters_and_the_name_is_that_of_the_variable() -> None:
    one = told(located())
    assert one.text[0][one.column : one.end_column] == MASK
    assert (one.line, one.end_line, one.name, one.shape) == (4, 4, "mask", (2,))
    assert one.block == Block(((1.0, 1.0),), ((1.0, 0.0),), "mask")


def test_an_expression_on_several_lines_has_all_of_them() -> None:
    span = Located("value", 5, 11, 7, 5, "select_n", "", 0, 1, np.zeros(2), np.ones(2))
    one = told(span)
    assert [one.text[0][one.column :], one.text[-1][: one.end_column]] == ["jnp.where(", "    )"]
    assert len(one.text) == 3


@pytest.mark.parametrize("span", [(9, 0, 9, 4), (0, 0, 4, 4), (2, 0, 2, 0), (4, 4, 4, 4), (4, 0, 4, 3)])
def test_of_a_place_without_an_expression_nothing_is_said(span: tuple[int, int, int, int]) -> None:
    found = Located("value", *span, "lt", "", 0, 1, np.zeros(2), np.ones(2))
    assert shown(found, TEXT, cases=6, of=6, places=1, derivative="") is None


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({}, "With the values needed here, all 6 cases come out right: what is computed from them needs no change."),
        (
            {"cases": 1, "of": 1},
            "With the values needed here, the case comes out right: what is computed from them needs no change.",
        ),
        ({"cases": 2}, "With the values needed here, the 2 of 6 cases that were tried come out right."),
        (
            {"places": 2},
            "With the values needed at both places, all 6 cases come out right: what is computed from them needs no change.",
        ),
    ],
)
def test_the_message_says_what_was_proven_and_no_more(known: dict[str, Any], message: str) -> None:
    assert told(located(), **known).message == message


def test_the_message_says_of_which_program_it_speaks() -> None:
    assert told(located(), derivative="seed").message.startswith(
        "This is in the derivative with respect to `seed`. With"
    )
    assert told(located(), value_alone=True).message.startswith("This is about the value alone")


def test_of_values_that_come_again_nothing_is_said_of_what_follows() -> None:
    one = told(replace(located(), kind="through"))
    assert one.message == (
        "With the values needed here, all 6 cases come out right. "
        "Something that follows gives these same values again: the mistake may also be between the two."
    )
    assert one.kind == "value"


def test_beside_more_named_mistakes_than_places_nothing_is_said_of_what_follows() -> None:
    assert told(located(), mistakes=1).message.endswith("what is computed from them needs no change.")
    assert told(located(), mistakes=2).message == "With the values needed here, all 6 cases come out right."


def test_of_the_last_expression_nothing_is_said_of_what_follows() -> None:
    one = told(replace(located(), kind="whole"))
    assert one.message == (
        "With the values needed here, all 6 cases come out right. All that this expression reads occurs in a right answer "
        "too, perhaps in another order or with another sign."
    )
    assert one.kind == "value"


def test_values_in_another_order_are_called_so_and_nothing_is_said_of_what_is_computed_from_them() -> None:
    moved = replace(located(), yours=np.array([[1.0, 2.0], [3.0, 4.0]]), needed=np.array([[1.0, 3.0], [2.0, 4.0]]))
    assert told(moved).message == (
        "With the values needed here, all 6 cases come out right. They are your values in another order: change the order "
        "here, or where they are read."
    )
    other_shape = replace(located(), yours=np.zeros((2, 2)), needed=np.ones(3))
    assert told(other_shape).message.endswith("(they are of shape (3,), and yours of shape (2, 2)).")


def test_of_a_loop_nothing_is_said_of_what_is_computed_from_all_its_values() -> None:
    assert told(located(rounds=2)).message == "With the values needed here, all 6 cases come out right."


def test_values_of_a_derivative_or_of_a_step_inside_are_not_those_of_the_variable() -> None:
    assert told(located(), derivative="seed").name == told(located(inner=True)).name == ""
    assert "needed inside this expression" in told(located(inner=True)).message


def test_one_evaluation_of_several_is_named() -> None:
    one = told(located(rounds=3, evaluation=2, alone=True))
    assert "needed here in evaluation 2 of 3," in one.message
    assert one.block is not None
    assert one.block.evaluation == 2


def repair(expression: str, **fields: Any) -> Located:
    found = located(expression, **fields)
    return Located(**{**vars(found), "kind": "repair", "step": ""})


def test_a_repair_is_told_in_the_words_of_the_learner() -> None:
    one = told(repair("2 * jnp.ones(n)", operation="mul", changed="another constant than `2`"))
    assert (one.kind, one.message) == ("repair", "Another constant than `2` here makes all 6 cases right.")
    two = told(repair("2 * jnp.ones(n)", operation="mul", changed="another constant than `2`"), places=2)
    assert two.message.endswith("makes all 6 cases right, together with a change at the other place.")


def test_a_repair_inside_a_call_of_a_library_is_told_by_its_values() -> None:
    one = told(repair("jnp.arange(n)", operation="add", changed="another constant than `1`"))
    assert (one.kind, one.block is not None) == ("value", True)
    assert one.message.startswith("With the values needed here, all 6 cases come out right")


def test_a_repair_that_gives_another_shape_has_no_values() -> None:
    one = told(repair("jnp.arange(n)", operation="add", changed="x", needed=np.zeros((2, 2))))
    assert (one.block, one.message) == (None, "A small change inside this expression makes all 6 cases right.")


def test_of_rounds_the_first_that_differs_is_shown_without_their_axis() -> None:
    yours = np.zeros((3, 2))
    needed = yours + np.array([[0.0], [1e-12], [1.0]])
    one = told(located(yours=yours, needed=needed, rounds=3))
    assert one.shape == (2,)
    assert one.block == Block(((0.0, 0.0),), ((1.0, 1.0),), "real", "", 3)


def test_small_arrays_are_whole() -> None:
    for shape in ((), (6,), (8, 6), (1, 3, 1, 2)):
        one = block(np.zeros(shape), np.ones(shape))
        assert (sum(map(len, one.yours)), one.part) == (np.zeros(shape).size, "")


@pytest.mark.parametrize(
    ("shape", "at", "part"),
    [
        ((40,), (0,), "[0:6]"),
        ((40,), (39,), "[34:40]"),
        ((40, 3), (20, 2), "[19:27]"),
        ((3, 40), (2, 20), "[:, 19:25]"),
        ((40, 40), (20, 3), "[19:27, 0:6]"),
        ((2, 3, 4), (1, 2, 3), "[1]"),
        ((1, 3, 40), (0, 2, 9), "[0, :, 8:14]"),
        ((2, 5, 3, 4), (1, 3, 0, 0), "[1, 3]"),
    ],
)
def test_of_large_arrays_the_part_around_the_first_difference_is_shown_and_named(
    shape: tuple[int, ...], at: tuple[int, ...], part: str
) -> None:
    yours, needed = np.zeros(shape), np.arange(np.prod(shape)).reshape(shape) / 1e12
    needed[at] = 5.0
    one = block(yours, needed)
    assert one.part == part
    chosen = eval(f"needed{part}", {"needed": needed})
    assert np.array_equal(np.array(one.needed).ravel(), chosen.ravel())
    assert 5.0 in chosen


def test_complex_numbers_are_not_shown() -> None:
    assert told(located(yours=np.ones(2) * 1j, needed=np.ones(2) * 2j)).block is None


def test_rounding_is_no_difference_unless_there_is_no_other() -> None:
    one = np.array([1.0, 2.0, np.nan, np.inf, -np.inf])
    tiny = one + np.array([1e-9, 0.0, 0.0, 0.0, 0.0])
    far = tiny + np.array([0.0, 1.0, 0.0, 0.0, 0.0])
    assert differing(one, far).tolist() == [False, True, False, False, False]
    assert differing(one, tiny).tolist() == [True, False, False, False, False]


def test_without_values_nothing_is_left_that_an_expected_value_gave() -> None:
    one = without_values(
        told(repair("2 * jnp.ones(n)", operation="mul", changed="another constant than `2`")), of=6, places=1
    )
    assert (one.kind, one.step, one.block) == ("", "", None)
    assert one.message == "With other values here, all 6 cases come out right."
    assert (one.line, one.name) == (4, "")


def test_beside_a_named_mistake_a_place_that_says_less_is_left_out() -> None:
    for less in (
        replace(located(), kind="whole"),
        replace(located(), kind="through"),
        located(yours=np.ones(2), needed=np.ones((1, 2))),
    ):
        assert shown(less, TEXT, cases=6, of=6, places=1, derivative="", mistakes=0) is not None
        assert shown(less, TEXT, cases=6, of=6, places=1, derivative="", mistakes=1) is None
    assert shown(located(), TEXT, cases=6, of=6, places=1, derivative="", mistakes=1) is not None


def test_where_the_answer_differentiates_no_change_of_an_operation_is_told_but_of_a_constant() -> None:
    text = TEXT.replace("def toy", "def loss") + "\ndef toy(seed, n):\n    return jax.grad(loss)(seed, n)\n"
    swapped = replace(located(changed="the operands of it in another order"), kind="repair")
    assert shown(swapped, TEXT, cases=6, of=6, places=1, derivative="") is not None
    assert shown(swapped, text, cases=6, of=6, places=1, derivative="") is None
    constant = replace(located("2 * jnp.ones(n)", operation="mul", changed="another constant than `2`"), kind="repair")
    assert told(constant, text).message.startswith("Another constant than `2` here")
    assert "needs no change" in told(located()).message
    assert "needs no change" not in told(located(), text).message
