"""What a verdict says of a place: the line, the name, the values around the first difference, and what is proven."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.marking.place_description import described_places, without_values
from grader.marking.verdict import PlaceRepair, ValueBlock, Where
from grader.values.places import NO_DERIVATIVES, Edit, FoundPlace, Place, PlaceKind, Reads, Relation

TEXT = """import jax.numpy as jnp

def toy(seed, n):
    "é"; mask = jnp.arange(n) < 2 * jnp.ones(n)
    return jnp.where(
        mask, 1.0, 0.0,
    ).mean()
"""
MASK = "jnp.arange(n) < 2 * jnp.ones(n)"


def located(expression: str = MASK, text: str = TEXT, **fields: Any) -> FoundPlace:
    """A place at the first such expression of a text, on one line."""
    data = text.encode()
    start = data.index(expression.encode())
    line, column = data[:start].count(b"\n") + 1, start - data.rfind(b"\n", 0, start) - 1
    place = Place(line, column, line, column + len(expression.encode()))
    usual = {"operation": "lt", "step": "7:4:lt:0:0", "case": 1, "rounds": 1, "reads": Reads.RIGHT}
    usual |= {"yours": np.array([True, True]), "needed": np.array([True, False])}
    return FoundPlace(PlaceKind.VALUE, place, **{**usual, **fields})


def told(found: FoundPlace, text: str = TEXT, **known: Any) -> Where:
    (one,) = described_places([found], text, **{"cases": 6, "of": 6, "derivative": "", **known})
    return one


def block(yours: Any, needed: Any, **fields: Any) -> ValueBlock:
    one = told(located(yours=np.asarray(yours), needed=np.asarray(needed), **fields)).values.block
    assert one is not None
    return one


def test_columns_count_characters_and_the_name_is_that_of_the_variable() -> None:
    one = told(located())
    span = one.span
    assert span.text[0][span.column : span.end_column] == MASK
    assert (span.line, span.end_line, one.name, one.values.shape) == (4, 4, "mask", (2,))
    assert one.values.block == ValueBlock(((1.0, 1.0),), ((1.0, 0.0),), "mask")


def test_an_expression_on_several_lines_has_all_of_them() -> None:
    span = told(replace(located(), place=Place(5, 11, 7, 5))).span
    assert [span.text[0][span.column :], span.text[-1][: span.end_column]] == ["jnp.where(", "    )"]
    assert len(span.text) == 3


@pytest.mark.parametrize("span", [(9, 0, 9, 4), (0, 0, 4, 4), (2, 0, 2, 0), (4, 4, 4, 4), (4, 0, 4, 3)])
def test_of_a_place_without_an_expression_nothing_is_said(span: tuple[int, int, int, int]) -> None:
    assert described_places([replace(located(), place=Place(*span))], TEXT, cases=6, of=6, derivative="") == ()


def test_what_follows_is_right_only_where_that_is_proven() -> None:
    assert told(located()).proof.onward
    assert not told(located(), cases=2).proof.onward
    assert not told(located(rounds=2)).proof.onward
    assert not told(located(yours=np.zeros((2, 2)), needed=np.ones(3))).proof.onward


def test_what_reads_right_values_can_be_fixed_and_nothing_else() -> None:
    assert told(located()).fixable
    assert not told(located(reads=Reads.OTHER)).fixable
    assert not told(located(reads=Reads.TABLE)).fixable
    assert not told(located(rounds=3, evaluation=2, alone=True)).fixable


def test_a_step_inside_a_call_cannot_be_fixed_there_and_one_that_is_written_can() -> None:
    assert told(located(MASK, operation="lt", inner=True)).fixable
    assert not told(located(MASK, operation="add", inner=True)).fixable


def test_a_line_that_the_learner_was_given_is_no_place() -> None:
    given = f"def toy(seed, n):\n{TEXT.splitlines()[3]}\n"
    assert described_places([located()], TEXT, cases=6, of=6, derivative="", given=given) == ()
    assert described_places([located()], TEXT, cases=6, of=6, derivative="", given=given.replace("2", "3"))


def test_the_program_that_it_is_in_is_kept() -> None:
    assert (told(located()).of, told(located(), derivative="seed").of) == ("", "seed")
    assert told(located(), value_alone=True).of == "value"


def test_values_in_another_order_are_called_so_and_other_shapes_are_kept() -> None:
    moved = replace(located(), related=Relation.REORDERED)
    assert told(moved).relation is Relation.REORDERED
    assert told(replace(moved, reads=Reads.TABLE)).fixable, "the order can be changed here"
    one = told(replace(located(), yours=np.zeros((2, 2)), needed=np.ones(3)))
    assert (one.values.shape, one.values.needed, one.relation, one.values.block) == ((2, 2), (3,), None, None)


def test_values_of_a_function_that_stand_in_another_order_are_no_place_where_its_caller_may_be_wrong() -> None:
    text = "def kernel(a, b):\n    return a * b\n\ndef toy(seed, n):\n    return jax.vmap(jax.vmap(kernel))(n, n)\n"
    at = Place(2, 11, 2, 16)
    moved = replace(located(), place=at, related=Relation.REORDERED, reads=Reads.OTHER)
    assert described_places([moved], text, cases=6, of=6, derivative="") == ()
    assert described_places([replace(moved, related=None)], text, cases=6, of=6, derivative="")
    assert described_places([replace(moved, reads=Reads.TABLE)], text, cases=6, of=6, derivative="")


def test_values_of_a_derivative_or_of_a_step_inside_are_not_those_of_the_variable() -> None:
    assert told(located(), derivative="seed").name == told(located(inner=True)).name == ""


def test_one_evaluation_of_several_is_named() -> None:
    one = told(located(rounds=3, evaluation=2, alone=True)).values
    assert (one.alone, one.rounds) == (2, 3)
    assert one.block is not None
    assert one.block.evaluation == 2


def test_values_that_are_those_needed_are_no_place() -> None:
    same = located(yours=np.array([3.44, 2.468]), needed=np.array([3.44, 2.468 + 1e-12]))
    assert described_places([same], TEXT, cases=6, of=6, derivative="") == ()
    assert described_places([located(), same], TEXT, cases=6, of=6, derivative="") == (), (
        "and the other place alone proves nothing"
    )


def test_each_named_mistake_has_one_place_or_none_has_any() -> None:
    places = [located(), located("2 * jnp.ones(n)", operation="mul")]
    for mistakes, count in ((0, 2), (1, 0), (2, 2), (3, 0)):
        assert len(described_places(places, TEXT, cases=6, of=6, derivative="", mistakes=mistakes)) == count
    assert described_places(places[:1], TEXT, cases=6, of=6, derivative="", mistakes=2) == ()


def repair(expression: str, **fields: Any) -> FoundPlace:
    return replace(located(expression, **fields), kind=PlaceKind.REPAIR, step="")


def test_a_repair_is_told_in_the_words_of_the_learner() -> None:
    one = told(repair("2 * jnp.ones(n)", operation="mul", change=Edit.CONSTANT, constant=2.0, reads=Reads.OTHER))
    assert (one.kind, one.repair, one.fixable) == (PlaceKind.REPAIR, PlaceRepair(Edit.CONSTANT, "2"), True)


def test_a_repair_inside_a_call_of_a_library_is_told_by_its_values() -> None:
    one = told(repair("jnp.arange(n)", operation="add", change=Edit.CONSTANT, constant=1.0))
    assert (one.kind, one.repair.change, one.values.block is not None) == (PlaceKind.VALUE, None, True)


def test_of_rounds_the_first_that_differs_is_shown_without_their_axis() -> None:
    yours = np.zeros((3, 2))
    needed = yours + np.array([[0.0], [1e-12], [1.0]])
    one = told(located(yours=yours, needed=needed, rounds=3)).values
    assert one.shape == (2,)
    assert one.block == ValueBlock(((0.0, 0.0),), ((1.0, 1.0),), "real", "", 3)


def test_of_devices_the_first_that_differs_is_shown_without_their_axis() -> None:
    yours = np.zeros((3, 4, 2))
    needed = np.array(yours)
    needed[1, 2] = 1.0
    one = told(located(yours=yours, needed=needed, rounds=3, devices=4)).values
    assert (one.shape, one.devices) == ((2,), 4)
    assert one.block == ValueBlock(((0.0, 0.0),), ((1.0, 1.0),), "real", "", 2, 2)
    kernel = told(located(yours=np.zeros((1, 2)), needed=np.ones((1, 2)), devices=1)).values
    assert (kernel.shape, kernel.devices) == ((2,), 0)
    other = told(located(yours=np.zeros((4, 2)), needed=np.ones((8,)), devices=4)).values
    assert (other.shape, other.needed, other.devices) == ((4, 2), (8,), 0)


SHARDED = """import jax

