"""PRNG keys among arrays."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np


def is_key(value: Any) -> bool:
    """Whether an array or an abstract value holds PRNG keys."""
    return not isinstance(value.dtype, np.dtype) and bool(jnp.issubdtype(value.dtype, jax.dtypes.prng_key))
