"""What a student handed in, and what could not be read of it: plain data."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from grader.kit.notebook_verdict import Origin


@dataclass(frozen=True)
class Submission:
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
    """

    student: str
    problem: str
    path: str
    text: str
    submitted: str = ""
    origin: Origin | None = None
    late: bool = False
    team: str = ""
    called: str = ""
    layout: str = ""

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Unread:
    """Something that was handed in and is not graded. `why` is one line: what is wrong with it, and what to do.

    `doubt` says that nobody can tell whose it is. A gradebook does not keep that.
    """

    path: str
    why: str
    doubt: bool = field(default=False, compare=False)
