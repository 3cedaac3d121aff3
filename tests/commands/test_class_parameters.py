"""What the commands on a class share: a kit that may be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.classroom.commands.gradebook import near_kit
from grader.kit.kit import KitError
from tests.author import toys


def test_a_kit_may_be_missing_but_not_where_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert near_kit(None) is None
    with pytest.raises(KitError, match="nowhere"):
        near_kit(tmp_path / "nowhere")
    kit = toys.make(tmp_path / "kit")
    found = near_kit(kit)
    assert found is not None
    assert found.root == kit
