"""What takes long is made once, kept in the kit, and made again when what it is made of changes."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import Kit
from grader.locale.language import speaking
from grader.page.site import Writer
from grader.page.words import spoken
from grader.serve.saved import Saved
from tests.conftest import Command, copy_kit

PROBLEM = "compare_positions"


def figures(kit: Path) -> dict[str, Any]:
    return asyncio.run(Saved(Kit(kit)).figures(PROBLEM, Writer([], spoken())))


@pytest.mark.slow
def test_figures_are_kept_until_their_file_changes(tmp_path: Path) -> None:
    kit = copy_kit(tmp_path, PROBLEM)
    found = figures(kit)
    assert len(found["specs"]) == len(found["figures"]) > 0
    assert "<figure" in found["figures"][0]["html"]
    (kept,) = (kit / ".grader/page").glob("*.json")
    kept.write_text('{"figures": [], "specs": []}')
    assert figures(kit)["figures"] == []
    with (kit / "problems" / PROBLEM / "figure.py").open("a") as file:
        file.write("# changed\n")
    assert figures(kit) == found
    assert len([*(kit / ".grader/page").glob("*.json")]) == 1


@pytest.mark.slow
def test_figures_are_made_again_in_another_language_and_are_english_where_the_lesson_is(tmp_path: Path) -> None:
    kit = copy_kit(tmp_path, PROBLEM)
    assert '-title">Compare two positions<' in figures(kit)["figures"][0]["html"]
    with speaking("es"):
        assert '-title">Comparar dos posiciones<' in figures(kit)["figures"][0]["html"]
        (kit / "problems" / PROBLEM / "README.es.md").unlink()
        assert '-title" lang="en">Compare two positions<' in figures(kit)["figures"][0]["html"]


def test_a_lesson_without_figures_has_none(own_kit: Command) -> None:
    (own_kit.kit / "problems/sinusoidal_pos/figure.py").unlink()
    assert asyncio.run(Saved(Kit(own_kit.kit)).figures("sinusoidal_pos", Writer([], spoken()))) == {
        "figures": [], "specs": [],
    }  # fmt: skip


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    kept = tmp_path / ".grader" / "page" / "vega-0.js"
    kept.parent.mkdir(parents=True)
    kept.symlink_to("/etc/passwd")
    saved = Saved(Kit(tmp_path))
    assert saved._read("vega-0.js") is None
