"""The place of a mistake is found and proven on all cases; nothing is said that was not proven, or says nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.program.data import Block, Equation, Form, Literal, Place, Program
from grader.values.places import Reads, Relation
from grader.where.search import locate
from grader.where.trial import Budget, SearchCase
from tests.where.answers import cases, text_of

Answer = Callable[[int], Any]


def x(n: int) -> Any:
    return jnp.asarray(np.sin(np.arange(1.0, 1.0 + n * n)).reshape(n, n), float)


def reference(n: int) -> Any:
    scores = x(n) @ x(n).T * 0.5
    visible = jnp.arange(n)[:, None] >= jnp.arange(n)
    weights = jax.nn.softmax(jnp.where(visible, scores, -jnp.inf), axis=-1)
    return (weights @ x(n)).reshape(-1)


def wrong_mask(n: int) -> Any:
    seen = jnp.tril(jnp.ones((n, n)), 1) == 1
    weights = jax.nn.softmax(jnp.where(seen, x(n) @ x(n).T * 0.5, -jnp.inf))
    return (weights @ x(n)).reshape(-1)


def wrong_axis(n: int) -> Any:
    scores = jnp.where(jnp.tril(jnp.ones((n, n))) == 1, x(n) @ x(n).T * 0.5, -jnp.inf)
    weights = jax.nn.softmax(scores, axis=0)
    return (weights @ x(n)).reshape(-1)


def wrong_constant(n: int) -> Any:
    scores = x(n) @ (x(n).T * 0.25)
    weights = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((n, n))) == 1, scores, -jnp.inf))
    return (weights @ x(n)).reshape(-1)


def two_mistakes(n: int) -> Any:
    seen = jnp.tril(jnp.ones((n, n)), 1) == 1
    scores = jnp.where(seen, x(n) @ x(n).T * 0.5, -jnp.inf)
    weights = jax.nn.softmax(scores)
    return (weights @ jnp.cos(x(n))).reshape(-1)


def looped(n: int) -> Any:
    def body(total: Any, row: Any) -> Any:
        total = total * 0.5 + jnp.sin(row)
        return total, total * row

    return lax.scan(body, jnp.zeros(n), x(n))[1].reshape(-1)


def wrong_in_a_loop(n: int) -> Any:
    def body(total: Any, row: Any) -> Any:
        total = total * 0.5 + jnp.tanh(row)
        return total, total * row

    return lax.scan(body, jnp.zeros(n), x(n))[1].reshape(-1)


def trained(n: int) -> Any:
    """Weights after some steps, and what they predict."""
    weights, _ = lax.scan(lambda w, _: (w - 0.1 * (x(n) @ w - 1.0) @ x(n), None), jnp.zeros(n), length=3 * n)
    return jnp.tanh(x(n) @ weights)


def trained_too_fast(n: int) -> Any:
    weights, _ = lax.scan(lambda w, _: (w - 0.17 * (x(n) @ w - 1.0) @ x(n), None), jnp.zeros(n), length=3 * n)
    return jnp.tanh(x(n) @ weights)


def trained_in_another_order(n: int) -> Any:
    order = jnp.arange(n)[::-1]
    table = x(n)[:, order]
    weights, _ = lax.scan(lambda w, _: (w - 0.1 * (x(n) @ w[order] - 2.0) @ table, None), jnp.zeros(n), length=3 * n)
    return jnp.tanh(table @ weights)


def transformed(n: int) -> Any:
    line = jnp.sin(jnp.arange(1.0, 1.0 + n))
    return jnp.tanh(line * lax.scan(lambda w, _: (jnp.cos(w) + line, None), line, length=3 * n)[0])


def untransformed(n: int) -> Any:
    line = jnp.sin(jnp.arange(1.0, 1.0 + n))
    last = lax.scan(lambda w, _: (jnp.cos(w) + line, None), line, length=3 * n)[0]
    return line * last


def deep_constant(n: int) -> Any:
    return jnp.exp(jnp.log(x(n) ** 2 + 0.13) * 0.5).reshape(-1)


def deep_constant_due(n: int) -> Any:
    return jnp.sqrt(x(n) ** 2 + 0.25).reshape(-1)


def wrong_in_every_call(n: int) -> Any:
    def part(row: Any) -> Any:
        return jnp.tanh(row)

    total, rows = jnp.zeros(n), []
    for row in x(n):
        total = total * 0.5 + part(row)
        rows.append(total * row)
    return jnp.stack(rows).reshape(-1)


def two_layers(bent: Callable[[Any], Any]) -> Answer:
    """Two layers by one function. Their weights are of several shapes where n is not 3."""

    def layer(given: Any, width: int) -> Any:
        return given @ (bent(given.T @ given) / 2.0)[:, :width]

    return lambda n: layer(layer(x(n), 3) if n > 2 else x(n), n).reshape(-1)


def averaged(speed: float, share: float) -> Answer:
    """Two arrays of weights, learned in rounds, and the average of each over the rounds."""

    def answer(n: int) -> Any:
        weights = mean = {"bias": jnp.ones(1), "kernel": jnp.sin(jnp.arange(1.0, 1.0 + n))}
        for _ in range(3):
            weights = {name: w - speed * jnp.tanh(w) for name, w in weights.items()}
            mean = {name: share * m + (1 - share) * weights[name] for name, m in mean.items()}
        return x(n) @ mean["kernel"] + mean["bias"]

    return answer


@pytest.mark.parametrize(
    ("answer", "due", "expression"),
    [
        (two_layers(jnp.cos), two_layers(jnp.tanh), "bent(given.T @ given)"),
        (averaged(0.3, 0.81), averaged(0.3, 0.9), "share * m + (1 - share) * weights[name]"),
        (wrong_mask, reference, "jnp.tril(jnp.ones((n, n)), 1)"),
        (wrong_axis, reference, "jax.nn.softmax(scores, axis=0)"),
        (wrong_in_a_loop, looped, "jnp.tanh(row)"),
        (wrong_in_every_call, looped, "jnp.tanh(row)"),
        (trained_too_fast, trained, "0.17 * (x(n) @ w - 1.0)"),
        (trained_in_another_order, trained, "x(n) @ w[order] - 2.0"),
        (deep_constant, deep_constant_due, "x(n) ** 2 + 0.13"),
    ],
)
def test_the_wrong_expression_is_found(answer: Answer, due: Answer, expression: str) -> None:
    (found,) = locate(cases(answer, due))
    assert text_of(found, __file__) == expression
    assert found.kind == "value" or found.change
    assert not found.inner


def test_the_values_of_a_mask_are_told() -> None:
    (found,) = locate(cases(wrong_mask, reference))
    assert (found.case, found.yours.shape) == (0, (3, 3))
    np.testing.assert_array_equal(found.yours, np.tri(3, k=1) == 1)
    np.testing.assert_array_equal(found.needed, np.tri(3) == 1)


def window(n: int) -> Any:
    away = jnp.arange(n)[:, None] - jnp.arange(n)
    scores = jnp.where((away >= 0) & (away < 2), x(n) @ x(n).T * 0.5, -jnp.inf)
    return (jax.nn.softmax(scores, axis=-1) @ x(n)).reshape(-1)


def test_of_a_mask_only_what_matters_has_to_change() -> None:
    (found,) = locate(cases(window, reference))
    assert text_of(found, __file__) == "away < 2"
    assert not found.yours.all()
    assert found.needed.all()  # what the other mask hides does not matter


def test_all_rounds_of_a_loop_change_at_once() -> None:
    (found,) = locate(cases(wrong_in_a_loop, looped))
    assert found.rounds == 3
    np.testing.assert_allclose(found.yours, np.tanh(x(3)), rtol=1e-6)
    np.testing.assert_allclose(found.needed, np.sin(x(3)), rtol=1e-6)


def test_values_of_all_rounds_or_of_one_are_told_apart() -> None:
    (looped_at,) = locate(cases(wrong_in_a_loop, looped))
    assert (looped_at.evaluation, looped_at.alone, looped_at.inner) == (0, False, False)

    def wrong_once(n: int) -> Any:
        def part(row: Any) -> Any:
            return jnp.sin(row)

        return jnp.concatenate([part(x(n)), part(jnp.cos(x(n)) * 2), part(x(n) * 3)]).reshape(-1)

    def due(n: int) -> Any:
        return jnp.concatenate([jnp.sin(x(n)), jnp.tan(jnp.cos(x(n)) * 2), jnp.sin(x(n) * 3)]).reshape(-1)

    (found,) = locate(cases(wrong_once, due))
    assert text_of(found, __file__) == "jnp.sin(row)"
    assert (found.rounds, found.evaluation, found.alone, found.yours.shape) == (3, 2, True, (3, 3))


def test_of_a_line_that_is_wrong_in_one_run_alone_what_goes_in_is_wrong() -> None:
    def from_a_start(start: float) -> Callable[[int], Any]:
        def answer(n: int) -> Any:
            def mixed(old: Any, new: Any) -> Any:
                return 0.5 * old + jnp.sin(new)

            value = jnp.full(n, start)
            for _ in range(3):
                value = mixed(value, x(n)[0])
            return value

        return answer

    (found,) = locate(cases(from_a_start(2.0), from_a_start(1.0)))
    assert (text_of(found, __file__), found.rounds, found.reads) == ("0.5 * old", 3, "other")


def test_a_line_that_runs_twice_in_a_row_is_not_changed_in_one_of_its_runs_alone() -> None:
    def twice(n: int) -> Any:
        def layer(value: Any) -> Any:
            return jnp.tanh(value @ jnp.eye(value.shape[-1]) + 0.5)

        return layer(layer(x(n))).reshape(-1)

    def once(n: int) -> Any:
        same = jnp.eye(x(n).shape[-1])
        return (jnp.tanh(x(n) @ same + 0.5) @ same + 0.5).reshape(-1)

    assert all(one.kind != "repair" for one in locate(cases(twice, once)))


def test_a_call_that_makes_several_values_with_one_operation_is_evaluated_once() -> None:
    def forgets(n: int) -> Any:
        value = jnp.sin(x(n)) @ jnp.ones((n, 3))
        # As in a function of a library, the lines inside are not those of the answer.
        return (eval("value + 1.5 + row", {"value": value, "row": jnp.ones(3)}) * jnp.arange(3.0)).reshape(-1)

    def due(n: int) -> Any:
        return (jnp.tanh(jnp.sin(x(n)) @ jnp.ones((n, 3)) + 2.5) * jnp.arange(3.0)).reshape(-1)

    (found,) = locate(cases(forgets, due))
    assert text_of(found, __file__).startswith("eval(")
    assert (found.rounds, found.evaluation, found.alone, found.inner) == (1, 0, False, False)


def test_a_constant_is_repaired_without_telling_it() -> None:
    (found,) = locate(cases(wrong_constant, reference))
    assert text_of(found, __file__) == "x(n).T * 0.25"
    assert (found.kind, found.change, found.constant) == ("repair", "constant", 0.25)


def test_two_mistakes_have_two_places() -> None:
    found = locate(cases(two_mistakes, reference))
    assert {text_of(one, __file__) for one in found} == {"jnp.tril(jnp.ones((n, n)), 1)", "jnp.cos(x(n))"}
    assert locate(cases(two_mistakes, reference), together=False) == []


def test_nothing_is_said_of_a_right_answer() -> None:
    assert locate(cases(reference, reference)) == []


def test_the_last_expression_is_told_as_such_where_all_that_goes_in_is_right() -> None:
    def joins(n: int) -> Any:
        one, other = jnp.sin(x(n)), jnp.cos(x(n))
        return jnp.arctan2(one, other).reshape(-1)

    def due(n: int) -> Any:
        one, other = jnp.sin(x(n)), jnp.cos(x(n))
        return jnp.exp(one * other + one).reshape(-1)

    (found,) = locate(cases(joins, due))
    assert (text_of(found, __file__), found.kind) == ("jnp.arctan2(one, other)", "value")


def clipped(n: int) -> Any:
    return jnp.clip(x(n), -0.5, 0.5).reshape(-1) * 2.0 + 1.0


def wrong_before_and_after(n: int) -> Any:
    rows = jnp.tanh(x(n))
    return jnp.clip(rows, -0.5, 0.5).reshape(-1) * 2.0 + 1.0


def mean_of_all(n: int) -> Any:
    return jnp.mean(jnp.exp(x(n)))[None]


def mean_of_another(n: int) -> Any:
    each = jnp.sum(jnp.cos(x(n)), axis=1)
    return jnp.mean(each)[None]


def large_offset(n: int) -> Any:
    rows = jnp.sin(x(n)) - 1e9
    return (rows + 1e9).reshape(-1)


def without_offset(n: int) -> Any:
    rows = jnp.cos(x(n)) - 1e9
    return (rows + 1e9).reshape(-1)


def test_a_value_that_comes_again_further_down_is_told_as_such() -> None:
    (found,) = locate(cases(wrong_before_and_after, clipped))
    assert (text_of(found, __file__), found.kind) in (("jnp.tanh(x(n))", "through"), ("jnp.tanh(x(n))", "repair"))


def test_the_result_again_and_again_is_no_value_that_is_needed() -> None:
    assert not any(found.needed.size > 1 for found in locate(cases(mean_of_another, mean_of_all)))


def test_a_value_that_float32_would_lose_in_what_follows_is_not_needed() -> None:
    assert [found.kind for found in locate(cases(without_offset, large_offset))] == ["value"]


def one_call_of_two(n: int) -> Any:
    def clock(start: int) -> Any:
        return jnp.sin(jnp.arange(n) + start * 1.5)

    return jnp.concatenate([clock(0), clock(2)])


def two_calls(n: int) -> Any:
    def clock(start: int) -> Any:
        return jnp.sin(jnp.arange(n) + start * 1.5)

    return jnp.concatenate([clock(0), clock(1)])


def test_a_change_of_one_evaluation_alone_is_no_change_of_the_line() -> None:
    for found in locate(cases(one_call_of_two, two_calls)):
        assert found.kind != "repair"


def test_a_right_value_that_is_returned_too_early_is_the_last_expression() -> None:
    (found,) = locate(cases(untransformed, transformed))
    assert (text_of(found, __file__), found.kind) == ("line * last", "value")


def test_the_whole_answer_in_one_place_says_nothing() -> None:
    assert locate(cases(lambda n: jnp.zeros(n * n), reference)) == []


def test_what_one_case_proves_is_not_said_where_another_case_disproves_it() -> None:
    asked = cases(wrong_mask, reference)
    lying = replace(asked[1], due=asked[1].due + np.arange(16.0))
    assert locate([asked[0], lying], Budget(1e5, 1.0)) == []


def test_the_same_is_found_again() -> None:
    first, again = (locate(cases(wrong_mask, reference)) for _ in range(2))
    assert [(one.place, one.step) for one in first] == [(one.place, one.step) for one in again]


@pytest.mark.parametrize("left", [0.0, 100.0, 2000.0])
def test_nothing_is_said_where_the_budget_ends(left: float) -> None:
    assert locate(cases(two_mistakes, reference), Budget(left, 2.0)) == []


def test_a_search_ends_at_its_deadline() -> None:
    asked = cases(two_mistakes, looped)
    start = time.process_time()
    locate(asked, Budget(1e12, 0.05))
    assert time.process_time() - start < 1.0


def long_loop(rounds: int, size: int) -> Program:
    """A loop over a large value, of which a place says that a line of the answer made it."""
    form = Form("float32", (size,))
    place = 0
    body = Block((0,), (), (Equation("sin", {}, (0,), (1,), (form,), place),), (1,))
    spread: dict[str, Any] = {"shape": [size], "broadcast_dimensions": []}
    make = Equation("broadcast_in_dim", spread, (Literal("float32", 1.0),), (0,), (form,), place)
    parameters = {"constants": 0, "carried": 1, "length": rounds, "reverse": False}
    loop = Equation("scan", parameters, (0,), (1,), (form,), place, (body,))
    return Program(Block((), (), (make, loop), (1,)), (), (Place(1, 0, 1, 5),))


@pytest.mark.parametrize(("rounds", "size"), [(90_000, 1), (50, 1 << 22), (1 << 30, 1), (20_000, 4096)])
def test_a_hostile_program_takes_no_more_than_the_budget(rounds: int, size: int) -> None:
    due = np.zeros(size)
    asked = SearchCase(long_loop(rounds, size), {}, due, due, {"1:0:cos:0:0": np.ones((1, 8))})
    start = time.process_time()
    assert locate([asked], Budget(3e5, 0.3)) == []
    assert time.process_time() - start < 1.0


def rounds_of(step: Callable[[Any, int], Any]) -> Answer:
    def answer(n: int) -> Any:
        weight, losses = jnp.ones(n) * 0.7, []
        for number in range(3):
            seen = jnp.tanh(x(n) @ weight)
            losses.append(jnp.sum(seen * seen))
            weight = step(weight, number)
        return jnp.stack(losses)

    return answer


def test_in_rounds_a_place_that_only_reads_what_is_wrong_is_not_told() -> None:
    due, wrong = rounds_of(lambda weight, _: weight * 0.5), rounds_of(lambda weight, _: jnp.sin(weight) * 0.5)
    lines = [one.place.line for one in locate(cases(wrong, due))]
    assert rounds_of.__code__.co_firstlineno + 4 not in lines, "the weights are wrong, and not what reads them"


def test_an_average_of_wrong_weights_is_not_told_as_wrong() -> None:
    found = locate(cases(averaged(0.5, 0.9), averaged(0.3, 0.9)))
    assert all("share" not in text_of(one, __file__) for one in found)


def shares(n: int) -> Any:
    return jax.nn.softmax(x(n)) / jnp.sum(jax.nn.softmax(x(n))[:, :2], axis=-1, keepdims=True)


def not_shared(n: int) -> Any:
    """What is missing is a division of a right value: a step inside the softmax could make up for it as well."""
    weights = jax.nn.softmax(x(n))
    return (weights @ jnp.cos(x(n))).reshape(-1)


def shared(n: int) -> Any:
    return (shares(n) @ jnp.cos(x(n))).reshape(-1)


def test_a_value_of_the_answers_own_comes_before_a_step_inside_a_call() -> None:
    (found,) = locate(cases(not_shared, shared))
    assert text_of(found, __file__) == "jax.nn.softmax(x(n))"
    assert not found.inner


def steep(n: int) -> Any:
    return jnp.sin(jnp.arange(float(n)) / 100.0 ** (jnp.arange(float(n)) * 0.3))


def turned_round(n: int) -> Any:
    rate = 100.0 ** (jnp.arange(float(n)) * 0.3)
    return jnp.sin(jnp.arange(float(n)) * rate)


def test_an_operation_comes_before_a_constant_that_could_make_up_for_it() -> None:
    (found,) = locate(cases(turned_round, steep))
    assert text_of(found, __file__) == "jnp.arange(float(n)) * rate"


def divided(n: int) -> Any:
    return jnp.tanh(wide(n) / jnp.sqrt(jnp.sum(wide(n) ** 2, -1, keepdims=True)))


def divided_by_the_inverse(n: int) -> Any:
    return jnp.tanh(wide(n) / lax.rsqrt(jnp.sum(wide(n) ** 2, -1, keepdims=True)))


def by_the_variance(n: int) -> Any:
    return jnp.tanh(wide(n) / (1.0 + jnp.var(wide(n), -1, keepdims=True)))


def by_the_deviation(n: int) -> Any:
    return jnp.tanh(wide(n) / (1.0 + jnp.std(wide(n), -1, keepdims=True)))


def test_how_the_values_needed_follow_from_those_that_are_there_is_found_on_several_cases() -> None:
    (found,) = locate(cases(by_the_deviation, by_the_variance))
    assert (found.related, found.reads) == (Relation.SQUARE, Reads.RIGHT)
    (found,) = locate(cases(divided_by_the_inverse, divided))
    assert found.related is Relation.INVERSE


def pairs_of(n: int) -> Any:
    return jax.vmap(jax.vmap(lambda a, b: jnp.exp(a - 2 * b), (None, 0)), (0, None))(wide(n)[0], wide(n)[1]).reshape(-1)


def pairs_turned_round(n: int) -> Any:
    return jax.vmap(jax.vmap(lambda a, b: jnp.exp(a - 2 * b), (0, None)), (None, 0))(wide(n)[0], wide(n)[1]).reshape(-1)


def laid_out_by_columns(n: int) -> Any:
    return jnp.tanh(wide(n)[: n // 2].T).reshape(-1)


def laid_out_by_rows(n: int) -> Any:
    return jnp.tanh(wide(n)[: n // 2]).reshape(-1)


def test_an_order_is_told_where_it_is_so_in_every_case_and_is_fixed_where_it_is_made() -> None:
    (found,) = locate(cases(pairs_turned_round, pairs_of))
    assert found.related is Relation.REORDERED
    assert found.reads is not Reads.RIGHT
    (found,) = locate(cases(laid_out_by_columns, laid_out_by_rows))
    assert found.related is Relation.REORDERED


def from_a_table(n: int) -> Any:
    table = np.sin(np.arange(1.0, 1.0 + n * n)).reshape(n, n).astype(np.float32) * np.float32(1.5)
    return jnp.exp(jnp.asarray(table).T).reshape(-1)


def from_a_right_table(n: int) -> Any:
    return jnp.exp(jnp.sin(jnp.arange(1.0, 1.0 + n * n)).reshape(n, n).T).reshape(-1)


def test_a_table_that_was_made_outside_is_not_said_to_be_wrong_where_it_is_read() -> None:
    for found in locate(cases(from_a_table, from_a_right_table)):
        assert found.reads in (Reads.TABLE, Reads.OTHER)
        assert found.table


def stale(n: int) -> Any:
    """Each round reads the first weights again: no change of what predicts could make it give two values."""
    weights = jnp.zeros(n)
    losses = []
    for _ in range(2):
        off = x(n) @ weights - 1.0
        losses.append(jnp.mean(off**2))
    return jnp.stack(losses)


def learned(n: int) -> Any:
    weights = jnp.zeros(n)
    losses = []
    for _ in range(2):
        off = x(n) @ weights - 1.0
        losses.append(jnp.mean(off**2))
        weights = weights - 0.1 * off @ x(n)
    return jnp.stack(losses)


def test_where_the_same_goes_in_twice_no_place_says_that_two_values_should_come_out() -> None:
    for found in locate(cases(stale, learned)):
        assert found.reads is not Reads.RIGHT, text_of(found, __file__)


def wide(n: int) -> Any:
    return jnp.sin(4.0 * jnp.arange(1.0, 1.0 + n)[:, None] + jnp.arange(4.0))


def heads(n: int) -> Any:
    rows = wide(n).reshape(n, 2, 2).transpose(1, 0, 2)
    return jnp.exp(jnp.cumsum(rows, axis=1)).reshape(-1)


def heads_cut_wrongly(n: int) -> Any:
    rows = wide(n).reshape(2, n, 2)
    return jnp.exp(jnp.cumsum(rows, axis=1)).reshape(-1)


def test_what_reads_values_in_the_wrong_places_does_not_read_what_a_right_answer_has() -> None:
    for found in locate(cases(heads_cut_wrongly, heads)):
        assert found.reads is Reads.OTHER or "rows" not in text_of(found, __file__)
