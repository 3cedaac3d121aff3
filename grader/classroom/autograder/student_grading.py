"""Grades what one student handed in, by the kit and the settings of a bundle, and tells each row as soon as it is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from grader.classroom.exports.sheet import Sheet
from grader.classroom.folder import read_one
from grader.classroom.grading import Measuring, MemoryBudget, grade_work
from grader.classroom.plan import PlannedAnswer
from grader.classroom.points import DEFAULT, Points, Rule, in_text, parsed
from grader.classroom.row import DUE, VERDICT, Identity, Outcome, Row, with_outcome
from grader.classroom.submission import Submission, Unread
from grader.classroom.tree import OnDisk
from grader.kit.kit import Kit, KitError
from grader.marking.verdict import Status, Verdict
from grader.options import Limits, Policy
from grader.run.judge.cores import memory_for_answers
from grader.values.message import verbatim

FILE = "autograder.json"
SCHEMA = "grader/autograder/1"


@dataclass(frozen=True)
class Settings:
    """How answers are graded there.

    Attributes:
        problems: in the order in which they are graded and listed.
        points: the rule for all problems, as text.
        own: the rules of single problems, as text.
    """

    problems: tuple[str, ...]
    points: str = DEFAULT
    own: Mapping[str, str] = field(default_factory=dict[str, str])
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=lambda: Policy("best"))

    @property
    def rules(self) -> Points:
        return Points(parsed(self.points), {name: parsed(text) for name, text in self.own.items()})

    def to_json(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=1, sort_keys=True) + "\n"


def in_words(rule: Rule) -> str:
    """A rule as the text that `points.parsed` reads."""
    return ",".join(f"{name}={in_text(points)}" for name, points in rule.values.items())


def read(bundle: Path) -> Settings:
    """The settings of an unpacked bundle.

    Raises:
        KitError: there are none, or they are not whole.
    """
    path = bundle / FILE
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        if given.pop("schema") != SCHEMA:
            raise ValueError("made by another version of the grader")
        limits, policy = Limits(**given.pop("limits")), Policy(**given.pop("policy"))
        return Settings(tuple(given.pop("problems")), limits=limits, policy=policy, **given)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise KitError(f"{path} is not what the exporter wrote ({error}): make the autograder again.") from None


STUDENT = "student"
"""The name in the rows: the system that runs the autograder knows who it is, and the grader need not."""

MOST_FILES_EXPLAINED = 5
"""The most files of which a student is told why they are not read."""

_CONFINED = {"": "No answer had to run.", "C": "Tier C: answers were limited, and not confined."}


@dataclass(frozen=True)
class StudentWork:
    """What is known so far.

    Attributes:
        sheet: its rows are those of all problems, in the order of the settings.
        tier: the confinement in force; empty where nothing ran.
    """

    sheet: Sheet
    tier: str
    unread: Sequence[Unread]

    @property
    def lines(self) -> list[str]:
        """For the instructor: an outcome for each problem, what was not read, and the confinement. It holds no output."""
        told = [_line(row) for row in self.sheet.rows]
        told += [f"not read: {unread_file.path}: {unread_file.why}" for unread_file in self.unread]
        return [*told, _CONFINED.get(self.tier, f"Confined: tier {self.tier}.")]


def grade(bundle: Path, folder: Path, tell: Callable[[StudentWork], None] = lambda _: None) -> StudentWork:
    """Grade the answers in a student's folder, one after the other.

    Args:
        tell: called after each problem that has a verdict or is a fault.

    Raises:
        KitError: the bundle or the folder is not what it should be.
        Unconfined: answers cannot be confined as the settings ask.
        LaunchError: no process for an answer can be started.
    """
    settings, kit = read(bundle), Kit(bundle / "kit")
    if not folder.is_dir():
        raise KitError(f"{folder} is not a folder: there is nothing to grade.")
    found = read_one(OnDisk.of(folder), kit, settings.problems)
    by_problem, unread = {submission.problem: submission for submission in found.submissions}, found.unread
    rows = {name: _start(name, by_problem.get(name), unread) for name in settings.problems}
    work = [
        PlannedAnswer(Identity(submission.digest, name, "", ""), submission.text)
        for name, submission in by_problem.items()
    ]
    work.sort(key=lambda planned: settings.problems.index(planned.identity.problem))
    memory = memory_for_answers()
    limits = replace(settings.limits, memory=min(settings.limits.memory, memory))  # else the system kills all of us
    with Measuring(kit, "cpu", limits, settings.policy) as session:

        def now() -> StudentWork:
            sheet = Sheet(list(rows.values()), settings.rules, level=settings.policy.feedback)
            return StudentWork(sheet, session.tier if work else "", unread)

        def record(identity: Identity, outcome: Outcome) -> None:
            name = identity.problem
            rows[name] = with_outcome(rows[name], outcome, by_problem[name].origin)
            tell(now())

        grade_work(session, work, 1, MemoryBudget(memory, limits.memory), record)
        return now()


def _start(name: str, submission: Submission | None, unread: Sequence[Unread]) -> Row:
    if submission is not None:
        note = str(submission.origin.note) if submission.origin else ""
        return Row(STUDENT, name, submission.path, submission.digest, submission.submitted, DUE, None, note=note)
    said = f"Nothing was handed in: name the file {name}.py or {name}.ipynb."
    why = [f"{other.path} is not read: {other.why}" for other in unread[:MOST_FILES_EXPLAINED]]
    missing = Verdict(name, Status.UNATTEMPTED, verbatim(" ".join([said, *why])), file=f"{name}.py", unread="missing")
    return Row(STUDENT, name, f"{name}.py", "", "", VERDICT, missing)


def _line(row: Row) -> str:
    if row.verdict is None:
        return f"{row.problem}: {row.fault or 'not graded yet'}"
    names = " + ".join(row.verdict.diagnosis.names)
    return f"{row.problem}: {row.verdict.status.value}" + (f" ({names})" if names else "")
