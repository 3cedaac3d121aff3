"""Tests of the fronts that speak with other programs."""
