"""The device that answers run on."""

from __future__ import annotations

from typing import Any

import jax

PLATFORMS = ("cpu", "gpu", "tpu")


class NoDevice(Exception):
    """The device asked for is not there."""


def choose(platform: str) -> Any:
    """The first device of a platform, before anything else has started a backend.

    Raises:
        NoDevice: where JAX finds none.
    """
    if platform == "cpu":
        # Without this, JAX would also start a GPU's runtime, in every answer's process.
        jax.config.update("jax_platforms", "cpu")
        # What runs as written is compiled operation by operation, each run once or twice.
        jax.config.update("jax_disable_most_optimizations", True)
    try:
        return jax.devices(platform)[0]
    except RuntimeError as error:
        raise NoDevice(str(error).splitlines()[0]) from error
