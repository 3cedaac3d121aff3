"""What a grading depends on, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from grader.marking.verdict import AddedText


@dataclass(frozen=True)
class Identity:
    """All that a verdict depends on.

    Attributes:
        digest: that of the text of the answer.
        fingerprint: that of the problem: its reference or key, and the software.
        policy: how it is graded (see `plan.policy_text`).
    """

    digest: str
    problem: str
    fingerprint: str
    policy: str


@dataclass(frozen=True)
class Outcome:
    """A verdict, or a fault of the grader.

    Attributes:
        verdict: as `report/as_json.py` writes one at full feedback; None for a fault.
        fault: one line; empty for a verdict.
        tries: how often it was tried.
        seconds: of the clock, for all that the grading took.
        processor: seconds of processor time of the answer.
        peak: the most bytes that its processes used; 0 where nobody knows.
        sample: some of the values of a wrong answer that nothing explains (see `marking/sample.py`); else empty.
    """

    verdict: dict[str, Any] | None
    fault: str = ""
    tries: int = 1
    graded_at: str = ""
    seconds: float = 0.0
    processor: float = 0.0
    peak: int = 0
    sample: AddedText = ""


def now() -> str:
    """This moment, as gradebooks hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