def toy(seed, n):
    cut = P("x", None)
    return jax.shard_map(f, mesh=mesh, in_specs=(cut, P("x")), out_specs=P())(seed, n)
"""


@pytest.mark.parametrize(
    ("operation", "argument", "spec"),
    [
        ("shard", (0, 2), "cut"),
        ("shard", (1, 2), 'P("x")'),
        ("unshard", (0, 1), "P()"),
    ],
)
def test_the_place_of_a_spec_is_where_it_is_written(operation: str, argument: tuple[int, int], spec: str) -> None:
    call = SHARDED.splitlines()[-1].strip().removeprefix("return ")
    fields: Any = {"yours": np.zeros((4, 2)), "needed": np.ones((4, 1)), "devices": 4}
    found = replace(repair(call, text=SHARDED, operation=operation, change=Edit.SPEC, **fields), argument=argument)
    one = told(found, SHARDED, mistakes=1)
    assert one.span.text[0][one.span.column : one.span.end_column] == one.repair.written == spec
    assert one.fixable
    alone = told(replace(found, rounds=3, evaluation=2, alone=True), SHARDED)
    assert (alone.values.alone, alone.fixable) == (2, False)


@pytest.mark.parametrize(
    ("operation", "argument", "text"),
    [
        ("shard", (0, 1), TEXT),
        ("shard", (0, 3), SHARDED),  # an argument is a tree, or the function reads an array from outside
        ("shard", (0, 2), SHARDED.replace('(cut, P("x"))', "cut")),  # one spec for both
        ("unshard", (0, 2), SHARDED),
    ],
)
def test_where_an_argument_has_no_spec_of_its_own_no_text_is_told(
    operation: str, argument: tuple[int, int], text: str
) -> None:
    expression = MASK if text == TEXT else text.splitlines()[-1].strip().removeprefix("return ")
    found = repair(expression, text=text, operation=operation, change=Edit.SPEC, argument=argument)
    assert described_places([found], text, cases=6, of=6, derivative="") == ()


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
    assert told(located(yours=np.ones(2) * 1j, needed=np.ones(2) * 2j)).values.block is None


def test_without_values_nothing_is_left_that_an_expected_value_gave() -> None:
    one = without_values(told(repair("2 * jnp.ones(n)", operation="mul", change=Edit.CONSTANT, constant=2.0)))
    assert (one.kind, one.step, one.values.block, one.repair) == (PlaceKind.HIDDEN, "", None, PlaceRepair())
    assert (one.span.line, one.name) == (4, "")


def test_beside_a_named_mistake_a_place_that_says_less_is_left_out() -> None:
    for less in (
        located(yours=np.ones(2), needed=np.ones((1, 2))),
        repair("2 * jnp.ones(n)", operation="mul", change=Edit.CONSTANT, constant=2.0, reads=Reads.OTHER),
    ):
        assert described_places([less], TEXT, cases=6, of=6, derivative="", mistakes=0)
        assert not described_places([less], TEXT, cases=6, of=6, derivative="", mistakes=1)
    assert described_places([located()], TEXT, cases=6, of=6, derivative="", mistakes=1)


def test_where_the_answer_differentiates_no_change_of_an_operation_is_told_but_of_a_constant() -> None:
    text = TEXT.replace("def toy", "def loss") + "\ndef toy(seed, n):\n    return jax.grad(loss)(seed, n)\n"
    swapped = repair(MASK, change=Edit.OPERANDS)
    assert described_places([swapped], TEXT, cases=6, of=6, derivative="")
    assert not described_places([swapped], text, cases=6, of=6, derivative="")
    constant = repair("2 * jnp.ones(n)", operation="mul", change=Edit.CONSTANT, constant=2.0)
    assert told(constant, text).repair.written == "2"
    assert told(located()).proof.onward
    assert not told(located(), text).proof.onward


RULE = """import jax

