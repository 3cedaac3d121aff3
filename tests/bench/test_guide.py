"""The guides show no figure that a bench did not write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.guide import BLOCK, GUIDES, digest, put

GUIDE = "Before.\n<!-- figures: python -m one, 0 -->\n```text\nold\n```\n<!-- end -->\nAfter.\n"


def test_a_block_holds_what_its_command_printed() -> None:
    made = put(GUIDE, "python -m one", "new 1.00\n")
    (found,) = BLOCK.finditer(made)
    assert found["text"] == "new 1.00\n"
    assert made.startswith("Before.\n")
    assert made.endswith("\nAfter.\n")


def test_a_command_without_a_block_is_refused() -> None:
    with pytest.raises(ValueError, match="no block for the figures of python -m two"):
        put(GUIDE, "python -m two", "new\n")


@pytest.mark.parametrize("path", sorted(GUIDES.glob("speed*.md")), ids=lambda path: path.name)
def test_no_figure_of_speed_was_changed_by_hand(path: Path) -> None:
    guide = path.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(guide))
    assert [one["digest"] for one in blocks] == [digest(one["of"], one["text"]) for one in blocks]
    assert guide.count("```text\n") == len(blocks) > 0
