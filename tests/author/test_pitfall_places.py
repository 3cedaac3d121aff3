"""The worked answer with a mistake is searched as a wrong answer is."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.author.reference_checks import examine_places
from grader.kit.kit import Kit
from grader.oracle.server import load
from tests.conftest import ROOT

WORKED = """import jax.numpy as jnp

from grader import Problem


def wave(seed, T):
    t = jnp.arange(T, dtype=jnp.float32)
    angle = t / 2.0
    #: other-rate: 2.0 -> 3.0
    values = jnp.sin(angle)
    return values
    #: one-short: values -> values[:-1]


problem = Problem(cases=[(0, 3), (0, 8)])
"""
WORDS = "## other-rate\n\nThe rate is 3.\n\n> Which rate?\n\n## one-short\n\nOne is missing.\n\n> How many?\n"


def examined(file: Path) -> dict[str, list[int]]:
    return {one["pitfall"]: one["lines"] for one in examine_places(load(file), str(file))["places"]}


def test_a_pitfall_is_found_on_its_line_and_one_of_another_length_is_not(tmp_path: Path) -> None:
    file = tmp_path / "wave" / "answer.py"
    file.parent.mkdir()
    file.write_text(WORKED)
    file.with_name("mistakes.md").write_text(WORDS)
    assert examined(file) == {"other-rate": [8], "one-short": []}


@pytest.mark.nightly
@pytest.mark.slow
def test_under_a_derivative_the_value_is_searched_first() -> None:
    file = Kit(ROOT).answer("grad_masked_entropy")
    found, lines = examined(file), file.read_text().splitlines()
    assert found["gradient-stopped"] == []  # the value is right
    placed = [number for numbers in found.values() for number in numbers]
    assert len(placed) >= len(found) - 1
    assert all(lines[number - 1].strip() for number in placed)
