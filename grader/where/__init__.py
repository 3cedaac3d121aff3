"""Where in its own program a wrong answer goes wrong. NumPy only, never JAX."""
