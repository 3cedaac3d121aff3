"""Programs of JAX: as data, compiled, and as far as JAX itself has to evaluate them."""
