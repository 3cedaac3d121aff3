"""What takes long to make, and is kept for the next run: figures of lessons, the scripts that draw them, names of JAX.

A browser runs and shows these, so they are kept in the user's own folder, where no kit can put a file.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import subprocess
from typing import Any

from grader.commands.site import figures_of
from grader.kit import progress as progress_file
from grader.kit import state, statement
from grader.kit.files import PRIVATE, Unreadable, read_regular, write_atomically
from grader.kit.kit import Kit
from grader.kit.software import installed_version
from grader.locale.language import language
from grader.page.site import Drawn, Writer
from grader.run.python import module, start
from grader.session import Session

LARGEST_SAVED = 1 << 25
"""The most bytes of a saved file."""

MOST_SAVED = 300
"""The most files that are kept, of all kits together: the newest ones."""


class PageCache:
    """Makes the figures of one lesson at a time, and reads what an earlier run has made."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._made: dict[str, bytes] = {}
        self._drawing, self._bundling, self._naming = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()

    async def bundle(self) -> bytes:
        """The scripts that draw figures and pictures, as `grader.page.files` makes them.

        Raises:
            OSError: where they cannot be made.
        """
        file = f"vega-{_versions('grader', 'altair', 'vl-convert-python')}.js"
        async with self._bundling:
            return await self._printed("page.files", file)

    async def names(self) -> bytes:
        """The public names of JAX, Flax and Optax for the editor, as JSON (see `grader.serve.names`).

        Raises:
            OSError: where they cannot be read.
        """
        file = f"names-{_versions('grader', 'jax', 'jaxlib', 'flax', 'optax', 'python')}.json"
        async with self._naming:
            return await self._printed("serve.names", file)

    async def _printed(self, name: str, file: str) -> bytes:
        """What a module of the grader prints, from a file if an earlier run kept it."""
        if (data := self._read(file)) is None:
            data = await asyncio.to_thread(_output_of, name)
            self._keep(file, data)
        return data

    async def figures(self, name: str, writer: Writer) -> dict[str, Any]:
        """The figures of a lesson: the HTML of each with the section that it stands in, and what draws it.

        Raises:
            ProblemError: where its `figure.py` has a fault.
        """
        if not self._kit.figure(name).is_file() or not self._kit.answer(name).is_file():
            return {"figures": [], "specs": []}
        text = hashlib.sha256(self._kit.figure(name).read_bytes()).hexdigest()
        of = statement.read(self._kit.statement(name)).language
        made_of = [
            str(self._kit.root),
            progress_file.fingerprint_of_problem(self._kit, name, "cpu"),
            text,
            language(),
            of,
        ]
        file = f"{name}-{_short(made_of)}.json"
        async with self._drawing:
            if (data := self._read(file)) is None:
                drawn = await asyncio.to_thread(self._draw, name, of)
                data = json.dumps(_document(drawn, writer)).encode()
                self._keep(file, data)
            return json.loads(data)

    def _draw(self, name: str, of: str) -> tuple[Drawn, ...]:
        with Session(self._kit) as session:
            return figures_of(session, name, [of])[of]

    def _read(self, file: str) -> bytes | None:
        if file not in self._made:
            with contextlib.suppress(Unreadable, OSError):
                folder = state.cache_folder()
                self._made[file] = read_regular(folder / "page" / file, LARGEST_SAVED, below=folder)
        return self._made.get(file)

    def _keep(self, file: str, data: bytes) -> None:
        self._made[file] = data
        with contextlib.suppress(OSError):  # where nothing can be kept, it is made again by the next run
            folder = state.cache_folder() / "page"
            write_atomically(folder / file, data, mode=PRIVATE)
            kept = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
            for old in kept[MOST_SAVED:]:
                old.unlink()


def _output_of(name: str) -> bytes:
    with start(module(name), stdout=subprocess.PIPE) as process:
        data, _ = process.communicate()
    if process.returncode:
        raise OSError(f"grader.{name} failed: the terminal shows why")
    return data


def _versions(*packages: str) -> str:
    return _short([installed_version(package) for package in packages])


def _document(drawn: tuple[Drawn, ...], writer: Writer) -> dict[str, Any]:
    figures = [{"section": figure.section, "html": str(writer.figure(figure))} for figure in drawn]
    return {"figures": figures, "specs": [figure.spec for figure in drawn]}


def _short(of: Any) -> str:
    return hashlib.sha256(json.dumps(of).encode()).hexdigest()[:16]
