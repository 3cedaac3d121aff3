"""Measurements of speed and memory: `python -m tests.bench`, `python -m tests.bench.crowd`."""
