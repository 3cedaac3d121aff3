"""What `python -m tests.bench.memory` measures and prints."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.bench.memory import BAR, peak, resident, row

HELD = 64 << 20


def test_the_peak_of_a_process_does_not_hold_that_of_its_children(tmp_path: Path) -> None:
    hold = f"held = b'1' * {HELD}; import time; time.sleep(0.1)"
    alone = peak(tmp_path, "-c", hold, statuses=(0,))
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hold!r}])"
    assert alone > HELD
    assert peak(tmp_path, "-c", child, statuses=(0,)) < alone - HELD / 2


def test_a_process_that_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="status 3"):
        peak(tmp_path, "-c", "raise SystemExit(3)", statuses=(0,))


def test_this_process_has_some_memory() -> None:
    assert resident(os.getpid()) > 1 << 20


def test_a_row_marks_a_missed_bar() -> None:
    assert row("rope", 45 << 20).split() == ["rope", "45.0", "MiB"]
    assert row("rope", BAR + 1).endswith("!")
