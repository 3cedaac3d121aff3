"""Programs of JAX as data."""
