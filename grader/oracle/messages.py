"""What the judging process and the process of a reference say to each other, and how it becomes frames.

Each message is a dataclass. Expected values travel beside it as arrays. Both processes are the grader's own: no answer
runs in either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from grader.kit.decode import decode
from grader.kit.origin import Origin
from grader.marking.facts import Facts, Truth
from grader.marking.judge import Expected
from grader.oracle.draws import Sample
from grader.oracle.store import MistakeKey, pack, unpack
from grader.run import frames


@dataclass(frozen=True)
class OpenReference:
    """The first message: load a reference. `shown` is its path as messages show it. With `truth`, compute that at once."""

    reference: str
    shown: str
    device: str
    truth: bool


@dataclass(frozen=True)
class AskDraws:
    """Draw a sample of random numbers. This can also be the first message, for a kit without references."""

    layers: bool


@dataclass(frozen=True)
class AskTruth:
    device: str


@dataclass(frozen=True)
class AskLevel:
    """What every set of `size` pitfalls gives on the screening case."""

    size: int
    screening_case: int


@dataclass(frozen=True)
class AskConfirmation:
    """What one set of pitfalls gives on all cases."""

    names: tuple[str, ...]
    setting: int


@dataclass(frozen=True)
class AskSets:
    """What every set of `size` pitfalls gives, on the screening case and on all cases, for an answer key."""

    size: int
    screening_case: int


@dataclass(frozen=True)
class AskFresh:
    seed: int


@dataclass(frozen=True)
class AskExamination:
    """Call the function at `place` (`module:function`) with the problem and these arguments."""

    place: str
    arguments: dict[str, str | bool]


@dataclass(frozen=True)
class FactsReply:
    """What the problem declares, and the warnings that the reference gave when it was loaded."""

    facts: Facts
    warnings: list[str]


@dataclass(frozen=True)
class TruthReply:
    """The truth without its expected values, which travel beside the message."""

    shapes: list[tuple[int, ...]]
    dtypes: list[str]
    coarse: list[dict[str, float]]
    screening_case: int
    origin: Origin

    def truth(self, expected: Sequence[Expected]) -> Truth:
        return Truth(expected, self.shapes, self.dtypes, self.coarse)


@dataclass(frozen=True)
class LevelReply:
    """The sets of one size in declared order; beside it what each gives on the screening case."""

    keys: list[MistakeKey]
    origin: Origin


@dataclass(frozen=True)
class ConfirmationReply:
    """Beside it: what the set gives on each case."""

    origin: Origin


@dataclass(frozen=True)
class SetsReply:
    """Beside it: what each set gives on the screening case; then, set by set, a sample of what it gives on each case."""

    keys: list[MistakeKey]


@dataclass(frozen=True)
class FreshReply:
    """Fresh inputs; beside it what is expected of them."""

    cases: list[tuple[int | float, ...]]
    shapes: list[tuple[int, ...]]
    dtypes: list[str]


@dataclass(frozen=True)
class DrawsReply:
    sample: Sample


@dataclass(frozen=True)
class ExaminationReply:
    """The document for JSON that the function returned."""

    document: dict[str, Any]


@dataclass(frozen=True)
class NoDeviceReply:
    """The device that was asked for is not there."""

    text: str


@dataclass(frozen=True)
class FaultReply:
    """A fault of the kit or of the grader. It ends the process of the reference."""

    text: str
    traceback: str


Question = OpenReference | AskDraws | AskTruth | AskLevel | AskConfirmation | AskSets | AskFresh | AskExamination
Reply = (
    FactsReply
    | TruthReply
    | LevelReply
    | ConfirmationReply
    | SetsReply
    | FreshReply
    | DrawsReply
    | ExaminationReply
    | NoDeviceReply
    | FaultReply
)
_KINDS = {kind.__name__: kind for kind in (*Question.__args__, *Reply.__args__)}


def write(descriptor: int, message: Question | Reply, expected: Sequence[Expected] = ()) -> None:
    """Send one message, with expected values beside it."""
    header = {"message": type(message).__name__, "fields": asdict(message)}
    frames.write(descriptor, frames.encode(header, pack(expected)))


def read(descriptor: int) -> tuple[Question | Reply, list[Expected]] | None:
    """The next message and the expected values beside it; None at the end of the stream.

    Raises:
        FrameError, Malformed: where the bytes are not a message.
    """
    frame = frames.read(descriptor)
    if frame is None:
        return None
    header, arrays = frame
    return decode(_KINDS[header["message"]], header["fields"]), unpack(arrays)
