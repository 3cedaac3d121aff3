"""Measurements: `python -m tests.bench` (speed); `.crowd`, `.early`, `.memory`, `.named`, `.notebook` and `.warm` beside it."""
