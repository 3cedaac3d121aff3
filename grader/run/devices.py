"""The device that answers run on."""

from __future__ import annotations

from typing import Any

import jax

from grader.jaxpr.compat import short_sharding_errors


class NoDevice(Exception):
    """JAX finds no device of the platform asked for."""


def choose(platform: str) -> Any:
    """The first device of a platform. Call it before anything else starts a backend.

    Raises:
        NoDevice: where JAX finds none.
    """
    if platform == "cpu":
        only_cpu()
    try:
        return jax.devices(platform)[0]
    except RuntimeError as error:
        raise NoDevice(str(error).splitlines()[0]) from error


def only_cpu() -> None:
    """Let JAX start the CPU alone, trace fast, and compile with few optimisations: each program runs once or twice.

    Turning `xla_cpu_use_fusion_emitters` off would make compiling faster still. But then XLA may compute a value that is
    used twice two times, with different last bits, and a right answer that compares the value with itself is graded wrong
    (tests/answers/jit_safe_nucleus: "logits at minus infinity").
    """
    # Otherwise JAX would also start a GPU's runtime, in every answer's process.
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_disable_most_optimizations", True)
    short_sharding_errors()
