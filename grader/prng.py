"""PRNG keys among arrays."""

from __future__ import annotations

from typing import Any

import jax


def is_key(value: Any) -> bool:
    """Whether an array or an abstract value holds PRNG keys."""
    return bool(jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key))
