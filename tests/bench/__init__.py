"""Measurements: `python -m tests.bench` (speed), and `.crowd`, `.memory`, `.named` and `.notebook` after it."""
