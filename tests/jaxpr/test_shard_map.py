"""A `shard_map` without devices gives the numbers that the devices give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.jaxpr.compat import SIMULATED_DEVICES, devices_of
from grader.jaxpr.encode import Encoder
from grader.program.data import NotAProgram, Place, Program
from grader.program.devices import RULES, other_axes, other_specs
from grader.program.evaluate import Evaluation

P = jax.sharding.PartitionSpec
X = jnp.sin(jnp.arange(64.0)).reshape(8, 8)
RING = [(one, (one + 1) % SIMULATED_DEVICES) for one in range(SIMULATED_DEVICES)]

Local = Callable[[Any], Any]


def mesh(*sizes: int) -> Any:
    names = ("i",) if len(sizes) == 1 else ("x", "y")
    return jax.make_mesh(sizes, names, axis_types=(jax.sharding.AxisType.Auto,) * len(sizes))


ROWS = P("i")


def mapped(local: Local, sizes: tuple[int, ...] = (4,), cut: Any = ROWS, joined: Any = ROWS, **more: Any) -> Any:
    return jax.shard_map(local, mesh=mesh(*sizes), in_specs=cut, out_specs=joined, **more)


def sent(function: Any) -> Program:
    return Encoder(__file__).program(jax.make_jaxpr(lambda: function(X))())


def assert_same(function: Any) -> None:
    np.testing.assert_allclose(Evaluation(sent(function)).output(), function(X), rtol=1e-5, atol=1e-5)


COLLECTIVES: dict[str, Local] = {
    "psum": lambda z: z * jax.lax.psum(z, "i"),
    "psum of a number": lambda z: z * jax.lax.psum(1, "i"),
    "pmean": lambda z: z - jax.lax.pmean(z, "i"),
    "pmax": lambda z: z - jax.lax.pmax(z, "i"),
    "pmin": lambda z: z - jax.lax.pmin(z.sum(), "i"),
    "axis_index": lambda z: z * jax.lax.axis_index("i"),
    "all_gather": lambda z: z * jax.lax.all_gather(z, "i")[2],
    "all_gather tiled": lambda z: jax.lax.all_gather(z, "i", axis=1, tiled=True)[:, 8:16],
    "psum_scatter": lambda z: z[0] + jax.lax.psum_scatter(jnp.tile(z, (2, 1)), "i"),
    "psum_scatter tiled": lambda z: z * jax.lax.psum_scatter(z, "i", scatter_dimension=1, tiled=True)[:, :1],
    "ppermute": lambda z: jax.lax.ppermute(z, "i", RING),
    "ppermute of some": lambda z: jax.lax.ppermute(z, "i", RING[:2]),
    "all_to_all": lambda z: jax.lax.all_to_all(z, "i", 1, 0, tiled=True)[:2],
    "a scan": lambda z: jax.lax.scan(lambda c, _: (2 * jax.lax.ppermute(c, "i", RING), c), z, length=3)[1].sum(0),
    "a scan over rows": lambda z: jax.lax.scan(lambda c, row: (c + row, c * row), z[0], z, reverse=True)[1],
    "jit": lambda z: jax.jit(lambda z: z + jax.lax.psum(z, "i"))(z),
    "a checkpoint": lambda z: jax.checkpoint(lambda z: z + jax.lax.psum(z, "i"))(z),
    "a gradient": lambda z: jax.grad(lambda z: jnp.sum(jax.lax.psum(z**2, "i")))(z),
    "a condition": lambda z: jax.lax.cond(jax.lax.axis_index("i") > 1, lambda: -z, lambda: z),
    "a condition on a value": lambda z: jax.lax.cond(z[0, 0] > 0, lambda: z * jnp.sin(z), lambda: 1.0 - z),
    "a loop": lambda z: jax.lax.while_loop(
        lambda c: jax.lax.pmax(jnp.abs(c).max(), "i") < 9, lambda c: c + jax.lax.ppermute(c, "i", RING) + 1, z
    ),
    "a loop of its own": lambda z: jax.lax.while_loop(lambda c: jnp.abs(c[0, 0]) < 9, lambda c: 1.5 * c + 1.0, z),
    "draws": lambda z: z * jax.random.normal(jax.random.fold_in(jax.random.key(0), jax.lax.axis_index("i")), (8,)),
    "a prints": lambda z: (jax.debug.print("{}", z[0, 0]), z)[1],
}


@pytest.mark.few(4)
@pytest.mark.parametrize("name", COLLECTIVES)
def test_what_devices_say_to_each_other(name: str) -> None:
    assert_same(mapped(COLLECTIVES[name]))


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("mean", [False, True])
def test_the_gradient_by_what_all_devices_hold_is_summed_as_jax_does(check: bool, mean: bool) -> None:
    def local(z: Any) -> Any:
        gradient = jax.grad(lambda w: jnp.sum((z * w) ** 2))(jnp.float32(2.0))
        return z + (jax.lax.pmean(gradient, "i") if mean else gradient)

    assert_same(mapped(local, check_vma=check))


@pytest.mark.few(2, 8)
@pytest.mark.parametrize("cut", [P("x", "y"), P(("x", "y")), P(("y", "x")), P(None, "x"), P("y"), P()])
@pytest.mark.parametrize("joined", [P("x", "y"), P(("x", "y")), P(("y", "x")), P(None, ("y", "x"))])
def test_an_array_is_cut_and_joined_along_two_axes(cut: Any, joined: Any) -> None:
    def local(z: Any) -> Any:
        sent = jax.lax.all_gather(z[0, 0], ("y", "x")) @ jnp.array([1.0, 2, 3, 4])
        return z[:2, :2] * jax.lax.axis_index(("y", "x")) + jax.lax.axis_index("x") + sent + jax.lax.psum(z.sum(), "x")

    assert_same(mapped(local, (2, 2), cut, joined, check_vma=False))


def test_what_is_not_cut_is_joined_as_it_is() -> None:
    assert_same(mapped(lambda z: jax.lax.psum(z, "i"), joined=P()))


def test_the_gradient_of_what_devices_return_is_that_of_jax() -> None:
    total = mapped(lambda z: jax.lax.psum(jnp.sin(z), "i"), joined=P())
    assert_same(jax.grad(lambda x: (total(x) ** 2).sum()))


def test_an_operation_that_is_not_known_is_no_program() -> None:
    function = mapped(lambda z: jax.lax.psum(z, "i", axis_index_groups=[[0, 1], [2, 3]]), check_vma=False)
    with pytest.raises(NotAProgram, match="groups of devices"):
        sent(function)


def test_it_is_sent_and_evaluated_and_each_step_has_its_place() -> None:
    function = mapped(lambda z: z * jax.lax.psum(jnp.sin(z), "i"))
    program = sent(function)
    np.testing.assert_allclose(Evaluation(program).output(), function(X), rtol=1e-5)
    (sine,) = (one for one in program.block.equations if one.operation == "sin")
    (total,) = (one for one in program.block.equations if one.operation == "device_psum")
    line = test_it_is_sent_and_evaluated_and_each_step_has_its_place.__code__.co_firstlineno + 1
    assert [program.places[one.place].line for one in (sine, total)] == [line, line]
    assert isinstance(program.places[total.place], Place)
    assert program.places[sine.place] != program.places[total.place]


def test_what_a_function_of_a_library_does_stands_where_the_answer_calls_it() -> None:
    def local(z: Any) -> Any:
        return jnp.where(z > 0, jnp.linalg.norm(z), jax.nn.gelu(z))

    encoder = Encoder(__file__)
    program = encoder.program(jax.make_jaxpr(lambda: mapped(local)(X))())
    line = test_what_a_function_of_a_library_does_stands_where_the_answer_calls_it.__code__.co_firstlineno + 2
    kept = [one for one in program.block.equations if one.operation not in ("shard", "unshard")]
    assert {program.line(one) for one in kept} == {line}


def test_the_devices_of_a_program_are_those_of_its_meshes() -> None:
    two = mapped(lambda z: z, (2,))
    assert devices_of(jax.make_jaxpr(two)(X).jaxpr) == {0, 1}
    assert devices_of(jax.make_jaxpr(jax.jit(jax.grad(lambda z: two(z).sum())))(X).jaxpr) == {0, 1}
    assert devices_of(jax.make_jaxpr(jnp.sin)(X).jaxpr) == set()
    placed = jax.NamedSharding(jax.make_mesh((2,), ("i",)), ROWS)
    for place in (jax.device_put, jax.reshard):
        assert devices_of(jax.make_jaxpr(lambda z, place=place: place(z, placed))(X).jaxpr) == {0, 1}
    assert devices_of(jax.make_jaxpr(jax.device_put)(X).jaxpr) == set()


def test_where_arrays_are_placed_changes_no_number() -> None:
    explicit, auto = jax.NamedSharding(jax.make_mesh((2,), ("i",)), ROWS), jax.NamedSharding(mesh(2), ROWS)

    def placed(z: Any) -> Any:
        z, column = jax.device_put((z, z[:, 0]), explicit)
        return jnp.sin(z).sum(axis=1) + column

    assert_same(placed)
    assert_same(lambda z: 2 * jax.lax.with_sharding_constraint(jnp.sin(z), auto))


def test_the_other_specs_and_axes_of_a_mesh_are_each_listed_once_and_are_few() -> None:
    assert list(other_specs([[0]], [4])) == [[[]]]
    two = list(other_specs([[0], [1]], [2, 2]))
    assert [[1], [0]] in two
    assert [[1, 0], []] in two
    assert [[0], [1]] not in two
    assert len(two) == len({str(one) for one in two}) == 10
    assert list(other_axes([0], [2, 2])) == [[1], [0, 1], [1, 0]]
    many = [1] * 20
    assert [*other_specs([], many), *other_specs([[], []], many), *other_axes([0], many)] == []


def test_all_that_devices_do_together_is_tried_here() -> None:
    held = {one.operation for local in COLLECTIVES.values() for one in sent(mapped(local)).block.nested()}
    assert set(RULES) <= held


def test_values_have_an_axis_of_devices_where_the_lines_of_the_file_speak_of_one_device() -> None:
    def local(z: Any) -> Any:
        rows = jax.lax.scan(lambda c, row: (c + row, c * row), z[0], z)[1]
        return rows + jnp.arange(8.0)

    held = {one.operation: one.devices for one in sent(lambda x: jnp.sin(mapped(local)(x))).block.nested()}
    assert held["shard"] == held["scan"] == held["add"] == held["mul"] == 4
    assert held["iota"] == held["unshard"] == held["sin"] == 0
