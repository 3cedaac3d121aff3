"""Notebooks as answers, from a file to what is printed of it, with all processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_check import HALF, RIGHT
from tests.conftest import FLAGSHIP, Command

SETUP = "%matplotlib inline\n!pip install jax\nimport jax.numpy as jnp"
HEAD = "def sinusoidal_pos(seed, T, d_model):\n"


def saved(path: Path, *cells: str) -> str:
    raw: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": "# Homework"}]
    raw += [{"cell_type": "code", "metadata": {}, "source": cell} for cell in cells]
    path.write_text(json.dumps({"nbformat": 4, "metadata": {}, "cells": raw}))
    return str(path)


@pytest.mark.slow
def test_notebooks_are_graded_and_told_by_cell_and_line(own_kit: Command, tmp_path: Path) -> None:
    table = "table = []\nfor i in range(3):\n    table.append(i)"
    notebooks = [
        saved(tmp_path / "right.ipynb", SETUP, "def broken(:", RIGHT.replace("    ", "\t").replace("\n", "\r\n")),
        saved(tmp_path / "half.ipynb", SETUP, HEAD + "    return 1", "%%time\n" + HALF),
        saved(tmp_path / "loop.ipynb", SETUP, "", table, "?jnp\n" + HEAD + "    return jnp.array(table)"),
        saved(tmp_path / "typo.ipynb", "x = 1", "\n" + HEAD + "    y = (1 +\n    return y"),
        saved(tmp_path / "none.ipynb", SETUP),
    ]
    document = own_kit.json("check", FLAGSHIP, *(part for one in notebooks for part in ("--answer", one)))
    right, half, loop, typo, none = document["verdicts"]
    assert right["status"] == "correct"
    assert half["pitfalls"] == ["half-exponent"]
    (place,) = half["where"]
    (line,) = [number for number, text in enumerate(HALF.splitlines(), 2) if "-pairs" in text]
    assert (place["cell"], place["line"], place["end_line"]) == (3, line, line)
    assert half["insights"][-1]["message"] == "2 cells define sinusoidal_pos: the last, cell 3, counts."
    assert [(one["cell"], one["line"]) for one in loop["raised"]["frames"]] == [(3, 3)]
    assert loop["raised"]["advice"].startswith(
        "`table` is made or changed outside the function, by a `for` loop in cell 2."
    )
    assert [(one["cell"], one["line"]) for one in typo["raised"]["frames"]] == [(2, 3)]
    assert (none["file_status"], "no cell defines sinusoidal_pos" in none["message"]) == ("unreadable", True)


@pytest.mark.slow
def test_a_trace_of_a_notebook_names_cells_and_lines(own_kit: Command, tmp_path: Path) -> None:
    said = own_kit("trace", FLAGSHIP, "--answer", saved(tmp_path / "half.ipynb", SETUP, HALF)).stdout
    (line,) = [number for number, text in enumerate(HALF.splitlines(), 1) if "-pairs" in text]
    assert f" 2:{line} │" in said
