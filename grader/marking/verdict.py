"""What the grader concludes: plain data, read by every report."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """The outcome for one answer."""

    CORRECT = "correct"
    WRONG = "wrong"
    ERROR = "error"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"
    UNATTEMPTED = "unattempted"

    @property
    def failed(self) -> bool:
        """Whether something was graded and is not right."""
        return self not in (Status.CORRECT, Status.UNATTEMPTED)


@dataclass(frozen=True)
class Named:
    """A mistake by name, with what its numbers show and the question that leads out."""

    name: str
    why: str
    hint: str


@dataclass(frozen=True)
class Diagnosis:
    """The smallest set of mistakes that gives the answer's numbers; `alternatives` are other sets of that size.

    `explained` is False where the values follow from no known mistake; what is named then was seen in the answer itself.
    """

    named: tuple[Named, ...] = ()
    alternatives: tuple[tuple[str, ...], ...] = ()
    explained: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(mistake.name for mistake in self.named)


@dataclass(frozen=True)
class CaseResult:
    """One case: its arguments, `pass`, `fail` or `not-run`, the largest error and the tolerance."""

    args: dict[str, int | float]
    status: str
    error: float | None
    tolerance: float | None


@dataclass(frozen=True)
class Insight:
    """A remark on an answer, right or wrong."""

    name: str
    message: str


@dataclass(frozen=True)
class Frame:
    """One line of the learner's own code in a traceback."""

    line: int
    function: str
    text: str


@dataclass(frozen=True)
class Raised:
    """An exception out of an answer: its type, message, the learner's own frames, and one sentence of advice."""

    kind: str
    message: str
    frames: tuple[Frame, ...]
    advice: str = ""


@dataclass(frozen=True)
class Excerpt:
    """The part of the smallest failing case that is shown: one row of expected values beside the answer's.

    `place` says the indices of the leading axes, `columns` those of the last axis; `wrong` marks what differs, `whole` says
    that the values are integers.
    """

    place: str
    columns: tuple[str, ...]
    expected: tuple[float, ...]
    yours: tuple[float, ...]
    wrong: tuple[bool, ...]
    whole: bool = False


@dataclass(frozen=True)
class Verdict:
    """All that is known of one answer to one problem."""

    problem: str
    status: Status
    message: str
    file: str = ""
    diagnosis: Diagnosis = field(default_factory=Diagnosis)
    cases: tuple[CaseResult, ...] = ()
    insights: tuple[Insight, ...] = ()
    raised: Raised | None = None
    excerpt: Excerpt | None = None
    output: str = ""
    seconds: float = 0.0
    device: str = ""
    confinement: str = "none"
