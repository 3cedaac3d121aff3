"""Repositories of git for tests: honest ones, and ones whose configuration has git run a program."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.conftest import clean_environment

WHO = {
    f"GIT_{who}_{what}": "t@example.org" if what == "EMAIL" else "t"
    for who in ("AUTHOR", "COMMITTER")
    for what in ("NAME", "EMAIL")
}


def git(folder: Path, *arguments: str, given: str = "") -> str:
    """What a command of git prints in a folder, as anybody runs it."""
    folder.mkdir(exist_ok=True)
    environment = {**clean_environment(), **WHO}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=environment, input=given, capture_output=True, check=True, text=True
    )
    return done.stdout


def signed(folder: Path, marker: Path) -> None:
    """Make a repository whose last commit is signed, and whose configuration has a program look at signatures.

    The program makes the file `marker`.
    """
    program = folder.parent / f"{folder.name}.program"
    program.write_text(f"#!/bin/sh\ntouch {marker}\n")
    program.chmod(0o755)
    git(folder, "init", "-q")
    tree = git(folder, "write-tree").strip()
    plain = git(folder, "cat-file", "commit", git(folder, "commit-tree", tree, "-m", "x").strip())
    head, _, message = plain.partition("\n\n")
    mark = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n eA==\n -----END PGP SIGNATURE-----"
    commit = git(folder, "hash-object", "-t", "commit", "-w", "--stdin", given=f"{head}\n{mark}\n\n{message}").strip()
    git(folder, "update-ref", "HEAD", commit)
    for name, value in (("log.showSignature", "true"), ("gpg.program", str(program))):
        git(folder, "config", name, value)


def partial(folder: Path, marker: Path, blob: str) -> None:
    """Have a repository lack a blob, and fetch what is missing by a command that makes the file `marker`."""
    (folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    settings = {
        "core.repositoryFormatVersion": "1",
        "core.sshCommand": f"touch {marker}; false",
        "extensions.partialClone": "origin",
        "remote.origin.url": "ssh://nowhere.example/kit",
        "remote.origin.promisor": "true",
    }
    for name, value in settings.items():
        git(folder, "config", name, value)


def monitored(folder: Path, marker: Path) -> None:
    """Have a repository ask a program which files changed. The program makes the file `marker`."""
    program = folder.parent / f"{folder.name}.monitor"
    program.write_text(f"#!/bin/sh\ntouch {marker}\n")
    program.chmod(0o755)
    git(folder, "config", "core.fsmonitor", str(program))
