"""Of several attempts of one student at one problem, which counts: never a silent choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.classroom.layouts import Attempt
from grader.classroom.submission import Submission, Unread
from grader.kit.placed import Origin

MOST_NAMED = 3
"""The most other files that a line names."""


@dataclass(frozen=True)
class Candidate:
    """An answer that was found, or a file that cannot be read though its name says whose it is and what it answers.

    Attributes:
        text: None where it cannot be read.
        why: why it cannot be read.
        submitted: as in a submission.
        attempt: what Canvas says of it.
        origin: as in a submission.
    """

    student: str
    problem: str
    path: str
    text: str | None
    why: str = ""
    submitted: str = ""
    attempt: Attempt | None = None
    origin: Origin | None = None

    def later_than(self, other: Candidate) -> bool:
        if self.submitted and other.submitted and self.submitted != other.submitted:
            return self.submitted > other.submitted
        return self.attempt is not None and other.attempt is not None and self.attempt.later_than(other.attempt)


def latest(candidates: Sequence[Candidate]) -> tuple[list[Submission], list[Unread]]:
    """The attempts that count, and a line for each of the others."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for one in candidates:
        groups.setdefault((one.student, one.problem), []).append(one)
    counted: list[Submission] = []
    unread: list[Unread] = []
    for _, group in sorted(groups.items()):
        last = _last(group)
        if last is not None and last.text is not None:
            counted.append(Submission(last.student, last.problem, last.path, last.text, last.submitted, last.origin))
        unread += [Unread(one.path, _line(one, last, group)) for one in group if one is not last or one.text is None]
    return counted, unread


def _last(group: Sequence[Candidate]) -> Candidate | None:
    """The one that is later than all others, or that has their text; None where nothing tells."""
    for one in group:
        if all(one.later_than(other) for other in group if other is not one):
            return one
    return group[0] if group[0].text is not None and len({one.text for one in group}) == 1 else None


def _line(one: Candidate, last: Candidate | None, group: Sequence[Candidate]) -> str:
    if one.text is None:
        return one.why
    if last is None:
        listed = [other.path for other in group if other is not one]
        more = [f"{len(listed) - MOST_NAMED} more files"] if len(listed) > MOST_NAMED else []
        others = " and ".join((*listed[:MOST_NAMED], *more))
        return (
            f"{one.student} answers {one.problem} in {others} too, and nothing tells which is later: keep one of them, "
            "and run this again."
        )
    if not one.later_than(last) and not last.later_than(one):
        return f"{one.problem}: the same text as {last.path}, which counts."
    if last.text is None:
        return (
            f"an earlier attempt at {one.problem}: {last.path} is later, and cannot be read. Mend that, or remove it to "
            "have this one graded."
        )
    return f"an earlier attempt at {one.problem}: {last.path} counts."