@jax.custom_vjp
def q(x):
    return x

def forward(x):
    return q(x), x

def backward(x, g):
    return (g * 0,)

q.defvjp(forward, backward)

def toy(seed, n):
    return q(2.0 * seed)
"""


def test_a_value_of_a_derivative_is_no_value_of_the_expression() -> None:
    forward, derivative = (told(located(derivative=of_derivative)) for of_derivative in (False, True))
    assert (forward.derivative, forward.name, forward.fixable, forward.proof.onward) == (False, "mask", True, True)
    assert (derivative.derivative, derivative.name, derivative.fixable, derivative.proof.onward) == (
        True,
        "",
        False,
        False,
    )
    assert told(located(), derivative="seed").derivative


def test_the_values_of_a_derivative_rule_stand_where_the_rule_ends() -> None:
    one = told(located("q(2.0 * seed)", RULE, derivative=True), RULE)
    assert (one.rule_of, one.span.text, one.fixable) == ("q", ("    return (g * 0,)",), True)
    assert not told(located("q(2.0 * seed)", RULE, derivative=True, reads=Reads.OTHER), RULE).fixable
    assert told(located("q(2.0 * seed)", RULE), RULE).rule_of == "", "the value is none of the rule"
    plain = RULE.replace("q.defvjp(forward, backward)", "")
    assert told(located("q(2.0 * seed)", plain, derivative=True), plain).rule_of == ""


@pytest.mark.parametrize(
    "declared",
    [
        "q.defvjp(forward, bwd=backward)",
        "q.defvjp(fwd=forward, bwd=lambda x, g: (g * 0,))",
        "q.defjvp(backward)",
        "@q.defjvp\ndef rule(primals, tangents):\n    return (g * 0,)",
    ],
)
def test_a_derivative_rule_may_be_declared_in_several_ways(declared: str) -> None:
    text = RULE.replace("q.defvjp(forward, backward)", declared)
    span = told(located("q(2.0 * seed)", text, derivative=True), text).span
    assert span.text[0][span.column :].startswith("(g * 0,)")


def test_what_is_proven_of_the_numbers_without_a_derivative_is_told_of_them_alone() -> None:
    one = told(located(part=True))
    assert (one.of, one.derivative, one.name) == (NO_DERIVATIVES, False, "mask")
