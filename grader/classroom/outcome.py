"""What a grading depends on, and what came of it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from grader.kit.decode import Malformed, decode, parse
from grader.kit.notebook_verdict import Origin, placed
from grader.marking.verdict import Verdict, fits


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
        verdict: at full feedback, and without what is never saved; None for a fault.
        fault: one line; empty for a verdict.
        tries: how often it was tried.
        seconds: of the clock, for all that the grading took.
        peak: the most bytes that the processes of the answer used; 0 where nobody knows.
    """

    verdict: Verdict | None
    fault: str = ""
    tries: int = 1
    graded_at: str = ""
    seconds: float = 0.0
    peak: int = 0


def now() -> str:
    """This moment, as gradebooks hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def verdict_text(verdict: Verdict) -> str:
    """A verdict as a gradebook keeps it."""
    return json.dumps(asdict(verdict))


def read_verdict(text: str) -> Verdict:
    """The inverse of `verdict_text`.

    Raises:
        Malformed: if it is no such text, or its parts do not fit together: somebody else may have written it.
    """
    verdict: Verdict = decode(Verdict, parse(text.encode("utf-8", "surrogatepass")))
    if not fits(verdict):
        raise Malformed("a verdict whose parts do not fit together")
    return verdict


def on_file(verdict: Verdict, path: str, origin: Origin | None) -> Verdict:
    """The verdict on a text, told of a file that it was taken from.

    Which of several definitions of a notebook is graded is no remark on the answer: a rule of points may count those.
    """
    told = replace(verdict, file=path)
    return placed(told, replace(origin, note="")) if origin else told
