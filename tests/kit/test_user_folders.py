"""The user's own folders are made for this user alone, and are used only if nobody else can write them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.kit import state


@pytest.mark.parametrize("name", ["cache", "state"])
def test_a_folder_is_made_private(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / "new" / "base"))
    made: Path = getattr(state, f"{name}_folder")()
    assert made == tmp_path / "new" / "base" / "grader"
    assert made.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "grader").mkdir(mode=0o700)
    os.chown(tmp_path / "grader", 12345, -1)
    with pytest.raises(OSError, match="another user can write it"):
        state.cache_folder()
