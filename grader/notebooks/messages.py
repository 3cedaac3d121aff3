"""What a notebook and the process that judges for it send each other: one line of JSON each way."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from grader.locale.language import ENGLISH
from grader.marking.verdict import Verdict


@dataclass(frozen=True)
class JudgeRequest:
    """An answer to grade.

    Attributes:
        kit: the folder of the kit, as an absolute path.
        name: the problem.
        text: the answer.
        origin: where its lines were taken from (`CellOrigin.as_text`).
        shown: the name of that place, as the verdict holds it.
        confine, fresh, feedback: as in `Policy`.
        seconds: the limit of processor time.
        language: in which the verdict speaks.
    """

    kit: str
    name: str
    text: str
    origin: str
    shown: str
    confine: str
    fresh: int | None
    seconds: float
    feedback: str
    language: str = ENGLISH


@dataclass(frozen=True)
class JudgeReply:
    """What came of it.

    Attributes:
        verdict: the part of it that the level of feedback shows; None for a fault.
        following: what to do now.
        in_force: how the answer was confined, and how to get its fresh inputs again.
        device: what a report shows in its corner.
        fault: one line, for a fault of usage or of the kit.
        notes: lines on what could not be kept for next time.
        picture: of a wrong answer, as SVG; empty if there is none.
    """

    verdict: Verdict | None = None
    following: str = ""
    in_force: str = ""
    device: str = ""
    fault: str = ""
    notes: tuple[str, ...] = field(default=())
    picture: str = ""


def line_of_json(message: JudgeRequest | JudgeReply) -> bytes:
    """A message as it is sent, and `from_json` reads it. JSON has no line ends of its own."""
    return json.dumps(asdict(message)).encode() + b"\n"
