"""A fix counts only if it makes every case right; a case that costs little is asked before the others."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from grader.where.candidates import ORDERED
from grader.where.proof import Fix, Proof
from grader.where.steps import Occurring, StepPick
from grader.where.targets import Target, targets
from grader.where.trial import Budget, SearchCase, Trial
from tests.where.answers import cases


def reference(n: int) -> Any:
    x = jnp.sin(jnp.arange(2.0, 8.0))
    return lax.scan(lambda total, _: (jnp.cos(total) * 0.5 + x, None), x, length=n)[0]


def answer(n: int) -> Any:
    x = jnp.sin(jnp.arange(2.0, 8.0))
    return lax.scan(lambda total, _: (jnp.tanh(total) * 0.5 + x, None), x, length=n)[0]


def in_halves(n: int) -> Any:
    x = jnp.sin(jnp.arange(2.0, 8.0))
    x = jnp.concatenate([x[::2], x[1::2]])
    made = lax.scan(lambda total, _: (jnp.tanh(total) * 0.5 + x, None), x, length=n)[0]
    return jnp.stack([made[:3], made[3:]], axis=1).reshape(-1)


def begun(listed: list[SearchCase]) -> Proof:
    budget = Budget(1e6, 10.0)
    return Proof(listed, [Trial(case.program, case.draws, budget) for case in listed], budget)


def proof(function: Any = answer, sizes: tuple[int, ...] = (1, 9)) -> Proof:
    return begun(cases(function, reference, sizes))


def target(of: Proof, operation: str) -> Target:
    known = [Occurring(of.cases[index].steps) for index in of.looked_at]
    return next(one for one in targets(of.trials, of.looked_at, known) if one.site.operation == operation)


def step(of: Proof, operation: str) -> str:
    return next(name for name in of.cases[0].steps if f":{operation}:" in name)


def test_a_value_that_makes_all_cases_right_is_proven() -> None:
    asked = proof()
    fix = Fix(target(asked, "tanh"), StepPick(step(asked, "cos"), "each"))
    assert asked.worth_trying([fix])
    assert asked.right_with([fix], asked.first) is not None
    assert asked.holds([fix])


def test_a_fix_that_fails_where_it_costs_little_is_not_worth_trying() -> None:
    asked = proof()
    fix = Fix(target(asked, "tanh"), StepPick(step(asked, "mul"), "each"))
    assert not asked.worth_trying([fix])
    assert asked.right_with([fix], asked.first) is None


def test_without_a_cheaper_case_every_fix_is_worth_trying() -> None:
    asked = proof(sizes=(9,))
    assert asked.worth_trying([Fix(target(asked, "tanh"), StepPick(step(asked, "mul"), "each"))])


def test_everything_is_tried_on_the_case_where_chance_helps_least() -> None:
    asked = proof()
    assert (asked.first, asked.looked_at) == (1, [1, 0])
    assert asked.failing == [0, 1]


def test_a_case_that_passes_must_still_pass() -> None:
    asked = proof(sizes=(0, 1, 9))
    assert asked.passes == [True, False, False]
    fix = Fix(target(asked, "add"), StepPick(step(asked, "add"), "each"))
    assert asked.holds([fix]) == (asked.right_with([fix], 1) is not None)


def test_a_value_counts_in_the_order_in_which_the_answer_holds_it() -> None:
    asked = proof(in_halves)
    tanh, cos = target(asked, "tanh"), StepPick(step(asked, "cos"), "each")
    assert asked.right_with([Fix(tanh, cos)], asked.first) is None
    assert asked.right_with([Fix(tanh, cos, ORDERED)], asked.first) is not None
    assert [order.tolist() for order in asked.orders(asked.first)[6]] == [[0, 2, 4, 1, 3, 5]]


def test_a_constant_may_be_any_number() -> None:
    def half(n: int) -> Any:
        return jnp.cos(jnp.arange(1.0, 2.0 + n)) * 0.3

    def whole(n: int) -> Any:
        return jnp.cos(jnp.arange(1.0, 2.0 + n)) * 0.7

    asked = begun(cases(half, whole))
    fix = Fix(target(asked, "mul"), operand=1, constant=0.7)
    assert asked.right_with([fix], asked.first) is not None
    assert np.isclose(asked.right_with([fix], asked.first)[0][0][0], 0.7 * np.cos(1.0))  # pyright: ignore


def averaged(n: int) -> Any:
    x = jnp.sin(jnp.arange(1.0, 1.0 + n))
    return jnp.tanh(jnp.mean(jnp.exp(x))) * jnp.cos(x)


def averaged_later(n: int) -> Any:
    x = jnp.sin(jnp.arange(1.0, 1.0 + n))
    return jnp.tanh(jnp.exp(jnp.mean(x))) * jnp.cos(x)


def test_one_number_again_and_again_is_not_needed_where_only_a_mean_is_read() -> None:
    asked, budget = cases(averaged, averaged_later), Budget(1e6, 10.0)
    trials = [Trial(one.program, one.draws, budget) for one in asked]
    proof = Proof(asked, trials, budget)
    listed = targets(trials, proof.looked_at, [Occurring(asked[index].steps) for index in proof.looked_at])
    powers, waves, last = (next(one for one in listed if one.site.operation == name) for name in ("exp", "cos", "mul"))
    values = powers.current(trials[proof.first])
    same = [np.full_like(value, 0.5) for value in values]
    assert not proof.can_give(powers, same)
    assert proof.can_give(powers, [value * 2.0 for value in values])
    assert proof.can_give(waves, same)
    assert proof.can_give(last, same)  # it is the result
