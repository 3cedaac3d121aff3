"""Tests of `grader/run/`."""
