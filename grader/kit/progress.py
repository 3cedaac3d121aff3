"""A learner's progress: last verdicts, solved problems, hints shown. It is saved in the kit's `.grader/`."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grader.kit.files import Unreadable, read_regular, write_atomically
from grader.kit.kit import Kit
from grader.kit.software import DECISIVE, installed_version, settings
from grader.kit.state import (
    SECONDS_BEFORE_A_READ,
    SECONDS_BEFORE_A_WRITE,
    Damaged,
    NotSaved,
    locked,
    read_or_set_aside,
    read_state,
    warn_later,
)
from grader.locale.language import gettext
from grader.marking.verdict import Status, Verdict, fits
from grader.values.decode import Malformed, decode, parse

FORMAT = 10
EARLIER: Mapping[int, Mapping[str, object]] = {8: {"last": "", "graded_at": 0.0, "made": {}}, 9: {"made": {}}}
"""Formats before this one, each with what it does not say."""

LARGEST_PROGRESS_FILE = 1 << 27
"""The most bytes of a progress file: a thousand verdicts with all that their answers printed."""

LARGEST_SOURCE = 1 << 27
"""The most bytes of a stub, a reference or a key."""


@dataclass(frozen=True)
class Ran:
    """What of a run can change a verdict: confinement, the seed of fresh inputs, limits (see `Limits`)."""

    confine: str
    fresh: int | None
    seconds: float
    memory: int
    clock: float


@dataclass(frozen=True)
class KeptVerdict:
    """A whole verdict, the fingerprint of what was graded, and the options of the run."""

    fingerprint: str
    ran: Ran
    verdict: Verdict

    def holds(self, fingerprint: str, ran: Ran) -> bool:
        """Whether a run with these options would give the same verdict, so that it need not be run."""
        if (fingerprint, ran.confine, ran.fresh) != (self.fingerprint, self.ran.confine, self.ran.fresh):
            return False
        if self.verdict.status is Status.TIMEOUT and not self.verdict.run.endless:
            return ran.seconds <= self.ran.seconds and ran.clock <= self.ran.clock
        if self.verdict.status is Status.MEMORY:
            return ran.memory <= self.ran.memory
        enough = ran.seconds >= self.verdict.run.processor and ran.clock >= self.verdict.run.seconds
        return enough and ran.memory >= self.ran.memory


@dataclass
class _File:
    format: int
    verdicts: dict[str, KeptVerdict]
    solved: dict[str, str]
    hints: dict[str, int]
    last: str
    graded_at: float
    made: dict[str, list[str]]


@dataclass
class Progress:
    """Progress by problem.

    Attributes:
        path: the file that it is saved in.
        verdicts: the last verdict.
        solved: the date on which it was first solved; the problem that was solved last is the last one.
        hints: how many hints were shown.
        last: the problem that was graded last, in whatever way; empty if none is known.
        graded_at: when that was, in seconds since 1970.
        made: the mistakes that verdicts on the learner's answers named, each once.
    """

    path: Path
    verdicts: dict[str, KeptVerdict] = field(default_factory=dict[str, KeptVerdict])
    solved: dict[str, str] = field(default_factory=dict[str, str])
    hints: dict[str, int] = field(default_factory=dict[str, int])
    last: str = ""
    graded_at: float = 0.0
    made: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def graded(self, name: str) -> None:
        """Note that a problem was graded now."""
        self.last, self.graded_at = name, time.time()

    def current(self, name: str, fingerprint: str) -> Verdict | None:
        """The last verdict, if the answer and all that it is graded with are still the same; else None."""
        graded = self.verdicts.get(name)
        return graded.verdict if graded is not None and graded.fingerprint == fingerprint else None

    def failed(self, name: str) -> bool:
        """Whether the last verdict on a problem was a failure."""
        return name in self.verdicts and self.verdicts[name].verdict.status.failed

    def next_problem(self, problems: Mapping[str, Sequence[str]], after: str = "") -> str | None:
        """The next problem that is open, else the first that failed, which may be solved; None if there is neither.

        A problem is open if it is not solved, and all that it builds on are.

        Args:
            problems: the problems in the order in which a learner meets them, each with those that it builds on.
            after: the problem from which the next is sought; else the one that was solved last. The first problem follows
                the last one.
        """
        after = after or next(reversed(self.solved), "")
        names = list(problems)
        start = names.index(after) + 1 if after in names else 0
        failed = [name for name in names if self.failed(name)]
        unsolved = [name for name in (*names[start:], *names[:start]) if name not in self.solved]
        opened = [name for name in unsolved if not any(problem in unsolved for problem in problems[name])]
        return next(iter(opened + failed), None)

    def save(self) -> None:
        """Write the file. Raises OSError where the kit cannot be written."""
        data = asdict(_File(FORMAT, self.verdicts, self.solved, self.hints, self.last, self.graded_at, self.made))
        write_atomically(self.path, json.dumps(data, indent=1).encode())


def load(kit: Kit) -> Progress:
    """The progress in a kit. A damaged file is renamed, not lost, and the user is warned."""
    path = _path(kit)
    try:
        return _progress(path, read_state(path, LARGEST_PROGRESS_FILE, _decoded))
    except Damaged as damaged:
        try:
            with locked(_lock(kit), SECONDS_BEFORE_A_READ):  # another grader may have replaced it meanwhile
                return _progress(path, read_or_set_aside(path, LARGEST_PROGRESS_FILE, _decoded))
        except NotSaved as error:
            said = gettext("{path} is damaged ({reason}), and {error}: the grader goes on without it.")
            warn_later(said.format(path=damaged.path, reason=damaged.reason, error=error))
            return Progress(path)


def update(kit: Kit, change: Callable[[Progress], None]) -> Progress:
    """Read the progress again, change it and save it under a lock, so that nothing that another grader saved is lost.

    Returns:
        the progress that was saved.

    Raises:
        NotSaved: where the file cannot be locked or written.
    """
    path = _path(kit)
    with locked(_lock(kit), SECONDS_BEFORE_A_WRITE):
        progress = _progress(path, read_or_set_aside(path, LARGEST_PROGRESS_FILE, _decoded))
        change(progress)
        progress.save()
        return progress


def _path(kit: Kit) -> Path:
    return kit.state / "progress.json"


def _lock(kit: Kit) -> Path:
    return kit.state / "progress.lock"


def _decoded(data: bytes) -> _File:
    parsed = parse(data)
    if isinstance(parsed, dict) and isinstance(version := parsed.get("format"), int) and version in EARLIER:
        parsed = {**parsed, "format": FORMAT, **EARLIER[version]}
    if isinstance(parsed, dict) and parsed.get("format") != FORMAT:
        said = gettext("of format {format}, and this is {due}")
        raise Malformed(said.format(format=parsed.get("format"), due=FORMAT))
    file: _File = decode(_File, parsed)
    if any(count < 0 for count in file.hints.values()):
        raise Malformed(gettext("a negative number of hints"))
    if not all(fits(graded.verdict) for graded in file.verdicts.values()):
        raise Malformed(gettext("a verdict whose parts do not fit together"))
    return file


def _progress(path: Path, file: _File | None) -> Progress:
    if file is None:
        return Progress(path)
    return Progress(path, dict(file.verdicts), file.solved, file.hints, file.last, file.graded_at, file.made)


def software() -> str:
    """The software and the settings that a verdict depends on."""
    versions = {name: installed_version(name) for name in ("grader", "python", *DECISIVE)}
    return json.dumps([versions, settings()])


def fingerprint(kit: Kit, name: str, device: str) -> str:
    """A digest of what a verdict depends on: the answer, the reference or key, software, settings, device."""
    words = kit.words_in_all_languages(name)
    return _digest_of(device, (kit.stub(name), kit.answer(name), *words, kit.key(name), *_shared(kit)))


def fingerprint_of_problem(kit: Kit, name: str, device: str) -> str:
    """A digest of a problem, whatever the answer is. Modules beside the worked answer count too, which it may import."""
    beside = sorted(kit.answer(name).parent.glob("*.py"))
    return _digest_of(device, (*beside, *kit.words_in_all_languages(name), kit.key(name), *_shared(kit)))


def _shared(kit: Kit) -> list[Path]:
    """The modules that several references may import."""
    return sorted((kit.root / "solutions").glob("*.py"))


def _digest_of(device: str, paths: Sequence[Path]) -> str:
    digest = hashlib.sha256(f"{software()} {device}".encode())
    for path in paths:
        data = _content(path)
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:16]


def _content(path: Path) -> bytes:
    """The content of a file, or the reason why it cannot be read, because an unreadable answer gets a verdict too."""
    try:
        return read_regular(path, LARGEST_SOURCE)
    except Unreadable as error:
        return f"- {error.why!r}".encode()
