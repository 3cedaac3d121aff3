"""The page in a Jupyter hub: what `jupyter-server-proxy` starts for a user who opens its tile.

The hub asks for the login. The page listens on a Unix socket in a folder of that user, to which nobody else can connect.
"""

from __future__ import annotations

import os
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

from grader.__main__ import main as grader
from grader.kit.kit import KitError, find

FOLDER = "jax-lessons"
"""Where a kit is made for a user who has none."""
SECONDS_TO_START = 60.0


def server() -> dict[str, Any]:
    """How the page is started, and its tile: the entry point `jupyter_serverproxy_servers` of this package."""
    return {
        "command": [sys.executable, "-m", "grader.serve.hub", "{unix_socket}"],
        "unix_socket": True,
        "timeout": SECONDS_TO_START,
        "launcher_entry": {"title": "JAX lessons", "icon_path": str(files("grader.serve") / "assets" / "icon.svg")},
    }


def main() -> None:
    """Serve the kit of this folder, else that in the user's own `jax-lessons`, which is made the first time."""
    folder: list[str] = []
    try:
        if not os.environ.get("GRADER_KIT"):  # where that names no kit, `serve` says so
            find(None)
    except KitError:
        from grader.kit.shipped_kit import copy_kit

        kit = Path.home() / FOLDER
        if not (kit / "problems").is_dir():
            copy_kit(kit)
        folder = ["--kit", str(kit)]
    sys.argv[1:] = ["serve", "--socket", sys.argv[1], *folder]
    grader()


if __name__ == "__main__":
    main()
