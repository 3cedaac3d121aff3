# status: wrong
# pitfalls: all-equal
# tiers: A B
# Has JAX keep its compiled programs in a folder.
import jax
import jax.numpy as jnp

jax.config.update("jax_compilation_cache_dir", "@OUTSIDE@/cache")
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


def sinusoidal_pos(seed, T, d_model):
    return jnp.zeros(T * d_model) + 0.25
