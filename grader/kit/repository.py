"""Asks git about the repository that a folder is in, so that nothing its configuration says is run."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_SETTINGS = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.sshCommand=false",
    "log.showSignature=false",
    "gpg.program=false",
)
SECONDS_FOR_GIT = 30.0
"""The most seconds that git may take."""


def ask_git(folder: Path, *arguments: str) -> str | None:
    """What a command of git prints in a folder; None where there is no git or no repository, or the command fails.

    Somebody else may have written the configuration of the repository. So the command should only read. It gets a bare
    environment, no protocol, no hook, no monitor of files and no signature. Only repositories of this user count.
    """
    settings = [word for setting in _SETTINGS for word in ("-c", setting)]
    environment = {**_ENVIRONMENT, "PATH": os.environ.get("PATH", os.defpath)}
    command = ["git", "--no-pager", *settings, *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=SECONDS_FOR_GIT,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")


def committed(folder: Path, path: str, commit: str = "HEAD") -> str | None:
    """The text of a file in a commit; None if it is not known. The path is relative to the folder."""
    return ask_git(folder, "cat-file", "blob", f"{commit}:./{path}")


def committed_versions(folder: Path, path: str, most: int = 50) -> Iterator[str]:
    """The texts of a file at the last commits that changed it, the newest first."""
    for commit in (ask_git(folder, "rev-list", f"-n{most}", "HEAD", "--", path) or "").split():
        if (text := committed(folder, path, commit)) is not None:
            yield text
