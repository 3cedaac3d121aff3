"""Programs that run on different devices are compiled together all the same."""

from __future__ import annotations

import jax

from grader.jaxpr.lower import lower
from tests.jaxpr.test_shard_map import X, mapped


def test_each_program_gives_its_output_on_whichever_devices_it_runs() -> None:
    double = [mapped(lambda z: 2 * z, (devices,)) for devices in (1, 2, 4, 2)]
    programs = [jax.make_jaxpr(lambda one=one: one(X))() for one in double]
    outputs = lower([*programs, jax.make_jaxpr(lambda: 3 * X)()]).compile()()
    assert [bool((one == factor * X).all()) for one, factor in zip(outputs, (2, 2, 2, 2, 3), strict=True)] == [True] * 5
