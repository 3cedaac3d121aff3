"""Of several attempts of one student at one problem, which counts: never a silent choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.classroom.layouts import Whose
from grader.classroom.submission import Submission, Unread
from grader.kit.notebook_verdict import Origin
from grader.marking.words import counted

MOST_FILES_NAMED = 3
"""The most other files that a line names."""


@dataclass(frozen=True)
class Candidate:
    """An answer that was found, or a file that cannot be read though its name says whose it is and what it answers.

    Attributes:
        whose: whose it is, and the problem.
        text: None where it cannot be read.
        why: why it cannot be read.
        origin: as in a submission.
    """

    whose: Whose
    path: str
    text: str | None
    why: str = ""
    origin: Origin | None = None

    def later_than(self, other: Candidate) -> bool:
        one, two = self.whose, other.whose
        if one.submitted and two.submitted and one.submitted != two.submitted:
            return one.submitted > two.submitted
        return one.attempt is not None and two.attempt is not None and one.attempt.later_than(two.attempt)

    def submission(self) -> Submission | None:
        """What counts; None where it cannot be read."""
        one = self.whose
        if self.text is None:
            return None
        return Submission(
            *(
                one.student,
                one.problem,
                self.path,
                self.text,
                one.submitted,
                self.origin,
                one.late,
                one.team,
                one.called,
            )
        )


def latest(candidates: Sequence[Candidate]) -> tuple[list[Submission], list[Unread]]:
    """The attempts that count, and a line for each of the others."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for one in candidates:
        groups.setdefault((one.whose.student, one.whose.problem), []).append(one)
    kept: list[Submission] = []
    unread: list[Unread] = []
    for _, group in sorted(groups.items()):
        last = _last(group)
        if last is not None and (submission := last.submission()) is not None:
            kept.append(submission)
        several = len({one.path.split("/")[1] for one in group if one.path.count("/") > 1}) > 1
        hint = ", or name the assignment with --assignment" if several else ""
        unread += [
            Unread(one.path, _line(one, last, group, hint)) for one in group if one is not last or one.text is None
        ]
    return kept, list(dict.fromkeys(unread))  # a file of several people has one line


def _last(group: Sequence[Candidate]) -> Candidate | None:
    """The one that is later than all others, or that has their text; None where nothing tells."""
    for one in group:
        if all(one.later_than(other) for other in group if other is not one):
            return one
    return group[0] if group[0].text is not None and len({one.text for one in group}) == 1 else None


def _line(one: Candidate, last: Candidate | None, group: Sequence[Candidate], hint: str) -> str:
    if one.text is None:
        return one.why
    problem = one.whose.problem
    if last is None:
        listed = [other.path for other in group[: MOST_FILES_NAMED + 1] if other is not one][:MOST_FILES_NAMED]
        left = len(group) - 1 - len(listed)
        others = " and ".join((*listed, *([counted(left, "more file")] if left else [])))
        return (
            f"{one.whose.student} answers {problem} in {others} too, and nothing tells which is later: keep one of them, "
            f"and run this again{hint}."
        )
    if not one.later_than(last) and not last.later_than(one):
        return f"{problem}: the same text as {last.path}, which counts."
    if last.text is None:
        return (
            f"an earlier attempt at {problem}: {last.path} is later, and cannot be read. Mend that, or remove it to "
            "have this one graded."
        )
    return f"an earlier attempt at {problem}: {last.path} counts."
