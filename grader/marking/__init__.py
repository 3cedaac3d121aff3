"""Values to a verdict: what is compared, which mistake is named, what is said. NumPy only, never JAX."""
