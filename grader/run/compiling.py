"""Programs that run once: on a CPU, compiled in the least time rather than for the fastest run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax

QUICK: Mapping[str, int | bool] = {
    "xla_backend_optimization_level": 0,  # LLVM's optimisations take longer than they save
    "xla_cpu_use_fusion_emitters": False,  # the older way to emit a fusion takes half the time
}
"""Options of XLA's compiler for CPUs (`compiler_options` of `jax.jit`). XLA may drop one: then none is used."""


def once(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, jit-compiled; of jax's default device, so inside `jax.default_device` where it is another's."""
    plain = jax.jit(function)
    if jax.default_backend() != "cpu":
        return plain
    quick = jax.jit(function, compiler_options=dict(QUICK))

    def call(*arguments: Any) -> Any:
        try:
            return quick(*arguments)
        except jax.errors.JaxRuntimeError as error:
            if "No such compile option" not in str(error):
                raise
        return plain(*arguments)

    return call
