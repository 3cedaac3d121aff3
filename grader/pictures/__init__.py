"""What is drawn of an array: which case, which values, on which scale; and the same as Vega-Lite. NumPy only, never JAX."""
