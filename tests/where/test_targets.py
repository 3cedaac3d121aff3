"""What is doubted first: an expression that reads what is right, and gives what does not occur in the reference."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from grader.values.places import Reads
from grader.where.steps import Occurring
from grader.where.targets import IN_REFERENCE, INPUTS_KNOWN, MAYBE_COPIED, UNKNOWN, Target, targets
from grader.where.trial import Budget, Trial
from tests.where.answers import cases


def reference(n: int) -> Any:
    x = jnp.arange(float(n)) * 0.3
    return jnp.exp(jnp.sin(x)) * jnp.tanh(x)


def answer(n: int) -> Any:
    x = jnp.arange(float(n)) * 0.3
    y = jnp.cos(x)
    return jnp.exp(y) * jnp.tanh(x)


def copied(n: int) -> Any:
    x = jnp.arange(float(n)) * 0.3
    y = jnp.sin(x)
    z = jnp.sin(x)  # a copy of the line above: tanh is meant
    return jnp.exp(y) * z


def listed(answer: Any = answer) -> list[Target]:
    asked = cases(answer, reference)
    trials = [Trial(one.program, {}, Budget(1e6, 10.0)) for one in asked]
    return targets(trials, [0, 1], [Occurring(one.steps) for one in asked])


def test_what_reads_right_values_and_gives_others_comes_first() -> None:
    found = {one.site.operation: one.tier for one in listed()}
    assert [found[name] for name in ("cos", "exp", "tanh")] == [INPUTS_KNOWN, UNKNOWN, IN_REFERENCE]
    assert listed()[0].site.operation == "cos"


def test_a_right_value_that_two_lines_make_comes_first() -> None:
    first, second, *others = listed(copied)
    assert [(one.site.operation, one.tier) for one in (first, second)] == [("sin", MAYBE_COPIED)] * 2
    assert first.site.place.line + 1 == second.site.place.line
    assert all(one.tier != MAYBE_COPIED for one in others)


def test_what_reads_a_wrong_value_does_not_read_right_ones() -> None:
    found = {one.site.operation: one.reads for one in listed()}
    assert (found["cos"], found["exp"]) == (Reads.RIGHT, Reads.OTHER)
