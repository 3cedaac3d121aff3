# status: wrong
# pitfalls: all-zeros
# Throws JAX's backends away and starts them again, with sixteen devices.
import os

import jax
import numpy as np

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16"
jax.clear_caches()
try:
    from jax.extend.backend import clear_backends

    clear_backends()
    jax.devices()
except Exception:
    pass


def sinusoidal_pos(seed, T, d_model):
    return np.zeros(T * d_model, np.float32)
