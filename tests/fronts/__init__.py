"""Tests of the fronts that speak with other programs."""

from tests.conftest import SAMPLE

TWELVE = (*SAMPLE, "rope", "layer_norm", "alibi_bias", "swiglu_block", "first_grad", "causal_attention")
"""Lessons of every kind, on which both fronts are compared with `check --json`."""
