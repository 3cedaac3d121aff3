"""Every worked answer can be lowered for every platform of JAX. This needs no accelerator."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from grader.jaxpr.compat import devices_of
from grader.oracle.server import load
from grader.run.answer import process
from tests.conftest import closely, worked_answer
from tests.test_problems import KIT, NAMES

PLATFORMS = ("cpu", "cuda", "tpu")


def lowered_for(function: Any, cases: Any) -> tuple[str, ...]:
    """Lower the calls on cases, as one program, for all platforms. Returns the platforms of the program."""
    exported = jax.export.export(jax.jit(lambda: [function(*case) for case in cases]), platforms=PLATFORMS)()
    assert [aval.shape for aval in exported.out_avals]
    return exported.platforms


@pytest.mark.parametrize("name", closely(NAMES))
def test_a_worked_answer_lowers_for_every_platform(name: str) -> None:
    problem = load(KIT.answer(name))
    function = process.load(worked_answer(KIT, name), f"{name}.py", name, problem.parameters)
    meshes: dict[frozenset[int], list[Any]] = {}
    for case in problem.cases:  # a program runs on one set of devices
        used = devices_of(jax.make_jaxpr(lambda case=case: function(*case))().jaxpr)
        meshes.setdefault(used - {0}, []).append(case)
    assert all(lowered_for(function, cases) == PLATFORMS for cases in meshes.values())


def test_a_program_that_does_not_lower_for_a_platform_fails_this_check() -> None:
    from jax.experimental import pallas

    def doubled(x: Any) -> Any:
        def kernel(given: Any, result: Any) -> None:
            result[...] = given[...] * 2

        return pallas.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((8,), "float32"))(x)

    with pytest.raises(ValueError, match="interpret mode"):
        lowered_for(doubled, [(jax.numpy.ones(8),)])
