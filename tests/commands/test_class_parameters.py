"""What the commands on a class share: options of grading, and a kit that may be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.commands.class_parameters import grading, near_kit
from grader.kit.kit import KitError
from grader.options import Limits
from tests.author import toys


def test_the_shipped_stubs_are_saved_before_a_class_is_graded(tmp_path: Path) -> None:
    kit = toys.make(tmp_path / "kit")
    options = grading(tmp_path / "week1", kit, "best", "cpu", Limits(20.0), json=True, colour=False)
    assert (options.policy.confine, options.limits.seconds, options.json, options.colour) == ("best", 20.0, True, False)
    assert (options.kit.state / "stubs").exists(), "else any text that looks like a stub would be taken for one"


def test_a_kit_may_be_missing_but_not_where_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert near_kit(None) is None
    with pytest.raises(KitError, match="nowhere"):
        near_kit(tmp_path / "nowhere")
    kit = toys.make(tmp_path / "kit")
    found = near_kit(kit)
    assert found is not None
    assert found.root == kit
