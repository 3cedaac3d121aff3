"""Which of a student's attempts at a problem counts, of all that a gradebook holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from grader.classroom.intake import CANDIDATES, EARLIER, HERE, OTHER, REPLACED, Item
from grader.classroom.points import LAST, ON_TIME, Points
from grader.classroom.row import Row
from grader.classroom.submission import Unread, later

UNSURE = (
    "one of {} attempts at {}, and nothing tells which of them counts{}: [by_hand] in the points file can say what they are "
    "worth."
)
DEPENDS = ", since one is marked late, its time is not known, and it may be on time by the points file"


def that_counts(attempts: Sequence[Item], points: Points, row: Callable[[Item], Row]) -> Item | None:
    """The attempt that counts; None where nothing tells which does. Who is excused or has points by hand changes nothing.

    Where nothing orders two attempts that may both count, the one that was read last does.

    Args:
        attempts: those of one student at one problem that may count.
        row: what is known of one.
    """
    last = _last(attempts)
    if points.attempt == LAST:
        return last
    if points.attempt == ON_TIME:
        return _last_on_time(attempts, last, points, row)
    return _best(attempts, last or _latest(attempts), replace(points, excused={}, by_hand={}), row)


def _last_on_time(
    attempts: Sequence[Item], last: Item | None, points: Points, row: Callable[[Item], Row]
) -> Item | None:
    """None where it depends on when an attempt was handed in that is marked late, and that makes another verdict count."""
    late = {one: points.late(row(one)) for one in attempts}
    timely = [one for one in attempts if late[one] is None]
    if last is None or last in timely:
        return last
    counts = _latest(timely) if timely else last
    worth = points.before(row(counts))
    for one, how in late.items():
        rival = how is not None and not how.sure and not (timely and later(counts, one))
        if rival and points.before(row(one)) != worth:
            return None
    return counts


def _best(attempts: Sequence[Item], last: Item, points: Points, row: Callable[[Item], Row]) -> Item:
    """The one with most points, of several the last. One whose points are not known may be it, unless another has all."""
    rows = {one: row(one) for one in attempts}
    worth = {one: points.of(rows[one]) for one in attempts}
    open_ = [one for one in attempts if worth[one] is None]
    most = max((value for value in worth.values() if value is not None), default=None)
    if most is None or (open_ and most < points.most(rows[last].problem)):
        return last if last in open_ else _latest(open_)
    best = [one for one in attempts if worth[one] == most]
    return last if last in best else _latest(best)


def _last(attempts: Sequence[Item]) -> Item | None:
    """The last one; None where a folder holds several that nothing orders. What an older download lacks is not forgotten."""
    here = [one for one in attempts if one.standing == HERE]
    if not here:
        return None
    last = _latest(here)
    for one in attempts:
        if one.standing == EARLIER and later(one, last):
            last = one
    return last


def _latest(attempts: Sequence[Item]) -> Item:
    last = attempts[0]
    for one in attempts[1:]:
        if later(one, last) or (not later(last, one) and one.read_at > last.read_at):
            last = one
    return last


def not_counted(items: Iterable[Item], counting: Mapping[tuple[str, str], Item], rule: str) -> list[Unread]:
    """A line for each answer in whose place another one counts.

    Args:
        counting: what counts, of a student at a problem.
        rule: by which rule.
    """
    kinds = (HERE,) if rule == LAST else CANDIDATES
    found: list[Unread] = []
    for one in items:
        counts = counting.get(one.of)
        if counts is None or one.digest == counts.digest:
            continue
        if one.standing in kinds:
            why = f'another attempt at {one.problem}: {counts.place} counts, by the rule "{rule}".'
            found.append(Unread(one.path, why))
        elif one.standing == REPLACED:
            found.append(Unread(one.path, f"an answer of {one.source} to {one.problem}: {counts.place} counts."))
    return found


def in_doubt(attempts: Sequence[Item]) -> list[Unread]:
    """A line for each attempt of one student at one problem where none counts, and no line of their folders says so."""
    unsure = any(one.standing == HERE for one in attempts)  # else a folder holds several that nothing orders
    several = [one for one in attempts if unsure or one.standing == OTHER]
    depends = DEPENDS if unsure else ""
    told = [(one, UNSURE.format(len(several), one.problem, depends)) for one in several]
    return [Unread(one.path, why, True, *one.of) for one, why in told] if len(told) > 1 else []
