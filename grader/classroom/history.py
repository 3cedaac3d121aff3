"""What a gradebook told and when: the verdicts that stood, and the exports that were written. All of it stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.classroom.database import Database, Unusable
from grader.classroom.moves import Exported, Told
from grader.classroom.outcome import Identity
from grader.classroom.status import in_words

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
SELECT t.at, t.student, t.problem, t.path, t.source, t.outcome, o.digest, o.fingerprint, o.policy, o.verdict
FROM told t LEFT JOIN outcome o ON o.id = t.outcome ORDER BY t.id
"""


class History:
    """What is told in an open gradebook.

    Args:
        read: makes a verdict of its text and of the path of its answer.
    """

    def __init__(self, database: Database, read: Callable[[str, str], dict[str, Any]]) -> None:
        self._database, self._read = database, read

    def told(self) -> list[Told]:
        """What was noted, the oldest first."""
        found: list[Told] = []
        for at, student, problem, path, source, outcome, digest, fingerprint, policy, verdict in self._database.all(
            EVERY
        ):
            identity = None if outcome is None else Identity(digest, problem, fingerprint, policy)
            told = Told(at, student, problem, path, source, outcome, identity)
            found.append(told if verdict is None else self.with_words(told, self._read(verdict, path)))
        return found

    def with_words(self, told: Told, verdict: dict[str, Any]) -> Told:
        """The same with the verdict in words.

        Raises:
            Unusable: it is none that this grader wrote.
        """
        try:
            return replace(told, verdict=in_words(verdict))
        except (LookupError, TypeError):
            raise Unusable(
                f"{self._database.path}: the verdict on {told.path} is none that this grader wrote."
            ) from None

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
