"""A program with one change gives what the changed program gives, and only what depends on the change is evaluated."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from grader.program.data import Equation, NotAProgram
from grader.values.arrays import Array
from grader.where.trial import Budget, Change, Site, Trial
from tests.program.sent import sent, value


def plain(function: Any = jnp.sin) -> Any:
    x = jnp.arange(4.0)
    return function(x) * 2 + jnp.exp(x)


def looped(function: Any = jnp.sin) -> Any:
    return lax.scan(lambda c, r: (c + function(r), c * r), 0.0, jnp.arange(4.0))[1]


def trial(function: Any) -> Trial:
    return Trial(sent(function, __file__), {}, Budget(1e6, 10.0))


def site(of: Trial, operation: str) -> Site:
    (found,) = (one for one in of.made if one.operation == operation)
    return found


def cosines(_: Trial, equation: Equation, inputs: list[Array], count: int) -> list[Array]:
    return [np.cos(inputs[0])]


@pytest.mark.parametrize("function", [plain, looped])
def test_a_change_at_a_site_gives_the_changed_program(function: Any) -> None:
    one = trial(function)
    np.testing.assert_allclose(one.result, value(function))
    np.testing.assert_allclose(one.run({site(one, "sin"): Change(cosines)}), value(lambda: function(jnp.cos)))
    np.testing.assert_allclose(one.run({}), value(function))


def test_only_what_depends_on_a_change_is_evaluated() -> None:
    one, seen = trial(plain), list[str]()
    one.run({site(one, "sin"): Change(cosines)}, lambda equation, *_: seen.append(equation.operation))
    assert seen == ["sin", "mul", "add"]


def test_one_round_changes_alone() -> None:
    one = trial(looped)
    changed = one.run({site(one, "sin"): Change(cosines, ordinal=2)})
    np.testing.assert_allclose(changed[:3], one.result[:3])
    assert changed[3] != pytest.approx(one.result[3])


def test_an_expression_knows_what_it_reads_and_makes() -> None:
    one = trial(plain)
    expression = one.expressions[site(one, "exp").place]
    assert [x.tolist() for x in expression.read.values()] == [[0.0, 1.0, 2.0, 3.0]]
    np.testing.assert_allclose(list(expression.made.values()), [np.exp(np.arange(4.0))])


def test_a_change_that_cannot_be_evaluated_is_no_program() -> None:
    one = trial(plain)
    with pytest.raises(NotAProgram):
        one.run({site(one, "sin"): Change(lambda *_: [np.ones((3, 3))])})
