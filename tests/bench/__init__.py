"""Measurements: `python -m tests.bench` (speed), and beside it `.crowd`, `.early`, `.memory`, `.named`, `.notebook`, `.warm`."""
