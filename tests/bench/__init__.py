"""Measurements: `python -m tests.bench` (speed), and `.crowd`, `.early`, `.memory`, `.named`, `.notebook`, `.warm`."""
