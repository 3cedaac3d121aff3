"""The user's own folders, outside of every kit: what is executable, and what the user has said, is kept there."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path

from grader.kit.files import private_folder

NAME = "grader"


def cache() -> Path:
    """The folder of what can be made again, such as the scripts and figures of pages.

    Raises:
        OSError: where there is none that only this user can write.
    """
    import platformdirs  # when it is needed: most commands keep nothing here

    return _own(platformdirs.user_cache_path(NAME, appauthor=False))


def state() -> Path:
    """The folder of what the user has said, such as which stubs are their own.

    Raises:
        OSError: where there is none that only this user can write.
    """
    import platformdirs

    return _own(platformdirs.user_state_path(NAME, appauthor=False))


def of_kit(root: Path) -> Path:
    """The folder of what is kept of one kit.

    Raises:
        OSError: as `state`.
    """
    return state() / "kits" / hashlib.sha256(os.fsencode(root)).hexdigest()[:32]


def _own(folder: Path) -> Path:
    if not folder.is_absolute():
        raise OSError(errno.EINVAL, "it depends on the current folder", str(folder))
    private_folder(folder)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.ENOTDIR, "it is a link, or a file, and no folder", str(folder))
    shared = os.name == "posix" and (status.st_uid != os.geteuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
    if shared:
        raise OSError(errno.EPERM, "another user can write it", str(folder))
    return folder
