"""Programs that run on different devices are compiled together all the same."""

from __future__ import annotations

import jax
import pytest

from grader.jaxpr import compat
from grader.jaxpr import lower as lowering
from grader.jaxpr.lower import get_ready, lower
from grader.run.protocol import WIDE_DRAWS
from tests.jaxpr.test_shard_map import X, mapped


def test_each_program_gives_its_output_on_whichever_devices_it_runs() -> None:
    double = [mapped(lambda z: 2 * z, (devices,)) for devices in (1, 2, 4, 2)]
    programs = [jax.make_jaxpr(lambda one=one: one(X))() for one in double]
    outputs = lower([*programs, jax.make_jaxpr(lambda: 3 * X)()]).outputs()
    assert [bool((one == factor * X).all()) for one, factor in zip(outputs, (2, 2, 2, 2, 3), strict=True)] == [True] * 5


def test_a_version_of_jax_without_an_option_compiles_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat, "QUICK_OPTIONS", {"xla_of_no_version": True})
    assert int(lower([jax.make_jaxpr(lambda: 3 * X)()]).outputs()[0].sum()) == int((3 * X).sum())


def test_another_fault_of_the_compiler_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat, "QUICK_OPTIONS", {"xla_cpu_parallel_codegen_split_count": "many"})
    with pytest.raises(jax.errors.JaxRuntimeError, match="split_count"):
        lower([jax.make_jaxpr(lambda: 3 * X)()]).compile()


@pytest.mark.parametrize("name", WIDE_DRAWS)
def test_what_is_got_ready_is_compiled_once(name: str) -> None:
    get_ready(name)
    wide = lowering._compiled.cache_info().misses  # pyright: ignore[reportPrivateUsage]
    get_ready(name)
    assert lowering._compiled.cache_info().misses == wide  # pyright: ignore[reportPrivateUsage]
    assert name in lowering._DRAWS  # pyright: ignore[reportPrivateUsage]
