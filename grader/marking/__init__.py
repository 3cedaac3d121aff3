"""Marking: from an answer's values to a verdict. NumPy only, never JAX."""
