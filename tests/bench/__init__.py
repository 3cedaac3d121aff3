"""Measurements: `python -m tests.bench` (speed), and `.crowd`, `.memory` and `.named` after it."""
