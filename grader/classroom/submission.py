"""What a student handed in, and what could not be read of it: plain data."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Protocol

from grader.kit.notebook_verdict import CellOrigin


class OfStudent:
    """What is of one student and for one problem, each empty where it is not known."""

    student: str
    problem: str

    @property
    def of(self) -> tuple[str, str]:
        return self.student, self.problem


@dataclass(frozen=True)
class UploadNumber:
    """What a system writes into the name of a file: the number of the attempt, and of the upload.

    `number` is None where the name does not tell it.
    """

    number: int | None
    upload: int

    def later_than(self, other: UploadNumber) -> bool:
        """Whether both numbers say so: where they disagree, neither attempt is later."""
        if self.number is None or other.number is None:
            return self.upload > other.upload
        return self != other and self.number >= other.number and self.upload >= other.upload


class Timed(Protocol):
    """What can tell that it was handed in later than another."""

    @property
    def submitted(self) -> str: ...
    @property
    def attempt(self) -> UploadNumber | None: ...


def later(timed: Timed, other: Timed) -> bool:
    """Whether one of two attempts is known to be later: by their times, or else by the numbers that their system writes."""
    if timed.submitted and other.submitted and timed.submitted != other.submitted:
        return timed.submitted > other.submitted
    return timed.attempt is not None and other.attempt is not None and timed.attempt.later_than(other.attempt)


@dataclass(frozen=True)
class Submission(OfStudent):
    """An answer of a student to a problem.

    Attributes:
        student: an opaque id, as the folder or the file names it.
        path: where it was read from, relative to the folder of the class.
        text: the answer as Python; of a notebook, the cells that were taken.
        submitted: when it was handed in (ISO 8601, UTC); empty where that is not known.
        origin: of a notebook, the cells of the text's lines.
        late: whether the system that it was handed in to marks it as late.
        team: the id of those who handed it in together; empty if one did so alone.
        called: the name that the system writes beside the id.
        layout: the name of the layout that it was read by (see `layouts.py`).
        attempt: what tells which of several is later, beside the time.
    """

    student: str
    problem: str
    path: str
    text: str
    submitted: str = ""
    origin: CellOrigin | None = None
    late: bool = False
    team: str = ""
    called: str = ""
    layout: str = ""
    attempt: UploadNumber | None = None

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Unread(OfStudent):
    """Something that was handed in and is not graded. `why` is one line: what is wrong with it, and what to do.

    `doubt` says that nobody can tell whose it is, or which of several counts. `student` is who handed it in, and `problem`
    what it was meant to answer, each where it is known. Both are empty for an attempt in whose place another one counts,
    unless that is a stub as it was shipped: nobody lacks an answer by it.
    """

    path: str
    why: str
    doubt: bool = field(default=False, compare=False)
    student: str = ""
    problem: str = ""

    @property
    def nobodys(self) -> bool:
        """Whether nobody can tell whose it is."""
        return self.doubt and not self.student
