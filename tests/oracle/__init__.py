"""Tests of `grader/oracle/`."""
