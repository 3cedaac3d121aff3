"""Of several attempts of one student at one problem, which counts, in a folder and in a gradebook: no silent choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grader.classroom.file_names import without_copies
from grader.classroom.intake import CANDIDATES, EARLIER, HERE, OTHER, REPLACED, Item
from grader.classroom.points import LAST, ON_TIME, Points
from grader.classroom.row import Row
from grader.classroom.submission import Submission, Unread, later
from grader.classroom.tree import Whose
from grader.kit.notebook_verdict import CellOrigin
from grader.kit.text import counted

MOST_FILES_NAMED = 3
"""The most other files that a line names."""


@dataclass(frozen=True)
class Candidate:
    """An answer that was found, or a file that cannot be read though its name says whose it is and what it answers.

    Attributes:
        text: None where it cannot be read.
        beside: as in `answers.AnswerInFile`. No time tells whether such a file replaces one for this problem alone: the
            function in it may be there to help another.
    """

    whose: Whose
    path: str
    text: str | None
    why: str = ""
    origin: CellOrigin | None = None
    beside: bool = False

    def later_than(self, other: Candidate) -> bool:
        return self.beside == other.beside and later(self._against(other), other._against(self))

    def _against(self, other: Candidate) -> Whose:
        """Whose it is, without its number if the other's is that of a file of another name: each name is counted apart."""
        whose = self.whose
        if whose.attempt is None or without_copies(whose.file) == without_copies(other.whose.file):
            return whose
        return replace(whose, attempt=replace(whose.attempt, number=None))

    def unread(self, why: str = "", *, doubt: bool = False) -> Unread:
        """The line for what is not graded, and is not replaced."""
        return Unread(self.path, why or self.why, doubt, *self.whose.of)

    def submission(self) -> Submission | None:
        """What counts; None where it cannot be read."""
        whose = self.whose
        if self.text is None:
            return None
        told = whose.late, whose.team, whose.called
        return Submission(*whose.of, self.path, self.text, whose.submitted, self.origin, *told, attempt=whose.attempt)


def latest(
    candidates: Sequence[Candidate], shipped: Callable[[str, str], bool] = lambda problem, text: False
) -> tuple[list[Submission], list[Unread]]:
    """The attempts that count, and a line for each of the others.

    Where nothing tells which of several is later, none counts, but for two cases: all have the same text; or all but one are
    the stub as it was shipped, which somebody handed in beside his answer.

    Args:
        shipped: whether a text is the shipped stub of a problem.
    """
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.whose.of, []).append(candidate)
    kept: list[Submission] = []
    unread: list[Unread] = []
    for (_, problem), group in sorted(groups.items()):
        filled = [
            candidate
            for candidate in group
            if candidate.text is None or len(group) == 1 or not shipped(problem, candidate.text)
        ]
        last = _last(group) or _beside_stubs(filled, group)
        if last is not None and (submission := last.submission()) is not None:
            kept.append(submission)
        several = len({candidate.path.split("/")[1] for candidate in group if candidate.path.count("/") > 1}) > 1
        hint = ", or name the assignment with --assignment" if several else ""
        for candidate in (candidate for candidate in group if candidate is not last or candidate.text is None):
            line = _line(candidate, last, group, hint, filled)
            stub_counts = candidate in filled and last not in filled and candidate.text is not None
            if last is None or last.text is None or stub_counts:
                unread.append(candidate.unread(line, doubt=last is None and candidate.text is not None))
            else:
                unread.append(Unread(candidate.path, line))
    return kept, list(dict.fromkeys(unread))  # a file of several people has one line


def _last(group: Sequence[Candidate]) -> Candidate | None:
    """The one that is later than all others, or that has their text; None where nothing tells."""
    for candidate in group:
        if all(candidate.later_than(other) for other in group if other is not candidate):
            return candidate
    same = len({candidate.text for candidate in group}) == 1
    return group[0] if group and group[0].text is not None and same else None


def _beside_stubs(filled: Sequence[Candidate], group: Sequence[Candidate]) -> Candidate | None:
    """The one that counts beside shipped stubs; None where nothing tells, or a stub is later than it."""
    last = _last(filled) if all(candidate.text is not None for candidate in filled) else None
    return None if last is None or any(candidate.later_than(last) for candidate in group) else last


