"""What takes long to make, and is kept in `.grader/page/`: the figures of lessons, and the scripts that draw them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from grader.commands.site_figures import figures_of
from grader.kit import progress as progress_file
from grader.kit import statement
from grader.kit.files import Unreadable, read_regular, write_atomically
from grader.kit.kit import Kit
from grader.kit.versions import installed
from grader.locale.language import language
from grader.page.lesson import Drawn
from grader.page.site import Writer
from grader.session import Session

LARGEST_SAVED = 1 << 25
"""The most bytes of a saved file."""


class Saved:
    """Makes the figures of one lesson at a time, and reads what an earlier run has made."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._made: dict[str, bytes] = {}
        self._drawing, self._bundling = asyncio.Lock(), asyncio.Lock()

    async def bundle(self) -> bytes:
        """The scripts that draw figures and pictures, as `grader.page.drawing` makes them.

        Raises:
            OSError: where they cannot be made.
        """
        versions = [installed(one) for one in ("grader", "altair", "vl-convert-python")]
        file = f"vega-{_short(versions)}.js"
        async with self._bundling:
            if (data := self._read(file)) is None:
                # In a process of its own: it takes a hundred megabytes, which this one would keep.
                script = [sys.executable, "-c", "from grader.page.drawing import bundle; print(bundle())"]
                made = await asyncio.create_subprocess_exec(*script, stdout=asyncio.subprocess.PIPE)
                data, _ = await made.communicate()
                if made.returncode:
                    raise OSError("the scripts that draw figures cannot be made")
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
        made_of = [progress_file.fingerprint_of_problem(self._kit, name, "cpu"), text, language(), of]
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
            with contextlib.suppress(Unreadable):
                self._made[file] = read_regular(self._folder / file, LARGEST_SAVED, below=self._kit.state)
        return self._made.get(file)

    def _keep(self, file: str, data: bytes) -> None:
        self._made[file] = data
        with contextlib.suppress(OSError):  # in a kit that cannot be written, it is made again by the next run
            for old in self._folder.glob(f"{file.partition('-')[0]}-*"):
                old.unlink()
            write_atomically(self._folder / file, data)

    @property
    def _folder(self) -> Path:
        return self._kit.state / "page"


def _document(drawn: tuple[Drawn, ...], writer: Writer) -> dict[str, Any]:
    figures = [{"section": one.section, "html": str(writer.figure(one))} for one in drawn]
    return {"figures": figures, "specs": [one.spec for one in drawn]}


def _short(of: Any) -> str:
    return hashlib.sha256(json.dumps(of).encode()).hexdigest()[:16]
