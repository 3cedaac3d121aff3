"""Each small change gives what the changed program gives, and does not tell what should be there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from grader.values.places import Edit
from grader.where.repairs import repairs
from grader.where.trial import Budget, Change, Trial
from tests.program.sent import sent, value

X = np.array([[0.5, 1.25], [2.0, 4.0]], np.float32)


def x() -> Any:
    return jnp.asarray(X, float)


CHANGES: dict[str, tuple[Callable[[], Any], str, str, Callable[[], Any]]] = {
    "a constant": (lambda: x() * 3.0, "mul", "doubled 1", lambda: x() * 6.0),
    "an operation": (lambda: jnp.sin(x()), "sin", "to cos", lambda: jnp.cos(x())),
    "operands": (lambda: x() - x() * x(), "sub", "exchanged", lambda: x() * x() - x()),
    "no operation": (lambda: jnp.sqrt(x()), "sqrt", "dropped", lambda: x()),
    "an axis": (lambda: x().sum(axis=0), "reduce_sum", "axis 1", lambda: x().sum(axis=1)),
    "one axis of all": (lambda: x() / x().sum(), "reduce_sum", "axis 1, kept", lambda: x() / x().sum(1, keepdims=True)),
    "a transpose": (lambda: x() @ jnp.cos(x()), "dot_general", "transposed 1", lambda: x() @ jnp.cos(x()).T),
    "a count": (lambda: jnp.arange(4), "iota", "from one", lambda: jnp.arange(1, 5)),
}


@pytest.mark.parametrize(("function", "operation", "name", "changed"), CHANGES.values(), ids=CHANGES)
def test_a_change_gives_the_changed_program(
    function: Callable[[], Any], operation: str, name: str, changed: Callable[[], Any]
) -> None:
    one = Trial(sent(function, __file__), {}, Budget(1e6, 10.0))
    (site,) = (at for at in one.made if at.operation == operation)
    (repair,) = (each for each in repairs(one.equations[site][0]) if each.name == name)
    change = Change(lambda trial, equation, inputs, _: repair.apply(trial, equation, inputs))
    np.testing.assert_allclose(one.run({site: change}), value(changed).ravel(), rtol=1e-6)


def test_a_change_of_a_constant_tells_the_one_that_is_there() -> None:
    one = Trial(sent(lambda: x() * 3.0, __file__), {}, Budget(1e6, 10.0))
    (equation,) = (made[0] for at, made in one.equations.items() if at.operation == "mul")
    told = {(each.change, each.constant) for each in repairs(equation) if each.name.endswith(" 1")}
    assert told == {(Edit.CONSTANT, 3.0)}
