"""A spec, a collective or an axis of a mesh is a place, and its values are those of one device."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from grader.values.places import Edit, FoundPlace
from grader.where.search import locate
from tests.where.answers import cases, text_of

P = jax.sharding.PartitionSpec
SIZES = {4: (2, 2), 6: (2, 1), 2: (1, 1)}
"""The mesh of each size of a case. With one device, every spec is right."""


def mapped(n: int, local: Callable[..., Any], cut: Any, joined: Any) -> Any:
    mesh = jax.make_mesh(SIZES[n], ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    return jax.shard_map(local, mesh=mesh, in_specs=cut, out_specs=joined, check_vma=False)


def wide(n: int) -> Any:
    return jnp.sin(jnp.arange(4.0 * n * n)).reshape(2 * n, 2 * n)


def held(n: int, first: Any, second: Any) -> Any:
    def part(spec: Any) -> Any:
        return mapped(n, jnp.ravel, (spec,), P(("x", "y")))(wide(n))

    return jnp.concatenate([part(first), part(second)])


def summed(n: int, names: Any, of: Callable[..., Any] = jax.lax.psum) -> Any:
    return mapped(n, lambda z: jnp.tanh(of(z, names)), (P("x", "y"),), P("x", "y"))(wide(n)).ravel()


def not_summed(n: int) -> Any:
    return mapped(n, lambda z: jnp.tanh(z), (P("x", "y"),), P("x", "y"))(wide(n)).ravel()


def found_in(answer: Callable[[int], Any], reference: Callable[[int], Any]) -> FoundPlace:
    wrapped = lambda n: answer(n)  # noqa: E731
    (found,) = locate(cases(wrapped, reference, tuple(SIZES)))
    return found


@pytest.mark.parametrize(
    ("first", "second", "run"),
    [(P("y", "x"), P(("y", "x")), 1), (P("x", "y"), P(("x", "y")), 2)],
    ids=["first", "second"],
)
def test_a_spec_is_a_place_and_one_line_may_have_another_each_time(first: Any, second: Any, run: int) -> None:
    found = found_in(partial(held, first=first, second=second), partial(held, first=P("x", "y"), second=P(("y", "x"))))
    assert (found.change, found.operation, found.argument) == (Edit.SPEC, "shard", (0, 1))
    assert (found.evaluation, found.rounds, found.alone, found.devices) == (run, 2, True, len(found.yours))
    assert text_of(found, __file__).startswith("mapped(")


def test_an_axis_of_the_mesh_is_a_place() -> None:
    found = found_in(partial(summed, names="x"), partial(summed, names="y"))
    assert (found.change, found.operation) == (Edit.MESH_AXES, "device_psum")


def test_a_collective_is_a_place() -> None:
    found = found_in(partial(summed, names="x", of=jax.lax.pmax), partial(summed, names="x"))
    assert (found.operation, found.devices, text_of(found, __file__)) == ("device_pmax", 4, "of(z, names)")
    found = found_in(partial(summed, names="x"), not_summed)
    assert (found.operation, found.devices, text_of(found, __file__)) == ("device_psum", 4, "of(z, names)")


def sent(n: int, *pairs: tuple[int, int]) -> Any:
    perm = pairs if SIZES[n][0] == 2 else [(0, 0)]
    return mapped(n, lambda z: jnp.tanh(jax.lax.ppermute(z, "x", perm)), (P("x"),), P("x"))(wide(n)).ravel()


def test_sender_and_receiver_may_be_exchanged() -> None:
    found = found_in(lambda n: sent(n, (0, 1)), lambda n: sent(n, (1, 0)))
    assert (found.change, found.operation) == (Edit.PAIRS, "device_ppermute")


def rows_alone(n: int, spec: Any) -> Any:
    return mapped(n, lambda z: (z[:1] * 2.0).ravel(), (spec,), P(("x", "y")))(wide(n))


def test_a_spec_of_other_shapes_is_no_place_where_a_line_was_written_for_the_shape_of_a_part() -> None:
    """With the other spec, Python would write another program than the one that is searched."""
    wrapped = lambda n: rows_alone(n, P("x"))  # noqa: E731
    for found in locate(cases(wrapped, lambda n: rows_alone(n, P(None, "x")), (4,))):
        assert found.change is not Edit.SPEC
