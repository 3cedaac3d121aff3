"""Arrays that the tests of pictures draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from grader.marking.verdict import ComparedCase, Pictured

Array = npt.NDArray[Any]
HEATMAP = Pictured("heatmap", ("position", "dim"))
MATRIX = Pictured("matrix", ("position", "dim"))
WAVES = Pictured("waves", ("position", "dim"))
CURVE = Pictured("curve", ("step",))
TOKENS = Pictured("tokens", ("step",))


def compared(due: Array, given: Array | None = None, *axes: str, case: int = 0, arguments: str = "n=1") -> ComparedCase:
    """One case; what differs is wrong."""
    axes = axes or ("position", "dim")
    if given is None:
        return ComparedCase(case, arguments, due.shape, axes, due.reshape(-1), None, None)
    same = (due == given) | (np.isnan(due) & np.isnan(given))
    return ComparedCase(case, arguments, due.shape, axes, due.reshape(-1), given.reshape(-1), ~same.reshape(-1))


def waves(T: int, d_model: int, factor: float = 2.0) -> Array:
    """A table of sines and cosines."""
    dim = np.arange(d_model)
    angle = np.arange(T)[:, None] / 10000 ** (factor * (dim // 2) / d_model)
    return np.where(dim % 2 == 0, np.sin(angle), np.cos(angle))


def hostile() -> Array:
    """Four by eight values, among them all that a float64 can be."""
    table = np.arange(32.0).reshape(4, 8)
    table[1, :6] = [np.nan, np.inf, -np.inf, 1.7e308, -1.7e308, 5e-324]
    return table
