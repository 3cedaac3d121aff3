"""The program of an answer as plain data, and its evaluation in NumPy. Nothing here imports JAX."""
