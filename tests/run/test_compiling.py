"""Programs that run once: the options that make them quick to compile are XLA's own, and none is needed."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grader.run import compiling


def test_the_compiler_knows_every_option() -> None:
    assert jax.jit(lambda: jnp.ones(3), compiler_options=dict(compiling.QUICK))().sum() == 3


def test_a_compiler_that_has_dropped_an_option_compiles_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "QUICK", {"xla_cpu_dropped_long_ago": True})
    assert np.array_equal(compiling.once(lambda x: x + 1)(np.arange(3)), [1, 2, 3])


def test_what_else_goes_wrong_is_raised() -> None:
    def fails(_: object) -> None:
        raise RuntimeError("in the answer")

    with pytest.raises(jax.errors.JaxRuntimeError, match="in the answer"):
        compiling.once(lambda x: jax.pure_callback(fails, jax.ShapeDtypeStruct((), jnp.float32), x))(1.0)
