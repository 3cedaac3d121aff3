"""The device that answers run on."""

from __future__ import annotations

from typing import Any

import jax


class NoDevice(Exception):
    """The device asked for is not there."""


def choose(platform: str) -> Any:
    """The first device of a platform, before anything else has started a backend.

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
    """Let JAX start the CPU alone, and compile in the least time: what is compiled here runs once or twice.

    XLA could be told to compile in less time still, by `xla_cpu_use_fusion_emitters`: but without it a value that is used
    twice may be computed twice and differ in its last bit, and a right answer that compares such a value with itself is
    wrong (tests/answers/jit_safe_nucleus: "logits at minus infinity").
    """
    # Otherwise JAX would also start a GPU's runtime, in every answer's process.
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_disable_most_optimizations", True)
