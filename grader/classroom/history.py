"""What a gradebook told and when: which verdicts stood, what was exported, and whose verdict moved and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from grader.classroom.database import Database
from grader.classroom.row import Identity, standing_in_words
from grader.classroom.submission import OfStudent
from grader.locale.language import N_
from grader.marking.verdict import Verdict

NOTHING = "none"
"""In place of a verdict, where no answer counts."""

ANSWER, PROBLEM = N_("another answer"), N_("another problem")
WAY, AGAIN = N_("another way of grading"), N_("graded again")

FIRST, NO_MORE = N_("an answer counts where none did"), N_("no answer counts any more")
"""Why a verdict moved."""


@dataclass(frozen=True)
class StandingVerdict(OfStudent):
    """What stood as the verdict on one student's answer to one problem from some time on.

    Attributes:
        verdict: in words; None where the answer counts no more.
        outcome: the number of the outcome; None where the answer counts no more, as `identity` is.
        path: where the answer was read, in the folder or the zip `source`.
    """

    at: str
    student: str
    problem: str
    path: str
    source: str
    outcome: int | None = None
    identity: Identity | None = None
    verdict: str | None = None


@dataclass(frozen=True)
class Move(OfStudent):
    """A verdict that says something else than the one before."""

    at: str
    student: str
    problem: str
    before: str
    now: str
    why: str
    path: str


def why_it_moved(before: StandingVerdict | None, now: StandingVerdict) -> str:
    """Why a verdict is another one than before, in words."""
    if now.identity is None:
        return NO_MORE
    if before is None or before.identity is None:
        return FIRST
    if before.identity.digest != now.identity.digest:
        return ANSWER
    if before.identity.fingerprint != now.identity.fingerprint:
        return PROBLEM
    return WAY if before.identity != now.identity else AGAIN


def moves(told: Iterable[StandingVerdict], since: str = "") -> list[Move]:
    """Each move after some moment, the oldest first.

    Args:
        told: the oldest first.
    """
    last: dict[tuple[str, str], StandingVerdict] = {}
    found: list[Move] = []
    for now in told:
        before = last.get(now.of)
        last[now.of] = now
        was, is_ = (
            standing.verdict if standing and standing.verdict is not None else NOTHING for standing in (before, now)
        )
        if was != is_ and now.at > since and (before is not None or since):
            found.append(Move(now.at, now.student, now.problem, was, is_, why_it_moved(before, now), now.path))
    return found


@dataclass(frozen=True)
class Exported:
    """An export that was written.

    Attributes:
        scores: of each student what was written, as text.
    """

    at: str
    format: str
    path: str
    scores: dict[str, str]


def rescored(exports: Sequence[Exported], first: Exported) -> dict[str, tuple[str, str]]:
    """Of each student whose score is another one in the last export of the same format, both scores."""
    last = next((export for export in reversed(exports) if export.format == first.format), first)
    students = sorted(first.scores.keys() | last.scores.keys())
    both = {student: (first.scores.get(student, ""), last.scores.get(student, "")) for student in students}
    return {student: scores for student, scores in both.items() if scores[0] != scores[1]}


TABLES = """
CREATE TABLE told (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, student TEXT NOT NULL, problem TEXT NOT NULL,
    path TEXT NOT NULL, source TEXT NOT NULL, outcome INTEGER
);
CREATE TABLE export (
    at TEXT NOT NULL, format TEXT NOT NULL, path TEXT NOT NULL, scores TEXT NOT NULL
);
"""
"""`told` has each outcome that stood as the verdict on a student's answer, in the order of time. Without an outcome, the
answer counted no more from then on."""

EVERY = """
SELECT t.at, t.student, t.problem, t.path, t.source, t.outcome, o.digest, o.fingerprint, o.policy
FROM told t LEFT JOIN outcome o ON o.id = t.outcome ORDER BY t.id
"""


def standing(database: Database, verdict_of: Callable[[int], Verdict | None]) -> list[StandingVerdict]:
    """What was noted in a gradebook, the oldest first.

    Args:
        verdict_of: gives the verdict of an outcome, by its number; None for a fault.
    """
    found: list[StandingVerdict] = []
    for *told, outcome, digest, fingerprint, policy in database.all(EVERY):
        each = StandingVerdict(*told)
        if outcome is not None:
            verdict, identity = verdict_of(outcome), Identity(digest, each.problem, fingerprint, policy)
            said = verdict and standing_in_words(verdict)
            each = replace(each, outcome=outcome, identity=identity, verdict=said)
        found.append(each)
    return found


def note(database: Database, told: Iterable[StandingVerdict]) -> None:
    """Add what stands now, for good."""
    database.change(
        "INSERT INTO told (at, student, problem, path, source, outcome) VALUES (?, ?, ?, ?, ?, ?)",
        *((each.at, *each.of, each.path, each.source, each.outcome) for each in told),
    )


def now_exactly() -> str:
    """This moment, so fine that it orders moves and exports."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
