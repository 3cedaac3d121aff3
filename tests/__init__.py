"""Tests mirror the modules of `grader/`; `cli/` runs the real command, `answers/` holds answers as people write them."""
