"""The draws of a program: their keys in any style, their sizes and lines; and programs whose draws take other keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax, random

from grader.jaxpr.drawn import draws, taking
from grader.jaxpr.interpret import replay
from grader.kit.problem import ProblemError
from grader.marking.draws import MOST, Draw
from grader.program.arithmetic import Exact


def of(program: Callable[[], Any]) -> list[Draw]:
    return draws(jax.make_jaxpr(program)(), __file__)


def plain(key: Any) -> str:
    return np.asarray(random.key_data(key)).tobytes().hex()


KEYS = [plain(key) for key in random.split(random.key(3), 2)]


def by_unpacking() -> Any:
    a, b = random.split(random.key(3))
    return random.normal(a, (2, 3)).sum() + random.uniform(b, (4,)).sum()


def by_old_keys() -> Any:
    a, b = random.split(random.PRNGKey(3))
    return random.normal(a, (2, 3)).sum() + random.uniform(b, (4,)).sum()


def inside_calls() -> Any:
    keys = random.split(random.key(3))
    return (
        jax.jit(lambda k: random.normal(k, (6,)))(keys[0]).sum()
        + jax.checkpoint(lambda k: random.uniform(k, (4,)))(keys[1]).sum()
    )


def with_a_dead_draw() -> Any:
    random.normal(random.key(9), (2,))
    return by_unpacking()


@pytest.mark.parametrize("program", [by_unpacking, by_old_keys, inside_calls, with_a_dead_draw])
def test_each_draw_that_matters_has_its_key_and_its_size(program: Callable[[], Any]) -> None:
    assert [(draw.key, draw.count) for draw in of(program)] == [(KEYS[0], 6), (KEYS[1], 4)]


def test_mapped_draws_and_draws_in_loops_count_one_by_one() -> None:
    keys = random.split(random.key(3))
    mapped = of(lambda: jax.vmap(lambda key: random.normal(key, (5,)))(random.split(random.key(3))))
    looped = of(lambda: lax.map(lambda key: random.normal(key, (5,)), random.split(random.key(3))))
    assert [(one.key, one.count) for one in mapped] == [(plain(key), 5) for key in keys]
    assert [(one.key, one.count) for one in looped] == [(plain(key), 5) for key in keys]


def test_a_draw_has_the_line_that_makes_it() -> None:
    first = by_unpacking.__code__.co_firstlineno
    assert [draw.line for draw in of(by_unpacking)] == [first + 2, first + 2]


def test_only_what_leads_to_a_key_is_evaluated() -> None:
    """A loop that never ends would be a fault of its own."""

    def program() -> Any:
        x = lax.while_loop(lambda c: c < 1, lambda c: c * 1.0, jnp.float32(0.5))
        return x + random.normal(random.key(3))

    assert [draw.key for draw in of(program)] == [plain(random.key(3))]


def test_too_many_draws_are_a_fault() -> None:
    with pytest.raises(ProblemError, match="draws"):
        of(lambda: jax.vmap(random.normal)(random.split(random.key(0), MOST + 1)))


def test_draws_that_take_each_others_keys_give_the_values_of_exchanged_inputs() -> None:
    def program(first: int, second: int) -> Any:
        keys = random.split(random.key(3))
        return random.normal(keys[first], (3,)) - 2 * random.normal(keys[second], (3,))

    exchanged = taking(dict(zip(KEYS, KEYS[::-1], strict=True)))
    (got,) = replay(jax.make_jaxpr(lambda: program(0, 1))(), Exact(), on_eqn=exchanged)
    (due,) = replay(jax.make_jaxpr(lambda: program(1, 0))(), Exact())
    assert np.array_equal(got, due)
