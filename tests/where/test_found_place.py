"""What is told of a fix that was proven: its values on a case that it changes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.values.places import Relation
from grader.where.search import locate
from grader.where.trial import Budget, Trial
from tests.program.sent import sent
from tests.where.answers import cases, text_of


def reference(n: int) -> Any:
    x = jnp.sin(jnp.arange(1.0, 1.0 + n))
    return jnp.concatenate([jnp.exp(x), jnp.cos(x)[::-1] * 3.0])


def answer(n: int) -> Any:
    x = jnp.sin(jnp.arange(1.0, 1.0 + n))
    first = jnp.tanh(x)
    second = jnp.cos(x)
    return jnp.concatenate([first, second * 3.0])


def test_each_of_two_places_has_values_of_a_case_in_which_they_differ() -> None:
    found = locate(cases(answer, reference, sizes=(1, 3, 4)))
    assert [text_of(one, __file__) for one in found] == ["jnp.tanh(x)", "second * 3.0"]
    assert [one.case for one in found] == [0, 1], "of one value, the order is right"
    assert not any(np.allclose(one.yours, one.needed) for one in found)


X, Y = jnp.sin(jnp.arange(12.0)).reshape(4, 3), jnp.cos(jnp.arange(4.0))


def gradient_of(loss: Any, *, with_value: bool = True) -> Any:
    def call(n: int) -> Any:
        w = jnp.sin(jnp.arange(3.0) + n)
        value, slope = jax.value_and_grad(loss)(w)
        return jnp.append(slope, value) if with_value else slope

    return call


def right_loss(w: Any) -> Any:
    return jnp.mean(jnp.tanh(X @ w - Y) ** 2)


def wrong_loss(w: Any) -> Any:
    return jnp.mean(jnp.sin(X @ w - Y) ** 2)


def test_a_mistake_in_a_loss_is_found_by_the_numbers_that_are_no_derivatives() -> None:
    (found,) = locate(loss_cases(wrong_loss, right_loss))
    assert text_of(found, __file__) == "jnp.sin(X @ w - Y)"
    assert (found.part, found.derivative) == (True, False)
    assert found.needed.shape == (4,)


def test_numbers_that_stand_in_the_place_of_derivatives_say_nothing_of_a_loss() -> None:
    def value_first(n: int) -> Any:
        value, slope = jax.value_and_grad(right_loss)(jnp.sin(jnp.arange(3.0) + n))
        return jnp.append(value, slope)

    found = locate(cases(value_first, gradient_of(right_loss)))
    assert [one.part for one in found] == [False]


def test_what_makes_the_derivative_right_too_is_proven_of_all_numbers() -> None:
    def other_data(w: Any) -> Any:
        return jnp.mean(jnp.tanh(X @ w - 2.0 * Y) ** 2)

    (found,) = locate(loss_cases(other_data, right_loss))
    assert text_of(found, __file__) == "2.0 * Y"
    assert not found.part


def test_what_a_rule_keeps_for_its_backward_pass_is_a_value_of_its_line() -> None:
    def of(limit: float) -> Any:
        @jax.custom_vjp
        def kept(x: Any) -> Any:
            return x

        def forward(x: Any) -> Any:
            mask = jnp.where(jnp.cos(3.0 * x) < limit, 1.0, 0.25)
            return x, mask

        kept.defvjp(forward, lambda mask, g: (g * mask,))
        return lambda w: jnp.mean(jnp.tanh(kept(X @ w - Y)) ** 2)

    (found,) = locate(loss_cases(of(0.0), of(0.7)))
    assert text_of(found, __file__) in ("jnp.cos(3.0 * x) < limit", "jnp.where(jnp.cos(3.0 * x) < limit, 1.0, 0.25)")
    assert not found.derivative


def test_a_value_of_the_backward_pass_is_told_as_one_of_a_derivative_with_its_own_runs() -> None:
    @jax.custom_vjp
    def doubled(x: Any) -> Any:
        return jnp.tanh(x)

    def backward(x: Any, g: Any) -> Any:
        return (2.0 * g * (1.0 - jnp.tanh(x) ** 2),)

    doubled.defvjp(lambda x: (jnp.tanh(x), x), backward)

    def loss(w: Any) -> Any:
        return jnp.mean(doubled(X @ w - Y) ** 2)

    (found,) = locate(loss_cases(loss, right_loss))
    assert (found.derivative, found.part, found.rounds) == (True, False, 1)


@pytest.mark.parametrize("kept", [True, False], ids=["checkpoint", "plain"])
def test_a_derivative_through_a_loop_is_one_and_what_is_computed_again_there_is_none(kept: bool) -> None:
    def of(step: Any) -> Any:
        step = jax.checkpoint(step) if kept else step
        return gradient_of(
            lambda w: jnp.sum(lax.scan(lambda x, _: (step(x), None), w, length=3)[0] ** 2), with_value=False
        )

    asked = cases(of(lambda x: jnp.sin(x) + 0.5), of(lambda x: jnp.cos(x) + 0.5))
    trial = Trial(asked[0].program, {}, Budget(1e6, 10.0))
    sides = {
        site.operation: {other.backward for other in trial.made if other.operation == site.operation}
        for site in trial.made
    }
    assert sides["sin"] == {False}
    assert sides["cos"] == {False}, "the slope of sin is computed in the forward pass, or again"
    assert True in sides["mul"]


def test_where_any_number_does_0_is_needed() -> None:
    def mean(n: int, empty: float) -> Any:
        held = jnp.full((n + 2,), empty).at[:n].set(jnp.sin(jnp.arange(1.0, n + 1)))
        return jnp.cos(held + jnp.where(jnp.arange(n + 2) < n, 0.0, -jnp.inf) * 0.0)[:n].sum() + jnp.sum(
            held * jnp.where(jnp.arange(n + 2) < n, 1.0, 0.0)
        )

    found = locate(cases(partial_of(mean, empty=jnp.nan), partial_of(mean, empty=0.25)))
    assert all(np.isfinite(one.needed).all() for one in found)


def test_a_sort_of_right_values_is_no_place_for_other_values() -> None:
    def answer(n: int) -> Any:
        return jnp.sort(jnp.sin(jnp.arange(1.0, n + 3))) * 2.0

    def other(n: int) -> Any:
        return jnp.cumsum(jnp.sort(jnp.sin(jnp.arange(1.0, n + 3)))) * 2.0

    assert [one.operation for one in locate(cases(answer, other))] == ["mul"]
    (turned,) = locate(cases(answer, lambda n: -jnp.sort(-jnp.sin(jnp.arange(1.0, n + 3))) * 2.0))
    assert text_of(turned, __file__).startswith("jnp.sort")


def partial_of(function: Any, **options: Any) -> Any:
    def call(n: int) -> Any:
        return function(n, **options)

    return call


def loss_cases(loss: Any, right: Any) -> Any:
    return [
        replace(asked, program=sent(partial(gradient_of(loss), size), __file__))
        for asked, size in zip(cases(gradient_of(right), gradient_of(right)), (3, 4), strict=False)
    ]


def overwritten(n: int, *, mine: bool) -> Any:
    """Each round writes a row, and the last round writes all but the first element again."""

    def round_(held: Any, at: Any) -> Any:
        held = jnp.where(at == 2, held.at[1:].set(jnp.arange(1.0, n + 3)), held)
        made = jnp.tanh(held) * 0.7 + 0.1 if mine else jnp.sin(held)
        return jnp.where(at < 2, made, held), None

    return lax.scan(round_, jnp.sin(jnp.arange(n + 3.0)) + 2.0, jnp.arange(3))[0]


def test_only_runs_and_elements_that_matter_are_shown_as_needed() -> None:
    found = locate(cases(partial_of(overwritten, mine=True), partial_of(overwritten, mine=False)))
    (one,) = found
    assert text_of(one, __file__) == "held.at[1:].set(jnp.arange(1.0, n + 3))"
    differ = one.yours != one.needed
    assert differ.shape == (3, 6)
    assert [*zip(*np.nonzero(differ), strict=True)] == [(2, 0)], "what earlier rounds made is written again"


def spread(n: int) -> Any:
    return jnp.exp(-jnp.linspace(0.0, 1.0, n)) * jnp.arange(1.0, 1.0 + n)


def spread_without_end(n: int) -> Any:
    return jnp.exp(-jnp.arange(n) / n) * jnp.arange(1.0, 1.0 + n)


def test_a_relation_is_told_only_if_it_holds_in_every_case() -> None:
    (alike,) = locate(cases(spread, spread_without_end, (2, 2, 2)))
    (other,) = locate(cases(spread, spread_without_end, (2, 2, 2, 5)))
    assert (alike.related, other.related) == (Relation.ROOT, None)
