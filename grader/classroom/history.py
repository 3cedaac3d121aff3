"""What a gradebook told and when: the verdicts that stood, and the exports that were written. All of it stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from grader.classroom.database import Database
from grader.classroom.moves import Exported, Told
from grader.classroom.outcome import Identity
from grader.classroom.status import in_words
from grader.marking.verdict import Verdict

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


class History:
    """What is told in an open gradebook.

    Args:
        verdict: gives the verdict of an outcome, by its number; None for a fault.
    """

    def __init__(self, database: Database, verdict: Callable[[int], Verdict | None]) -> None:
        self._database, self._verdict = database, verdict

    def told(self) -> list[Told]:
        """What was noted, the oldest first."""
        found: list[Told] = []
        for at, student, problem, path, source, outcome, *made_with in self._database.all(EVERY):
            told = Told(at, student, problem, path, source)
            if outcome is not None:
                digest, fingerprint, policy = made_with
                verdict = self._verdict(outcome)
                identity = Identity(digest, problem, fingerprint, policy)
                told = replace(told, outcome=outcome, identity=identity, verdict=verdict and in_words(verdict))
            found.append(told)
        return found

    def note(self, told: Iterable[Told]) -> None:
        """Add what stands now, for good."""
        self._database.change(
            [
                (
                    "INSERT INTO told (at, student, problem, path, source, outcome) VALUES (?, ?, ?, ?, ?, ?)",
                    (one.at, one.student, one.problem, one.path, one.source, one.outcome),
                )
                for one in told
            ]
        )

    def note_export(self, form: str, path: Path, scores: Mapping[str, str]) -> None:
        told = moment(), form, str(path.absolute()), json.dumps(dict(scores))
        self._database.change([("INSERT INTO export VALUES (?, ?, ?, ?)", told)])

    def exports(self) -> list[Exported]:
        """The oldest first."""
        found = self._database.all("SELECT at, format, path, scores FROM export ORDER BY at")
        return [Exported(at, form, path, json.loads(scores)) for at, form, path, scores in found]


def moment() -> str:
    """This moment, so fine that it orders moves and exports."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
