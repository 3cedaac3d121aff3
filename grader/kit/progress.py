"""What the learner has done so far: last verdicts, solved problems, hints taken. Kept in the kit's `.grader/`."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from grader.kit.decode import Malformed, decode, parse
from grader.kit.files import Unreadable, read_regular, write_atomically
from grader.kit.kept import Damaged, note, read_kept, read_sound
from grader.kit.kit import Kit
from grader.kit.origin import settings
from grader.kit.versions import DECISIVE, installed
from grader.marking.verdict import Status

FORMAT = 1

LARGEST = 1 << 26
"""Bytes of a progress file: a thousand verdicts with all that their answers printed."""

LARGEST_SOURCE = 1 << 27
"""Bytes of a stub, a reference or a key."""

PATIENCE, BRIEFLY = 1.5, 0.2
"""Seconds to wait for another grader that writes to the same kit; each holds the lock for some milliseconds."""


class Case(TypedDict):
    """One case of a verdict, as it is kept (see `marking.verdict.CaseResult`)."""

    args: dict[str, int | float]
    status: str
    error: float | str | None
    tolerance: float | str | None


class Remark(TypedDict):
    """An insight, as it is kept (see `marking.verdict.Insight`)."""

    name: str
    message: str


class Line(TypedDict):
    """A line of a traceback, as it is kept (see `marking.verdict.Frame`)."""

    line: int
    function: str
    text: str


class Error(TypedDict):
    """An exception, as it is kept (see `marking.verdict.Raised`)."""

    type: str
    message: str
    advice: str
    frames: list[Line]


class MoreOfARow(TypedDict, total=False):
    """What not every verdict has."""

    device: str
    confinement: str | None
    raised: Error


class Row(MoreOfARow):
    """A verdict, as it is kept and as JSON tells it (see `report.as_json`)."""

    problem: str
    file: str
    status: Status
    pitfalls: list[str]
    alternatives: list[list[str]]
    explained: bool
    message: str
    cases: list[Case]
    insights: list[Remark]
    output: str
    seconds: float


class Graded(TypedDict):
    """A verdict, and the fingerprint of what was graded."""

    fingerprint: str
    verdict: Row


@dataclass
class _File:
    format: int
    verdicts: dict[str, Graded]
    solved: dict[str, str]
    hints: dict[str, int]


@dataclass
class Progress:
    """Per problem: the last verdict with the fingerprint of what was graded, when it was first solved, hints shown."""

    path: Path
    verdicts: dict[str, Any] = field(default_factory=dict[str, Any])
    solved: dict[str, str] = field(default_factory=dict[str, str])
    hints: dict[str, int] = field(default_factory=dict[str, int])

    def current(self, name: str, fingerprint: str) -> dict[str, Any] | None:
        """The last verdict, if nothing that it depends on has changed since."""
        kept = self.verdicts.get(name)
        return kept["verdict"] if kept and kept["fingerprint"] == fingerprint else None

    def save(self) -> None:
        """Raises OSError where the kit cannot be written."""
        data = {"format": FORMAT, "verdicts": self.verdicts, "solved": self.solved, "hints": self.hints}
        write_atomically(self.path, json.dumps(data, indent=1, allow_nan=False).encode())


class NotKept(Exception):
    """Progress that could not be written, in one line that says why."""


def load(kit: Kit) -> Progress:
    """The progress in a kit; a damaged file is put aside under another name, not lost."""
    path = _path(kit)
    try:
        return _progress(path, read_sound(path, LARGEST, _decoded))
    except Damaged as damaged:
        try:
            with _locked(kit, BRIEFLY):  # another grader may just have put a sound one in its place
                return _progress(path, read_kept(path, LARGEST, _decoded))
        except NotKept as error:
            note(f"{damaged}, and {error}: the grader goes on without it.")
            return Progress(path)


def update(kit: Kit, change: Callable[[Progress], None]) -> Progress:
    """Change what is kept, together with what other graders have written meanwhile: nothing of theirs is lost.

    Raises:
        NotKept: where the file cannot be locked or written.
    """
    path = _path(kit)
    with _locked(kit, PATIENCE):
        progress = _progress(path, read_kept(path, LARGEST, _decoded))
        change(progress)
        progress.save()
        return progress


def _path(kit: Kit) -> Path:
    return kit.state / "progress.json"


@contextlib.contextmanager
def _locked(kit: Kit, patience: float) -> Generator[None]:
    from filelock import FileLock, Timeout

    lock = kit.state / "progress.lock"
    try:
        kit.state.mkdir(parents=True, exist_ok=True)
        # Where the filesystem has no locks, a file would have to do for one, and stay for ever after a kill.
        with FileLock(lock, timeout=patience, fallback_to_soft=False):
            yield
    except Timeout as error:
        raise NotKept(f"{lock} is held by another grader for more than {patience:g} s") from error
    except OSError as error:
        raise NotKept(f"{error.filename or lock} cannot be written ({error.strerror or error})") from error


def _decoded(data: bytes) -> _File:
    file: _File = decode(_File, parse(data))
    if file.format != FORMAT:
        raise Malformed(f"of format {file.format}, and this is {FORMAT}")
    if any(count < 0 for count in file.hints.values()):
        raise Malformed("a negative number of hints")
    return file


def _progress(path: Path, file: _File | None) -> Progress:
    return Progress(path) if file is None else Progress(path, dict(file.verdicts), file.solved, file.hints)


def _software() -> str:
    versions = {name: installed(name) for name in ("grader", "python", *DECISIVE)}
    return json.dumps([versions, settings()])


def fingerprint(kit: Kit, name: str, device: str) -> str:
    """Of all that a verdict depends on: the answer, the reference or key, the software and its settings, the device."""
    digest = hashlib.sha256(f"{_software()} {device}".encode())
    for path in (kit.stub(name), kit.reference(name), kit.key(name), *sorted((kit.root / "solutions").glob("*.py"))):
        data = _content(path)
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:16]


def _content(path: Path) -> bytes:
    """What a file holds, else why it is not read: that is graded too."""
    try:
        return read_regular(path, LARGEST_SOURCE)
    except Unreadable as error:
        return f"- {error}".encode()