def _line(
    candidate: Candidate, last: Candidate | None, group: Sequence[Candidate], hint: str, filled: Sequence[Candidate]
) -> str:
    if candidate.text is None:
        return candidate.why
    problem = candidate.whose.problem
    if last is None:
        listed = [other.path for other in group[: MOST_FILES_NAMED + 1] if other is not candidate][:MOST_FILES_NAMED]
        left = len(group) - 1 - len(listed)
        others = " and ".join((*listed, *([counted(left, "more file")] if left else [])))
        return (
            f"{candidate.whose.student} answers {problem} in {others} too, and nothing tells which is later: keep one of "
            f"them, and run this again{hint}."
        )
    if not candidate.later_than(last) and not last.later_than(candidate):
        said = "the same text as" if candidate.text == last.text else "the stub as it was shipped, beside"
        return f"{problem}: {said} {last.path}, which counts."
    if last.text is None:
        return (
            f"an earlier attempt at {problem}: {last.path} is later, and cannot be read. Until it can be, or is gone, "
            "neither is graded."
        )
    if candidate in filled and last not in filled:
        return (
            f"an earlier attempt at {problem}, and filled in: {last.path} is later and counts, and it is the stub as it was "
            "shipped."
        )
    return f"an earlier attempt at {problem}: {last.path} counts."


def that_counts(attempts: Sequence[Item], points: Points, row: Callable[[Item], Row]) -> Item | None:
    """The attempt that counts; None where nothing tells which does. Who is excused or has points by hand changes nothing.

    Where nothing orders two attempts that may both count, the one that was read last does.
    """
    last = _last_attempt(attempts)
    if points.attempt == LAST:
        return last
    if points.attempt == ON_TIME:
        return _last_on_time(attempts, last, points, row)
    return _best(attempts, last or _latest(attempts), replace(points, excused={}, by_hand={}), row)


def _last_on_time(
    attempts: Sequence[Item], last: Item | None, points: Points, row: Callable[[Item], Row]
) -> Item | None:
    """None where it depends on when an attempt was handed in that is marked late, and that makes another verdict count."""
    late = {attempt: points.late(row(attempt)) for attempt in attempts}
    timely = [attempt for attempt in attempts if late[attempt] is None]
    if last is None or last in timely:
        return last
    counts = _latest(timely) if timely else last
    worth = points.before(row(counts))
    for attempt, how in late.items():
        rival = how is not None and not how.sure and not (timely and later(counts, attempt))
        if rival and points.before(row(attempt)) != worth:
            return None
    return counts


def _best(attempts: Sequence[Item], last: Item, points: Points, row: Callable[[Item], Row]) -> Item:
    """The one with most points, of several the last. One whose points are not known may be it, unless another has all."""
    rows = {attempt: row(attempt) for attempt in attempts}
    worth = {attempt: points.of(rows[attempt]) for attempt in attempts}
    open_ = [attempt for attempt in attempts if worth[attempt] is None]
    most = max((value for value in worth.values() if value is not None), default=None)
    if most is None or (open_ and most < points.most(rows[last].problem)):
        return last if last in open_ else _latest(open_)
    best = [attempt for attempt in attempts if worth[attempt] == most]
    return last if last in best else _latest(best)


def _last_attempt(attempts: Sequence[Item]) -> Item | None:
    """The last one; None where a folder holds several that nothing orders. What an older download lacks is not forgotten."""
    here = [attempt for attempt in attempts if attempt.standing == HERE]
    if not here:
        return None
    last = _latest(here)
    for attempt in attempts:
        if attempt.standing == EARLIER and later(attempt, last):
            last = attempt
    return last


def _latest(attempts: Sequence[Item]) -> Item:
    last = attempts[0]
    for attempt in attempts[1:]:
        if later(attempt, last) or (not later(last, attempt) and attempt.read_at > last.read_at):
            last = attempt
    return last


def not_counted(items: Iterable[Item], counting: Mapping[tuple[str, str], Item], rule: str) -> list[Unread]:
    """A line for each answer in whose place another one counts, by a rule."""
    kinds = (HERE,) if rule == LAST else CANDIDATES
    found: list[Unread] = []
    for item in items:
        counts = counting.get(item.of)
        if counts is None or item.digest == counts.digest:
            continue
        if item.standing in kinds:
            why = f'another attempt at {item.problem}: {counts.place} counts, by the rule "{rule}".'
            found.append(Unread(item.path, why))
        elif item.standing == REPLACED:
            found.append(Unread(item.path, f"an answer of {item.source} to {item.problem}: {counts.place} counts."))
    return found


def in_doubt(attempts: Sequence[Item]) -> list[Unread]:
    """A line for each attempt of one student at one problem where none counts, and no line of their folders says so."""
    unsure = any(attempt.standing == HERE for attempt in attempts)  # else a folder holds several that nothing orders
    several = [attempt for attempt in attempts if unsure or attempt.standing == OTHER]
    if len(several) < 2:
        return []
    depends = ", since one is marked late, its time is not known, and it may be on time by the points file"
    why = (
        f"one of {len(several)} attempts at {several[0].problem}, and nothing tells which of them counts"
        f"{depends if unsure else ''}: [by_hand] in the points file can say what they are worth."
    )
    return [Unread(attempt.path, why, True, *attempt.of) for attempt in several]
