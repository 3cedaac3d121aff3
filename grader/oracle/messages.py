"""The messages between the judging process and the process of a reference, and their encoding as frames.

Each message is a dataclass. Expected values are sent with it as arrays. No answer runs in either process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from grader.kit.decode import decode
from grader.kit.origin import Origin
from grader.marking.draws import Draw
from grader.marking.facts import Facts, Truth
from grader.marking.judge import Expected
from grader.oracle.draws import Sample
from grader.oracle.store import MistakeKey, pack, truth_of, unpack
from grader.run import frames


@dataclass(frozen=True)
class OpenReference:
    """The first message: load a reference. `shown` is its path for people. With `truth`, also do what AskTruth asks."""

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
    """Compute every set of `size` pitfalls on the screening case; for size 0, the exchanges of keys.

    One child may compute one of several `parts`: the sets whose setting, divided by `parts`, leaves `part`.
    """

    size: int
    screening_case: int
    part: int = 0
    parts: int = 1


@dataclass(frozen=True)
class AskConfirmation:
    """Compute one set of pitfalls on all cases."""

    names: tuple[str, ...]
    setting: int


@dataclass(frozen=True)
class AskSets:
    """Compute every set of `size` pitfalls on these cases, for an answer key."""

    size: int
    cases: list[int]


@dataclass(frozen=True)
class AskFresh:
    seed: int


@dataclass(frozen=True)
class AskSteps:
    """Compute the steps of the reference, or those of the value alone: of all cases, or of as many as `most` bytes hold."""

    of_value: bool
    most: int | None = None


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
    """The truth. Sent with it: its expected values, what is uncertain of them, and the numbers that it draws."""

    shapes: list[tuple[int, ...]]
    dtypes: list[str]
    coarse: list[dict[str, float]]
    draws: list[list[Draw]]
    names: list[list[str]]
    screening_case: int
    origin: Origin

    def truth(self, sent: Sequence[Expected]) -> Truth:
        return truth_of(sent, self.shapes, self.dtypes, self.coarse, self.draws, self.names)


@dataclass(frozen=True)
class LevelReply:
    """The sets of one size in declared order. The values of each set on the screening case are sent with the message."""

    keys: list[MistakeKey]
    origin: Origin


@dataclass(frozen=True)
class ConfirmationReply:
    """The values of the set on each case are sent with the message."""

    origin: Origin


@dataclass(frozen=True)
class SetsReply:
    """Sent with the message, set by set: a sample of the values on each of the cases."""

    keys: list[MistakeKey]


@dataclass(frozen=True)
class FreshReply:
    """Fresh inputs. Their expected values are sent with the message."""

    cases: list[tuple[int | float, ...]]
    shapes: list[tuple[int, ...]]
    dtypes: list[str]


@dataclass(frozen=True)
class StepsReply:
    """The steps of some cases, packed (see `grader.where.packed`). There are none if nobody can compute them."""

    cases: list[int]
    data: bytes


@dataclass(frozen=True)
class DrawsReply:
    sample: Sample


@dataclass(frozen=True)
class ExaminationReply:
    """The JSON document that the function returned."""

    document: dict[str, Any]


@dataclass(frozen=True)
class NoDeviceReply:
    """There is no such device."""

    text: str


@dataclass(frozen=True)
class FaultReply:
    """A fault of the kit or of the grader. It ends the process of the reference."""

    text: str
    traceback: str


Question = (
    OpenReference | AskDraws | AskTruth | AskLevel | AskConfirmation | AskSets | AskFresh | AskSteps | AskExamination
)
Reply = (
    FactsReply
    | TruthReply
    | LevelReply
    | ConfirmationReply
    | SetsReply
    | FreshReply
    | StepsReply
    | DrawsReply
    | ExaminationReply
    | NoDeviceReply
    | FaultReply
)
_KINDS = {kind.__name__: kind for kind in (*Question.__args__, *Reply.__args__)}


def write(descriptor: int, message: Question | Reply, expected: Sequence[Expected] = ()) -> None:
    """Send one message, and expected values with it."""
    fields, arrays = asdict(message), pack(expected)
    if isinstance(message, StepsReply):
        arrays.append(np.frombuffer(fields.pop("data"), np.uint8))
    frames.write(descriptor, frames.encode({"message": type(message).__name__, "fields": fields}, arrays))


def read(descriptor: int) -> tuple[Question | Reply, list[Expected]] | None:
    """The next message and the expected values that were sent with it; None at the end of the stream.

    Raises:
        FrameError, Malformed: if the bytes are not a message.
    """
    frame = frames.read(descriptor)
    if frame is None:
        return None
    header, arrays = frame
    kind, fields = _KINDS[header["message"]], header["fields"]
    if kind is StepsReply:
        *arrays, data = arrays
        return StepsReply(decode(list[int], fields["cases"]), data.tobytes()), unpack(arrays)
    return decode(kind, fields), unpack(arrays)
