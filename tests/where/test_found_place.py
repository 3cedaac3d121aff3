"""What is told of a fix that was proven: its values on a case that it changes."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from grader.where.search import locate
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
