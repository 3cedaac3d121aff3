"""How the roster and a gradebook agree, and on whom they do not: ids alone, since only exports join names."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from grader.classroom.journal import Journal
from grader.classroom.roster import Roster, read_roster
from grader.classroom.row import Row
from grader.kit.kit import KitError
from grader.kit.text import visible
from grader.report.terminal import Terminal

MOST_IDS = 5
"""The most ids that are listed; more are counted."""


def roster_of(journal: Journal, given: Path | None) -> Roster | None:
    """The list of the class: the one that is given, else the one that the gradebook remembers; None if there is neither.

    A line says so if the one that is remembered cannot be read any more, or has changed.
    """
    if given is not None:
        return read_roster(given)
    kept = journal.roster()
    if kept is None:
        return None
    try:
        people = read_roster(Path(kept.path))
        changed = hashlib.sha256(Path(kept.path).read_bytes()).hexdigest() != kept.digest
    except (KitError, OSError) as error:
        why = f"{kept.path}: {error.strerror}" if isinstance(error, OSError) else str(error)
        Terminal.make(stderr=True).fault(
            f"The roster of the last `class grade` cannot be read. Give --roster FILE. {why}"
        )
        return None
    if changed:
        Terminal.make(stderr=True).fault(
            f"{visible(kept.path)} has changed since the last `class grade`: it counts as it is now."
        )
    return people


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
