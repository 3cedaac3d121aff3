"""Whose verdict moved, from what to what, when and why: by another answer, another problem, or another way of grading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.classroom.outcome import Identity

NOTHING = "none"
"""In place of a verdict, where no answer counts."""

ANSWER, PROBLEM, WAY, AGAIN = "another answer", "another problem", "another way of grading", "graded again"
FIRST, NO_MORE = "an answer counts where none did", "no answer counts any more"
"""Why a verdict moved."""


@dataclass(frozen=True)
class Told:
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
class Move:
    """A verdict that says something else than the one before."""

    at: str
    student: str
    problem: str
    before: str
    now: str
    why: str
    path: str


def why(before: Told | None, now: Told) -> str:
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


def moves(told: Iterable[Told], since: str = "") -> list[Move]:
    """Each move after some moment, the oldest first.

    Args:
        told: the oldest first.
    """
    last: dict[tuple[str, str], Told] = {}
    found: list[Move] = []
    for now in told:
        before = last.get((now.student, now.problem))
        last[now.student, now.problem] = now
        was, is_ = (one.verdict if one and one.verdict is not None else NOTHING for one in (before, now))
        if was != is_ and now.at > since and (before is not None or since):
            found.append(Move(now.at, now.student, now.problem, was, is_, why(before, now), now.path))
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
    last = next((one for one in reversed(exports) if one.format == first.format), first)
    names = sorted(first.scores.keys() | last.scores.keys())
    both = {name: (first.scores.get(name, ""), last.scores.get(name, "")) for name in names}
    return {name: scores for name, scores in both.items() if scores[0] != scores[1]}
