"""Tests of `grader/report/`."""
