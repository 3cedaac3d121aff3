# status: wrong
# pitfalls: all-equal
# What a trace computes is replaced by zeros of the same shape, whatever the answer does.
import jax
import jax.numpy as jnp
from jax.extend import core

core.jaxpr_as_fun = lambda program: lambda *args: [jnp.zeros(v.aval.shape, v.aval.dtype) for v in program.jaxpr.outvars]


def sinusoidal_pos(seed, T, d_model):
    return jnp.ones(T * d_model) * 0.5
