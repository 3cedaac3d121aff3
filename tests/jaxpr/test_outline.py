"""What is asked of a program: its operations, its sizes and its length, with the line that breaks it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import PartitionSpec as P

from grader.jaxpr.outline import acting, outline
from grader.marking import requirements
from grader.marking.facts import ProgramRequirements
from grader.marking.requirements import FACTOR, GROWS, HOLDS, LACKS, LARGE, Violation
from grader.program.analysis import outline as of_program
from grader.run.answer.tracing import CaseTrace, encoded
from grader.values.outline import EVALUATED

X = jnp.arange(6.0)


def by_scan(n: int) -> jax.Array:
    return jax.lax.scan(lambda total, one: (total + one, total), 0.0, jnp.ones(n))[1]


def by_while(n: int) -> jax.Array:
    return jax.lax.while_loop(lambda one: one[0] < n, lambda one: (one[0] + 1, one[1] * 2.0), (0, jnp.ones(3)))[1]


def by_hand(n: int) -> jax.Array:
    total = jnp.zeros(())
    for one in range(n):
        total = total + jnp.sin(1.0 * one + total)
    return total


def by_tree(n: int) -> jax.Array:
    return jax.lax.associative_scan(jnp.add, jnp.ones(n))


def made(function: Callable[..., Any], *sizes: int) -> Any:
    return jax.make_jaxpr(lambda: function(*sizes))()


def violation(programs: Sequence[Any], wanted: ProgramRequirements, filename: str) -> Violation | None:
    """The violation that is found; where the programs can be sent, the same is found in what is sent."""
    found = requirements.violation([outline(one, filename) for one in programs], wanted)
    sent = encoded([CaseTrace(one, None) for one in programs], filename)
    if sent is not None and EVALUATED.issuperset((*wanted.needs, *wanted.forbids)):
        again = requirements.violation([of_program(one) for one in sent], wanted)
        assert (again and replace(again, lengths=(0, 0))) == (found and replace(found, lengths=(0, 0)))
    return found


EXAMPLES: dict[str, Callable[[], Any]] = {
    "scan": lambda: by_scan(3),
    "while": lambda: by_while(3),
    "remat": lambda: jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)).sum()))(X),
}
"""A function that holds a primitive of the family, in whichever version of JAX is installed."""


@pytest.mark.parametrize("family", EXAMPLES)
def test_a_family_has_the_name_that_this_version_of_jax_uses(family: str) -> None:
    program = jax.make_jaxpr(EXAMPLES[family])()
    assert violation([program], ProgramRequirements(needs=(family,)), __file__) is None
    found = violation([program], ProgramRequirements(forbids=(family,)), __file__)
    assert found is not None
    assert (found.kind, found.family) == (HOLDS, family)
    assert violation([jax.make_jaxpr(lambda: X + 1.0)()], ProgramRequirements(needs=(family,)), __file__) == Violation(
        LACKS, family
    )


def test_a_loop_of_a_known_length_is_a_scan() -> None:
    program = jax.make_jaxpr(lambda: jax.lax.fori_loop(0, 5, lambda i, x: x * 2.0, X))()
    assert violation([program], ProgramRequirements(needs=("scan",), forbids=("while",)), __file__) is None


def test_what_is_forbidden_is_told_with_its_line_and_what_is_needed_must_be_in_every_case() -> None:
    found = violation([made(by_scan, 3), made(by_while, 3)], ProgramRequirements(forbids=("while",)), __file__)
    lines, start = inspect.getsourcelines(by_while)
    assert found is not None
    assert (found.kind, found.family) == (HOLDS, "while")
    assert start <= found.line < start + len(lines)
    assert violation([made(by_scan, 3), made(by_hand, 3)], ProgramRequirements(needs=("scan",)), __file__) == Violation(
        LACKS, "scan", case=1
    )


def test_a_loop_of_one_round_and_what_one_device_sends_to_itself_do_nothing() -> None:
    def sent(devices: int) -> jax.Array:
        mesh = jax.make_mesh((devices,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
        ring = [(device, (device + 1) % devices) for device in range(devices)]

        def hop(x: jax.Array) -> jax.Array:
            return jax.lax.psum(jax.lax.ppermute(x, "i", ring), "i")

        return jax.jit(jax.shard_map(hop, mesh=mesh, in_specs=P("i"), out_specs=P()))(jnp.ones(4))

    assert [acting(made(by_scan, n)) for n in (1, 2)] == [set(), {"scan"}]
    assert acting(made(by_while, 1)) == {"while"}
    assert [acting(made(sent, n)) for n in (1, 2)] == [set(), {"shard_map", "psum", "ppermute"}]


def test_the_largest_value_is_told_with_its_shape_its_line_and_its_case() -> None:
    def table(n: int) -> jax.Array:
        x = jnp.arange(1.0 * n)
        return (x[:, None] * x[None, :]).sum(axis=1)

    programs = [made(table, 2), made(table, 9)]
    assert violation(programs, ProgramRequirements(largest=(4, 81)), __file__) is None
    found = violation(programs, ProgramRequirements(largest=(4, 80)), __file__)
    lines, start = inspect.getsourcelines(table)
    assert found is not None
    assert (found.kind, found.shape, found.case) == (LARGE, (9, 9), 1)
    assert found.line == start + next(at for at, line in enumerate(lines) if "None" in line)


def test_a_value_inside_a_loop_and_a_constant_count_too() -> None:
    inside = jax.make_jaxpr(lambda: jax.lax.map(lambda x: (jnp.ones((7, 7)) * x).sum(), X))()
    assert getattr(violation([inside], ProgramRequirements(largest=(40,)), __file__), "shape", None) == (7, 7)
    table = np.ones((8, 8), np.float32)
    constant = jax.make_jaxpr(lambda: (jnp.asarray(table) * 2.0)[0])()
    assert getattr(violation([constant], ProgramRequirements(largest=(60,)), __file__), "shape", None) == (8, 8)


@pytest.mark.parametrize(
    ("function", "grows", "due"),
    [
        (by_scan, "no", True),
        (by_hand, "no", False),
        (by_hand, "log", False),
        (by_tree, "log", True),
        (by_hand, "", True),
    ],
)
def test_a_trace_that_grows_with_a_size_is_told_with_both_lengths(
    function: Callable[[int], Any], grows: str, due: bool
) -> None:
    for size in (9, 40):
        programs = made(function, FACTOR * size), made(function, size)
        found = violation(programs, ProgramRequirements(grows=grows, size="n", pair=(1, 0)), __file__)
        assert (found is None) == due
        if found is not None:
            large, small = (outline(one, __file__).length for one in programs)
            assert (found.kind, found.lengths) == (GROWS, (small, large))


def test_where_jax_computes_nothing_nothing_is_large_and_every_operation_is_missing() -> None:
    assert outline(None, __file__).length == 0
    assert requirements.violation([outline(None, __file__)], ProgramRequirements(largest=(1,))) is None
    lacks = requirements.violation([outline(None, __file__)], ProgramRequirements(needs=("scan",)))
    assert lacks == Violation(LACKS, "scan")
