"""Programs of answers and references as plain data, and their evaluation. Nothing here imports JAX."""
