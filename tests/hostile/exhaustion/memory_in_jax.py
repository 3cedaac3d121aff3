# status: memory
# says: more than
# Takes memory in arrays of JAX's, when the file is loaded.
import jax.numpy as jnp

kept = []
while True:
    kept.append(jnp.ones(1 << 24).block_until_ready())
