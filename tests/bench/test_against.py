"""The bench of two checkouts: what is added is a part of the floor, and both grade the same problem in turn."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bench import against
from tests.bench.against import Checkout, added
from tests.conftest import FLAGSHIP, ROOT, worked_answer


def test_what_a_checkout_adds_is_a_part_of_the_floor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran: list[str] = []

    def timed(folder: Path, *command: str, statuses: Sequence[int], **environment: str) -> float:
        where = environment.get("PYTHONPATH", "floor")
        ran.append(os.path.basename(where))
        return {"floor": 2.0, str(ROOT): 2.5}.get(where, 2.25)

    monkeypatch.setattr(against, "timed", timed)
    monkeypatch.setattr("tests.bench.processes.timed", timed)
    here, other = Checkout(ROOT, tmp_path / "here"), Checkout(ROOT, tmp_path / "other")
    other.checkout = tmp_path
    assert added(FLAGSHIP, here, other, tmp_path, rounds=3) == (2.0, [0.125] * 3)
    assert ran == [ROOT.name, tmp_path.name, *["floor"] * 3, *[ROOT.name, tmp_path.name] * 3]
    for one in (here, other):
        assert one.kit.stub(FLAGSHIP).read_text() == worked_answer(one.kit, FLAGSHIP)
