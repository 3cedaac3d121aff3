"""The gradebook: one SQLite file that holds what was handed in and, for good, every outcome of grading it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from grader.classroom.database import Database, Unusable
from grader.classroom.outcome import Identity, Outcome
from grader.classroom.row import DUE, FAULT, VERDICT, Row
from grader.classroom.submission import Submission, Unread
from grader.kit.notebook_verdict import Origin, origin_of, placed

TABLES = """
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE text (digest TEXT PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE item (
    student TEXT, problem TEXT, digest TEXT NOT NULL, path TEXT NOT NULL, submitted TEXT NOT NULL, folder TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT '', late INTEGER NOT NULL DEFAULT 0, team TEXT NOT NULL DEFAULT '',
    layout TEXT NOT NULL DEFAULT '', called TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (student, problem)
);
CREATE TABLE unread (folder TEXT, path TEXT, why TEXT NOT NULL);
CREATE TABLE problem (
    problem TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, policy TEXT NOT NULL,
    since INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE outcome (
    id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL, problem TEXT NOT NULL, fingerprint TEXT NOT NULL,
    policy TEXT NOT NULL, verdict TEXT, fault TEXT NOT NULL, tries INTEGER NOT NULL, graded_at TEXT NOT NULL,
    seconds REAL NOT NULL, processor REAL NOT NULL, peak INTEGER NOT NULL, sample TEXT NOT NULL DEFAULT ''
);
CREATE INDEX outcome_of ON outcome (digest, problem);
"""
"""`since` is the last outcome that no longer counts, because its problem is graded again; `again`, whether that goes on."""

NAMES = ("setting", "text", "item", "unread", "problem", "outcome")
Tables = dict[str, list[dict[str, Any]]]
"""The rows of each table, by the names of their columns."""

CURRENT = """
SELECT i.student, i.problem, i.path, i.digest, i.submitted, p.fingerprint, p.policy, i.origin,
    i.late, i.team, i.layout, i.called,
    (SELECT max(id) FROM outcome o WHERE o.digest = i.digest AND o.problem = i.problem AND o.verdict IS NOT NULL
        AND o.fingerprint = p.fingerprint AND o.policy = p.policy AND o.id > p.since) AS verdict,
    (SELECT max(id) FROM outcome o WHERE o.digest = i.digest AND o.problem = i.problem AND o.verdict IS NULL
        AND o.fingerprint = p.fingerprint AND o.policy = p.policy AND o.id > p.since) AS fault,
    (SELECT max(id) FROM outcome o WHERE o.digest = i.digest AND o.problem = i.problem AND o.verdict IS NOT NULL
        AND NOT (o.fingerprint = p.fingerprint AND o.policy = p.policy AND o.id > p.since)) AS before
FROM item i JOIN problem p USING (problem)
"""


class Journal:
    """An open gradebook (see `Database`, whose errors every method raises).

    Args:
        write: whether to write to it.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path = path
        self._database = Database(path, TABLES, write=write)
        try:
            self._check_names()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def _check_names(self) -> None:
        """Paths are made of the names of problems, and somebody else may have written the gradebook."""
        for (name,) in self._database.all("SELECT problem FROM item UNION SELECT problem FROM problem"):
            if not str(name).isidentifier():
                raise Unusable(
                    f"{self.path} has a problem {name!r}, and no problem can be called so: something else made it."
                )

    def setting(self, name: str) -> str | None:
        """A value that `keep` was given; None if there was none."""
        return next((value for (value,) in self._database.all("SELECT value FROM setting WHERE name = ?", name)), None)

    def keep(self, name: str, value: str) -> None:
        self._database.change([("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))])

    def hand_in(
        self, folder: str, problems: Sequence[str], submissions: Sequence[Submission], unread: Sequence[Unread]
    ) -> list[tuple[str, str]]:
        """Take over what a folder holds now as answers to some problems.

        Returns:
            student and problem of each answer that was there before, and is there no more. What came of it stays. The answer
            stays too as long as it is in doubt whose some files are.
        """
        doubt = any(one.doubt for one in unread)
        here = {(one.student, one.problem) for one in submissions}
        known = self._database.all("SELECT student, problem FROM item WHERE folder = ?", folder)
        gone = sorted((s, p) for s, p in known if p in problems and (s, p) not in here)
        items = [
            (
                *(one.student, one.problem, one.digest, one.path, one.submitted, folder, _origin(one)),
                *(int(one.late), one.team, one.layout, one.called),
            )
            for one in submissions
        ]
        texts = {one.digest: one.text.encode("utf-8", "surrogatepass") for one in submissions}
        self._database.change(
            [
                *(("DELETE FROM item WHERE student = ? AND problem = ?", one) for one in gone if not doubt),
                *(("INSERT OR IGNORE INTO text VALUES (?, ?)", one) for one in texts.items()),
                *(("INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", one) for one in items),
                ("DELETE FROM unread WHERE folder = ?", (folder,)),
                *(("INSERT INTO unread VALUES (?, ?, ?)", (folder, one.path, one.why)) for one in unread),
            ]
        )
        return gone

    def unread(self) -> list[Unread]:
        """What was handed in and could not be read."""
        return [Unread(path, why) for path, why in self._database.all("SELECT path, why FROM unread ORDER BY path")]

    def problems(self) -> list[str]:
        """The problems that somebody handed in an answer to."""
        return [name for (name,) in self._database.all("SELECT DISTINCT problem FROM item ORDER BY problem")]

    def grades_with(self, problem: str, fingerprint: str, policy: str) -> None:
        """From now on, only verdicts under this fingerprint and this policy count."""
        self._database.change(
            [
                (
                    "INSERT INTO problem (problem, fingerprint, policy) VALUES (?, ?, ?) "
                    "ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, policy = excluded.policy",
                    (problem, fingerprint, policy),
                )
            ]
        )

    def grading_with(self) -> dict[str, tuple[str, str]]:
        """The fingerprint and the policy of each problem whose verdicts count."""
        found = self._database.all("SELECT problem, fingerprint, policy FROM problem ORDER BY problem")
        return {problem: (fingerprint, policy) for problem, fingerprint, policy in found}

    def grade_again(self, problem: str) -> None:
        """Let no outcome of a problem count any more. If that was asked for before, and was not finished, it goes on."""
        since = "(SELECT coalesce(max(id), 0) FROM outcome)"
        self._database.change(
            [(f"UPDATE problem SET since = {since}, again = 1 WHERE problem = ? AND NOT again", (problem,))]
        )

    def graded_again(self, problem: str) -> None:
        """Note that the last `grade_again` is finished."""
        self._database.change([("UPDATE problem SET again = 0 WHERE problem = ?", (problem,))])

    def being_graded_again(self) -> list[str]:
        """The problems of which `grade_again` is not finished."""
        return [name for (name,) in self._database.all("SELECT problem FROM problem WHERE again ORDER BY problem")]

    def due(self, problems: Sequence[str]) -> list[tuple[Identity, str]]:
        """Each text of these problems without a verdict that counts, once, in the order of students. Faults are due too."""
        found: dict[Identity, None] = {}
        for _, problem, _, digest, _, fingerprint, policy, *_, verdict, _, _ in self._database.all(
            f"{CURRENT} ORDER BY student, problem"
        ):
            if verdict is None and problem in problems:
                found[Identity(digest, problem, fingerprint, policy)] = None
        return [(one, self.text(one.digest)) for one in found]

    def text(self, digest: str) -> str:
        ((data,),) = self._database.all("SELECT text FROM text WHERE digest = ?", digest)
        return bytes(data).decode("utf-8", "surrogatepass")

    def otherwise_graded(self, identity: Identity) -> list[tuple[str, Outcome]]:
        """The verdicts that still count on the same text under other policies, the newest first, each with its policy."""
        found = self._database.all(
            "SELECT o.policy, o.verdict, o.graded_at, o.seconds, o.processor, o.peak, o.sample FROM outcome o "
            "JOIN problem p USING (problem) WHERE o.digest = ? AND o.problem = ? AND o.fingerprint = ? AND o.policy != ? "
            "AND o.verdict IS NOT NULL AND o.id > p.since ORDER BY o.id DESC",
            *(identity.digest, identity.problem, identity.fingerprint, identity.policy),
        )
        return [
            (policy, Outcome(json.loads(verdict), "", 1, at, *measured)) for policy, verdict, at, *measured in found
        ]

    def measured(self) -> list[tuple[str, str, str, float, int]]:
        """Of every verdict on an answer that ran, the oldest first: digest, problem, status, seconds, peak of memory."""
        return self._database.all(
            "SELECT digest, problem, json_extract(verdict, '$.status'), seconds, peak FROM outcome "
            "WHERE verdict IS NOT NULL AND seconds > 0 ORDER BY id"
        )

    def record(self, outcomes: Iterable[tuple[Identity, Outcome]]) -> None:
        """Add outcomes for good, all or none: once this returns, no crash loses them."""
        self._database.change(
            [
                (
                    "INSERT INTO outcome (digest, problem, fingerprint, policy, verdict, fault, tries, graded_at, seconds, "
                    "processor, peak, sample) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(of.digest, of.problem, of.fingerprint, of.policy),
                        None if one.verdict is None else json.dumps(one.verdict, allow_nan=False),
                        *(one.fault, one.tries, one.graded_at, one.seconds, one.processor, one.peak, one.sample),
                    ),
                )
                for of, one in outcomes
            ]
        )

    def tables(self) -> Tables:
        """All that the gradebook holds, in the order in which it was written."""
        found: Tables = {}
        for name in NAMES:
            columns = [column for (column,) in self._database.all("SELECT name FROM pragma_table_info(?)", name)]
            rows = self._database.all(f"SELECT {', '.join(columns)} FROM {name} ORDER BY rowid")
            found[name] = [dict(zip(columns, row, strict=True)) for row in rows]
        return found

    def fill(self, tables: Tables) -> None:
        """Write all of this into a new gradebook, in one transaction."""
        self._database.change(
            [
                (f"INSERT INTO {name} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
                for name, rows in tables.items()
                for row in rows
            ]
        )

    def rows(self) -> list[Row]:
        """What is known of every answer, sorted by student and problem."""
        found: list[Row] = []
        for (
            student,
            problem,
            path,
            digest,
            submitted,
            _,
            _,
            origin,
            late,
            team,
            layout,
            called,
            verdict,
            fault,
            before,
        ) in self._database.all(f"{CURRENT} ORDER BY student, problem"):
            cells = origin_of(origin) if origin else None
            known = {"team": team, "layout": layout, "called": called}
            item = student, problem, path, digest, submitted, DUE, None
            row = Row(*item, before=self._verdict(before, path, cells)[0], late=bool(late), **known)
            row = replace(row, note=cells.note if cells else "")
            if verdict is not None:
                told, _, at, sample = self._verdict(verdict, path, cells)
                row = replace(row, state=VERDICT, verdict=told, graded_at=at, sample=sample)
            elif fault is not None:
                _, line, at, _ = self._verdict(fault, path, cells)
                row = replace(row, state=FAULT, fault=line, graded_at=at)
            found.append(row)
        return found

    def _verdict(
        self, number: int | None, path: str, origin: Origin | None
    ) -> tuple[dict[str, Any] | None, str, str, str]:
        """The verdict, the fault, the time and the sample of an outcome. One verdict may be on files of several students."""
        for verdict, fault, at, sample in self._database.all(
            "SELECT verdict, fault, graded_at, sample FROM outcome WHERE id = ?", number
        ):
            told = None if verdict is None else self._read(verdict, path)
            return placed(told, origin) if told and origin else told, fault, at, sample
        return None, "", "", ""

    def _read(self, text: str, path: str) -> dict[str, Any]:
        try:
            return {**json.loads(text), "file": path}
        except (ValueError, TypeError, RecursionError):
            raise Unusable(f"{self.path}: the verdict on {path} is none that this grader wrote.") from None


def _origin(one: Submission) -> str:
    return "" if one.origin is None else one.origin.as_text()
