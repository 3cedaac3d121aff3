"""Which of a student's attempts at a problem counts, of all that a gradebook holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grader.classroom.intake import EARLIER, HERE, Item
from grader.classroom.points import LAST, ON_TIME, Points
from grader.classroom.row import Row
from grader.classroom.submission import later


def that_counts(attempts: Sequence[Item], points: Points, row: Callable[[Item], Row]) -> Item | None:
    """The attempt that counts; None where nothing tells which does.

    Where nothing orders two attempts that may both count, the one that was read last does.

    Args:
        attempts: those of one student at one problem that may count.
        row: what is known of one.
    """
    last = _last(attempts)
    if points.attempt == LAST or (points.attempt == ON_TIME and last is None):
        return last
    if points.attempt == ON_TIME:
        timely = [one for one in attempts if points.late(row(one)) is None]
        return last if last in timely or not timely else _latest(timely)
    return _best(attempts, last or _latest(attempts), points, row)


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
