"""The gradebook: one SQLite file that holds what was handed in and, for good, every outcome of grading it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from grader.classroom.attempts import in_doubt, not_counted, that_counts
from grader.classroom.database import Database, Unusable
from grader.classroom.history import TABLES as HISTORY
from grader.classroom.history import Exported, Move, StandingVerdict, moves, note, now_exactly, standing, why_it_moved
from grader.classroom.intake import (
    CANDIDATES,
    GONE,
    HERE,
    OPEN,
    OTHER,
    REPLACED,
    Intake,
    Item,
    check,
    item_of,
    taken_over,
)
from grader.classroom.points import BEST, DEFAULT, LAST, Points, of_toml, parsed
from grader.classroom.roster import Roster
from grader.classroom.row import (
    DUE,
    Identity,
    KnownAnswer,
    Outcome,
    Row,
    on_file,
    read_verdict,
    standing_in_words,
    verdict_text,
    with_outcome,
)
from grader.classroom.row_text import listed
from grader.classroom.submission import Submission, Unread
from grader.kit.notebook_verdict import CellOrigin
from grader.marking.verdict import Status, Verdict
from grader.values.decode import Malformed, decode, parse

TABLES = f"""
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE text (digest TEXT PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE item (
    student TEXT, problem TEXT, digest TEXT NOT NULL, path TEXT NOT NULL, submitted TEXT NOT NULL, folder TEXT NOT NULL,
    origin TEXT NOT NULL, late INTEGER NOT NULL, team TEXT NOT NULL, layout TEXT NOT NULL, called TEXT NOT NULL,
    number INTEGER, upload INTEGER, source TEXT NOT NULL, read_at TEXT NOT NULL, standing TEXT NOT NULL,
    PRIMARY KEY (student, problem, folder, path, digest)
);
CREATE TABLE unread (
    folder TEXT, path TEXT, why TEXT NOT NULL, doubt INTEGER NOT NULL DEFAULT 0, student TEXT NOT NULL DEFAULT '',
    problem TEXT NOT NULL DEFAULT ''
);
CREATE TABLE problem (
    problem TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, policy TEXT NOT NULL,
    since INTEGER NOT NULL DEFAULT 0, again INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE outcome (
    id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL, problem TEXT NOT NULL, fingerprint TEXT NOT NULL,
    policy TEXT NOT NULL, verdict TEXT, fault TEXT NOT NULL, tries INTEGER NOT NULL, graded_at TEXT NOT NULL,
    seconds REAL NOT NULL, peak INTEGER NOT NULL
);
CREATE INDEX outcome_of ON outcome (digest, problem);
{HISTORY}"""
"""`item` has every attempt that was read, and how it stands (see `intake.py`). `since` is the last outcome that no longer
counts, because its problem is graded again; `again`, whether that goes on."""

NAMES = ("setting", "text", "item", "unread", "problem", "outcome", "told", "export")
Tables = dict[str, list[dict[str, Any]]]
"""The rows of each table, by the names of their columns."""

STILL = "still counted of "
"""With a folder, the name of the setting that says which answers count though that has them no more."""

COLUMNS = tuple(field.name for field in fields(Item))
"""Those of `item`."""

CURRENT = f"""
SELECT {", ".join(f"i.{name}" for name in COLUMNS)}, p.fingerprint, p.policy,
    (SELECT max(id) FROM outcome o WHERE o.digest = i.digest AND o.problem = i.problem AND o.verdict IS NOT NULL
        AND o.fingerprint = p.fingerprint AND o.policy = p.policy AND o.id > p.since),
    (SELECT max(id) FROM outcome o WHERE o.digest = i.digest AND o.problem = i.problem AND o.verdict IS NULL
        AND o.fingerprint = p.fingerprint AND o.policy = p.policy AND o.id > p.since)
FROM item i JOIN problem p USING (problem) WHERE i.standing IN {CANDIDATES} AND EXISTS (
    SELECT 1 FROM item n WHERE (n.student, n.problem, n.folder) = (i.student, i.problem, i.folder)
        AND n.standing IN {(HERE, OTHER, REPLACED)}
) ORDER BY student, problem
"""


@dataclass(frozen=True)
class _Current:
    """An attempt that may count, and the numbers of what came of it."""

    item: Item
    identity: Identity
    verdict: int | None
    fault: int | None


_Attempts = Mapping[tuple[str, str], tuple[_Current | None, Sequence[_Current]]]
"""Of each student and problem the attempt that counts, if one does, and the others that might."""


def _counting(attempts: _Attempts) -> dict[tuple[str, str], _Current]:
    return {of: counts for of, (counts, _) in attempts.items() if counts is not None}


@dataclass(frozen=True)
class KeptRoster:
    """The list of the class that a gradebook was graded with.

    Attributes:
        path: whole.
        digest: SHA-256 of its bytes.
        teams: whether the class handed in by teams.
    """

    path: str
    digest: str
    teams: bool = False


class Journal:
    """An open gradebook (see `Database`, whose errors every method raises).

    Args:
        write: whether to write to it.
    """

    def __init__(self, path: Path, *, write: bool = False) -> None:
        self.path = path
        self._database = Database(path, TABLES, write=write)
        self._outcomes: dict[int, Outcome] = {}  # by their numbers: none of them ever changes
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

    def together(self) -> AbstractContextManager[None]:
        """Do all changes of a block, or none of them."""
        return self._database.together()

    def setting(self, name: str) -> str | None:
        """A value that `keep` was given; None if there was none."""
        return next((value for (value,) in self._database.all("SELECT value FROM setting WHERE name = ?", name)), None)

    def keep(self, name: str, value: str) -> None:
        self._database.change("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))

    def hand_in(
        self,
        folder: str,
        problems: Sequence[str],
        submissions: Sequence[Submission],
        unread: Sequence[Unread],
        *,
        others: Sequence[Submission] = (),
        source: str = "",
        replacing: bool = False,
        fewer: bool = False,
    ) -> Intake:
        """Take over what a folder holds now as answers to some problems. What came of answers that are gone stays.

        Args:
            others: attempts beside the latest.
            source: the folder, or the zip, as it is told.
            replacing: whether answers of other folders may be replaced, though nothing tells which is later.
            fewer: whether more than a third of what was read from this folder before may be gone.

        Returns:
            what changed. While it is in doubt whose some files are, an answer that is gone stays too.

        Raises:
            Unusable: one of both is not said, and nothing was changed.
        """
        source, at, doubt = source or folder, now_exactly(), any(unread_file.nobodys for unread_file in unread)
        handed = {item.key: item for item in (item_of(other, folder, source, at, OTHER) for other in others)}
        handed |= {item.key: item for item in (item_of(submission, folder, source, at) for submission in submissions)}
        known = self._items()
        there = {unread_file.of for unread_file in unread}
        now = list(handed.values())
        taken = taken_over(folder, problems, known, now, doubt=doubt, unread=there, replacing=replacing)
        own = [item for item in known if item.folder == folder and item.problem in problems]
        mine = {item.of for item in own if item.standing in (HERE, OPEN)}
        check(taken, source, len(mine), replacing=replacing, fewer=fewer or doubt)
        whole = not now and bool(unread) and all(unread_file.nobodys for unread_file in unread)
        texts = {
            submission.digest: submission.text.encode("utf-8", "surrogatepass")
            for submission in (*submissions, *others)
        }
        self.settle()
        marks = ", ".join("?" * len(COLUMNS))
        with self.together():
            self._database.change("INSERT OR IGNORE INTO text VALUES (?, ?)", *texts.items())
            self._database.change(
                f"INSERT OR REPLACE INTO item ({', '.join(COLUMNS)}) VALUES ({marks})", *map(astuple, taken.items)
            )
            self.keep(f"{STILL}{folder}", json.dumps(taken.gone if doubt else []))
            # Who is known to lack an answer still does if nobody can tell any more whose anything is.
            self._database.change(
                "DELETE FROM unread WHERE folder = ? AND problem = ? AND (student = '' OR NOT ?)",
                *((folder, problem, whole) for problem in ("", *problems)),
            )
            self._database.change(
                "INSERT INTO unread VALUES (?, ?, ?, ?, ?, ?)",
                *((folder, each.path, each.why, each.doubt, each.student, each.problem) for each in unread),
            )
        return taken

    def _items(self) -> list[Item]:
        return [_item(row) for row in self._database.all(f"SELECT {', '.join(COLUMNS)} FROM item")]

    def unread(self, rule: Points | None = None) -> list[Unread]:
        """What was handed in and is not graded: what could not be read, and attempts in whose place another one counts.

        Args:
            rule: what says which attempt counts; None for what is kept.
        """
        found = [
            Unread(path, why, bool(doubt), student, problem)
            for path, why, doubt, student, problem in self._database.all(
                "SELECT path, why, doubt, student, problem FROM unread ORDER BY path"
            )
        ]
        points = rule or self.points()
        attempts = self._attempts(points)
        counting = _counting(attempts)
        if points.attempt == BEST:  # what cannot be read may be better
            short = {of for of, attempt in counting.items() if points.of(self._row(attempt)) != points.most(of[1])}
            graded = {(item.of, item.path) for item in self._items() if item.standing in CANDIDATES}
            found = [
                replace(each, doubt=each.doubt or (each.of in short and (each.of, each.path) not in graded))
                for each in found
            ]
        found += not_counted(self._items(), {of: attempt.item for of, attempt in counting.items()}, points.attempt)
        for of in attempts.keys() - counting.keys() - {unread_file.of for unread_file in found}:
            found += in_doubt([attempt.item for attempt in attempts[of][1]])
        return sorted(found, key=lambda unread_file: unread_file.path)

    def gone(self) -> list[tuple[str, str]]:
        """Student and problem of each answer that was read once, and is no more where it was read from."""
        items = self._items()
        here = {*_counting(self._attempts()), *(item.of for item in items if item.standing in (OTHER, OPEN))}
        return sorted({item.of for item in items if item.standing == GONE} - here)

    def notes(self) -> list[str]:
        """What must be said wherever grades are, in one line each."""
        gone = [" ".join(of) for of in self.gone()]
        lines = [f"No longer read, and so not counted any more: {listed(gone)}."] if gone else []
        query = "SELECT value FROM setting WHERE name LIKE ? ORDER BY name"
        if still := [" ".join(of) for (value,) in self._database.all(query, f"{STILL}%") for of in json.loads(value)]:
            lines.append(f"Not read now, and still counted as long as something is in doubt: {listed(still)}.")
        return [*lines, *self.points_notes()]

    def points_notes(self) -> list[str]:
        """A line if the file of points that was kept is another one now, or cannot be read."""
        if not (path := self.setting("points_file")):
            return []
        try:
            same = Path(path).read_text(encoding="utf-8") == self.setting("points")
            what = "has changed"
        except (OSError, UnicodeDecodeError):
            same, what = False, "cannot be read any more"
        note = f"{path} {what} since `class grade` was given it with --points, and the gradebook has it as it was then."
        return [] if same else [f"{note} To change that, give the file to `class grade` again."]

    def keep_points(self, text: str, path: Path | None = None) -> None:
        """Keep the file of points of the class: it says which attempt counts.

        Args:
            path: where it lies; None for a rule that was given as text.
        """
        of_toml(text, str(self.path))
        self.keep("points", text)
        self.keep("points_file", "" if path is None else str(path.absolute()))

    def points(self) -> Points:
        """The points that were kept: they say which attempt counts."""
        text = self.setting("points")
        return Points(parsed(DEFAULT)) if text is None else of_toml(text, str(self.path)).renamed(self.other_ids())

    def renamed(self, points: Points, people: Roster | None) -> Points:
        """Points that may name a student by any id on the list of the class, by the ids that the gradebook has.

        Raises:
            KitError: they name a student by two.
        """
        return points.renamed(self.other_ids() if people is None else self.ids_on(people))

    def other_ids(self) -> dict[str, str]:
        """The other ids of students that were kept, each with the student."""
        try:
            return decode(dict[str, str], parse((self.setting("other ids") or "{}").encode()))
        except Malformed:
            raise Unusable(f"{self.path}: its ids of students are none that this grader wrote.") from None

    def ids_on(self, people: Roster) -> dict[str, str]:
        """The other ids of students, by a list of the class."""
        items, unread = self._items(), self._database.all("SELECT student FROM unread WHERE student != ''")
        students = {item.student for item in items} | {student for (student,) in unread}
        return people.among(items).other_ids(students)

    def keep_ids(self, ids: Mapping[str, str]) -> None:
        """Keep the other ids of students: points may name them by any."""
        self.keep("other ids", json.dumps(dict(ids)))

    def keep_roster(self, roster: KeptRoster) -> None:
        self.keep("roster", json.dumps([roster.path, roster.digest, roster.teams]))

    def roster(self) -> KeptRoster | None:
        """The list of the class that was given last; None if there was none."""
        kept = self.setting("roster")
        try:
            return None if kept is None else KeptRoster(*json.loads(kept))
        except (ValueError, TypeError):
            raise Unusable(f"{self.path}: its roster is none that this grader wrote.") from None

    def note_export(self, form: str, path: Path, scores: Mapping[str, str]) -> None:
        """Remember an export that is written, and what it says: also where the gradebook is open to be read alone.

        Args:
            scores: of each student what is written, as text.
        """
        self.settle()
        row = now_exactly(), form, str(path.absolute()), json.dumps(dict(scores))
        self._database.change("INSERT INTO export VALUES (?, ?, ?, ?)", row)

    def exports(self) -> list[Exported]:
        """The exports that were written, the oldest first."""
        found = self._database.all("SELECT at, format, path, scores FROM export ORDER BY at")
        return [Exported(at, form, path, json.loads(scores)) for at, form, path, scores in found]

    def moves(self, since: str = "") -> list[Move]:
        """Each move of a verdict after some moment, the oldest first; those that nobody noted yet are the last."""
        return moves([*self._told(), *self._unsettled()], since)

    def settle(self) -> None:
        """Note which verdicts stand now. Whatever changes what counts does it first, so that no such verdict is lost."""
        if unsettled := self._unsettled():
            note(self._database, unsettled)

    def _told(self) -> list[StandingVerdict]:
        """What stood so far, the oldest first."""
        return standing(self._database, self._verdict)

    def _unsettled(self) -> list[StandingVerdict]:
        """What stands now and is not noted yet."""
        last = {each.of: each for each in self._told()}
        at, found, counting = now_exactly(), list[StandingVerdict](), _counting(self._attempts())
        for of, attempt in counting.items():
            if attempt.verdict is not None and (of not in last or last[of].outcome != attempt.verdict):
                found.append(self._standing(attempt, at))
        for of, each in last.items():
            if each.outcome is not None and of not in counting:
                found.append(StandingVerdict(at, *of, each.path, each.source))
        return found

    def _standing(self, attempt: _Current, at: str = "") -> StandingVerdict:
        item = attempt.item
        verdict = self._verdict(attempt.verdict)
        return StandingVerdict(
            at,
            *item.of,
            item.path,
            item.source,
            attempt.verdict,
            attempt.identity,
            verdict and standing_in_words(verdict),
        )

    def problems(self) -> list[str]:
        """The problems that somebody handed in an answer to."""
        kinds = (HERE, HERE) if self.points().attempt == LAST else CANDIDATES
        query = f"SELECT DISTINCT problem FROM item WHERE standing IN {kinds} ORDER BY problem"
        return [name for (name,) in self._database.all(query)]

    def grades_with(self, problem: str, fingerprint: str, policy: str) -> None:
        """From now on, only verdicts under this fingerprint and this policy count."""
        if self.grading_with().get(problem) == (fingerprint, policy):
            return
        self.settle()
        self._database.change(
            "INSERT INTO problem (problem, fingerprint, policy) VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, policy = excluded.policy",
            (problem, fingerprint, policy),
        )

    def grading_with(self) -> dict[str, tuple[str, str]]:
        """The fingerprint and the policy of each problem whose verdicts count."""
        found = self._database.all("SELECT problem, fingerprint, policy FROM problem ORDER BY problem")
        return {problem: (fingerprint, policy) for problem, fingerprint, policy in found}

    def grade_again(self, problem: str) -> None:
        """Let no outcome of a problem count any more. If that was asked for before, and was not finished, it goes on."""
        self.settle()
        since = "(SELECT coalesce(max(id), 0) FROM outcome)"
        self._database.change(
            f"UPDATE problem SET since = {since}, again = 1 WHERE problem = ? AND NOT again", (problem,)
        )

    def graded_again(self, problem: str) -> None:
        """Note that the last `grade_again` is finished."""
        self._database.change("UPDATE problem SET again = 0 WHERE problem = ?", (problem,))

    def being_graded_again(self) -> list[str]:
        """The problems of which `grade_again` is not finished."""
        return [name for (name,) in self._database.all("SELECT problem FROM problem WHERE again ORDER BY problem")]

    def due(self, problems: Sequence[str]) -> list[tuple[Identity, str]]:
        """Each text of these problems without a verdict that counts, once, in the order of students. Faults are due too."""
        every = self.points().attempt != LAST  # then other points may let another attempt count
        found = {
            attempt.identity: None
            for counts, others in self._attempts().values()
            for attempt in (counts, *(others if every else ()))
            if attempt is not None and attempt.verdict is None and attempt.identity.problem in problems
        }
        return [(identity, self.text(identity.digest)) for identity in found]

    def text(self, digest: str) -> str:
        ((data,),) = self._database.all("SELECT text FROM text WHERE digest = ?", digest)
        return bytes(data).decode("utf-8", "surrogatepass")

    def otherwise_graded(self, identity: Identity) -> list[tuple[str, Outcome]]:
        """The verdicts that still count on the same text under other policies, the newest first, each with its policy."""
        found = self._database.all(
            "SELECT o.policy, o.id FROM outcome o JOIN problem p USING (problem) WHERE o.digest = ? AND o.problem = ? "
            "AND o.fingerprint = ? AND o.policy != ? AND o.verdict IS NOT NULL AND o.id > p.since ORDER BY o.id DESC",
            *(identity.digest, identity.problem, identity.fingerprint, identity.policy),
        )
        return [(policy, self._outcome(number)) for policy, number in found]

    def measured(self) -> list[tuple[str, str, Status, float, int]]:
        """Of every verdict on an answer that ran, the oldest first: digest, problem, status, seconds, peak of memory."""
        query = "SELECT digest, problem, id FROM outcome WHERE verdict IS NOT NULL AND seconds > 0 ORDER BY id"
        found = [(digest, problem, self._outcome(number)) for digest, problem, number in self._database.all(query)]
        return [
            (digest, problem, outcome.verdict.status, outcome.seconds, outcome.peak)
            for digest, problem, outcome in found
            if outcome.verdict is not None
        ]

    def record(self, outcomes: Iterable[tuple[Identity, Outcome]]) -> None:
        """Add outcomes for good, all or none: once this returns, no crash loses them."""
        rows = [
            (
                *(of.digest, of.problem, of.fingerprint, of.policy, outcome.verdict and verdict_text(outcome.verdict)),
                *(outcome.fault, outcome.tries, outcome.graded_at, outcome.seconds, outcome.peak),
            )
            for of, outcome in outcomes
        ]
        self._database.change(
            "INSERT INTO outcome (digest, problem, fingerprint, policy, verdict, fault, tries, graded_at, seconds, peak) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *rows,
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
        with self.together():
            for name, rows in tables.items():
                for row in rows:
                    marks = ", ".join("?" * len(row))
                    self._database.change(f"INSERT INTO {name} ({', '.join(row)}) VALUES ({marks})", [*row.values()])

    def rows(self, rule: Points | None = None) -> list[Row]:
        """What is known of every answer, sorted by student and problem.

        Args:
            rule: what says which attempt counts; None for what is kept.
        """
        told: dict[tuple[str, str], list[StandingVerdict]] = {}
        for each in self._told():
            if each.outcome is not None:
                told.setdefault(each.of, []).append(each)
        return [
            self._with_before(attempt, told.get(attempt.item.of, ()))
            for attempt in _counting(self._attempts(rule)).values()
        ]

    def other_attempts(self, rule: Points) -> list[tuple[str, str]]:
        """Student and problem where another attempt counts by some rule than by what is kept, or one by only one of both."""
        if rule == self.points():
            return []
        by_rule, kept = _counting(self._attempts(rule)), _counting(self._attempts())
        return sorted(of for of in by_rule.keys() | kept.keys() if by_rule.get(of) != kept.get(of))

    def _attempts(self, rule: Points | None = None) -> _Attempts:
        points = rule or self.points()
        groups: dict[tuple[str, str], dict[Item, _Current]] = {}
        for values in self._database.all(CURRENT):
            item = _item(values[: len(COLUMNS)])
            fingerprint, policy, verdict, fault = values[len(COLUMNS) :]
            identity = Identity(item.digest, item.problem, fingerprint, policy)
            groups.setdefault(item.of, {})[item] = _Current(item, identity, verdict, fault)
        found: dict[tuple[str, str], tuple[_Current | None, Sequence[_Current]]] = {}
        for of, group in groups.items():
            counts = that_counts(list(group), points, lambda item, of=group: self._row(of[item]))
            found[of] = counts and group[counts], [attempt for item, attempt in group.items() if item is not counts]
        return found

    def _row(self, attempt: _Current) -> Row:
        item = attempt.item
        cells = CellOrigin.of_text(item.origin) if item.origin else None
        known = {field.name: getattr(item, field.name) for field in fields(KnownAnswer)}
        row = Row(**known, state=DUE, verdict=None, note=str(cells.note) if cells else "")
        number = attempt.fault if attempt.verdict is None else attempt.verdict
        return row if number is None else with_outcome(row, self._outcome(number), cells)

    def _with_before(self, attempt: _Current, told: Sequence[StandingVerdict]) -> Row:
        """A row with the verdict before: the last that says something else, or else the last."""
        row = self._row(attempt)
        stands = self._standing(attempt)
        earlier = [each for each in told if each.outcome != attempt.verdict]
        before = next((each for each in reversed(earlier) if each.verdict != stands.verdict), None)
        if attempt.verdict is None or before is None:
            before = earlier[-1] if earlier else None
        if before is None:
            return row
        after = next((each for each in told[told.index(before) + 1 :]), stands)
        verdict = self._verdict(before.outcome)
        return replace(
            row,
            before=verdict and on_file(verdict, before.path, None),
            why=why_it_moved(before, after) if stands.verdict not in (None, before.verdict) else "",
        )

    def _verdict(self, number: int | None) -> Verdict | None:
        """The verdict of an outcome; None for a fault, and without an outcome."""
        return None if number is None else self._outcome(number).verdict

    def _outcome(self, number: int) -> Outcome:
        """An outcome. Its verdict is as it was graded: it may be on files of several students."""
        if number not in self._outcomes:
            self._outcomes[number] = self._read(number)
        return self._outcomes[number]

    def _read(self, number: int) -> Outcome:
        query = "SELECT verdict, fault, tries, graded_at, seconds, peak FROM outcome WHERE id = ?"
        for text, *others in self._database.all(query, number):
            try:
                return Outcome(None if text is None else read_verdict(text), *others)
            except Malformed as error:
                raise Unusable(f"{self.path}: verdict {number} is none that this grader wrote: {error}.") from None
        raise Unusable(f"{self.path} lacks the outcome {number}: something else wrote it.")


def _item(row: Sequence[Any]) -> Item:
    return Item(**dict(zip(COLUMNS, row, strict=True)))
