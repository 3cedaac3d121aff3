"""Tests of what notebooks call."""
