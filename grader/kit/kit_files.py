"""What was computed from the files of the problems of a kit, and is kept in `.grader/` until one of them changes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from grader.kit.files import write_atomically
from grader.kit.kit import Kit
from grader.kit.progress import software
from grader.kit.software import installed_version
from grader.kit.state import read_or_set_aside
from grader.values.decode import from_json

T = TypeVar("T")

LARGEST_FILE = 1 << 24
"""The most bytes of what is kept."""

NANOSECONDS_UNTIL_SETTLED = 2_000_000_000
"""A file that changed later than this before now may change again without another time or size: FAT counts two seconds."""


@dataclass
class _Made:
    """What was computed from files that look so: their names, times and sizes."""

    files: str
    values: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass
class _Kept:
    grader: str
    problems: dict[str, _Made]


class KitFiles:
    """The files of a kit's problems as they are now, and what was computed from them before.

    The files are looked at once, so an object is for one look at a kit: a command that goes on makes another one.
    """

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self._made: dict[str, _Made] = {}
        self._changed = False

    def of(self, name: str, what: str, compute: Callable[[], T]) -> T:
        """What `compute` gives, which follows from the files of a problem and from `what`: a value of JSON."""
        if name not in self._made:
            looks, settled = self._look(name)
            kept = self._kept.get(name)
            self._made[name] = kept if kept is not None and kept.files == looks else _Made(looks)
            if settled:
                self._kept[name] = self._made[name]
            else:
                self._kept.pop(name, None)
        made = self._made[name]
        if what not in made.values:
            made.values[what] = compute()
            self._changed = self._changed or name in self._kept
        return made.values[what]

    def save(self) -> None:
        """Keep what was computed, for the next run. Where the kit cannot be written, that run computes it again."""
        if self._changed:
            self._changed = False
            problems = {name: made for name, made in self._kept.items() if name in self.kit.names}
            with contextlib.suppress(OSError):
                write_atomically(self._path, json.dumps(asdict(_Kept(installed_version("grader"), problems))).encode())

    @cached_property
    def software(self) -> str:
        """A digest of the software and the settings of this run."""
        return hashlib.sha256(software().encode()).hexdigest()[:16]

    @cached_property
    def _path(self) -> Path:
        return self.kit.state / "files.json"

    @cached_property
    def _kept(self) -> dict[str, _Made]:
        found = read_or_set_aside(self._path, LARGEST_FILE, lambda data: from_json(_Kept, data))
        return found.problems if found is not None and found.grader == installed_version("grader") else {}

    def _look(self, name: str) -> tuple[str, bool]:
        """How the files of a problem look, and whether none of them changed just now."""
        copy = self._path.parent / "stubs" / f"{name}.py"
        found = [
            *_entries(self.kit.statement(name).parent),
            *_entries(self.kit.answer(name).parent),
            *self._shared,
            *_entry(copy),
        ]
        newest = max((moment for _, _, *times in found for moment in times), default=0)
        settled = time.time_ns() - newest > NANOSECONDS_UNTIL_SETTLED
        return hashlib.sha256(repr(found).encode()).hexdigest()[:32], settled

    @cached_property
    def _shared(self) -> list[tuple[str, int, int, int]]:
        return [*_entries(self.kit.root / "solutions")]


def _entries(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    """The files of a folder: path, size, and when their content and what is known of them changed, in nanoseconds."""
    try:
        with os.scandir(folder) as entries:
            paths = sorted(entry.path for entry in entries if not entry.is_dir())
    except OSError:
        return
    for path in paths:
        yield from _entry(path)


def _entry(path: str | Path) -> Iterator[tuple[str, int, int, int]]:
    # A link and what it leads to: either may change.
    for look in (os.lstat, os.stat) if os.path.islink(path) else (os.stat,):
        try:
            status = look(path)
        except OSError:
            continue
        yield os.fspath(path), status.st_size, status.st_mtime_ns, status.st_ctime_ns
