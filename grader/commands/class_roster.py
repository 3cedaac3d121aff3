"""How the roster and a gradebook agree, and on whom they do not: ids alone, since only exports join names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grader.classroom.roster import Roster
from grader.classroom.row import Row
from grader.kit.text import visible
from grader.report.terminal import Terminal

MOST_IDS = 5
"""The most ids that are listed; more are counted."""


def tell_matches(people: Roster, rows: Sequence[Row]) -> None:
    """Say by which rules students were found in the roster, and for each reason who was not."""
    match = people.among(rows).match
    found = {name: match(name) for name in sorted({row.student for row in rows})}
    terminal = Terminal.make(stderr=True)
    if rules := Counter(match.why for match in found.values() if match.person):
        told = ", ".join(f"{count} by {visible(rule)}" for rule, count in rules.most_common())
        terminal.fault(f"Matched with the roster: {told}.")
    for why in dict.fromkeys(match.why for match in found.values() if not match.person):
        unknown = [name for name, match in found.items() if match.why == why]
        terminal.fault(f"Not in the roster: {_listed(unknown)} ({why}).")


def tell_absent(people: Roster, rows: Sequence[Row]) -> None:
    """Say who is in the roster and handed in nothing."""
    if absent := [one.id for one in people.among(rows).without_work(row.student for row in rows)]:
        Terminal.make(stderr=True).fault(f"In the roster, and without any answer here: {_listed(absent)}.")


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - MOST_IDS} more" if len(ids) > MOST_IDS else ""
    return f"{visible(', '.join(ids[:MOST_IDS]))}{more}"
