"""The report on a class as one value. The terminal, the page and the JSON document show it, so they cannot differ."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field

from grader.classroom.clusters import Cluster, clusters, identity, perhaps_one
from grader.classroom.equal_answers import Equal, equal
from grader.classroom.exports.verdicts import OUTCOMES
from grader.classroom.history import Move
from grader.classroom.late import Deadline
from grader.classroom.row import VERDICT, Row, by_problem
from grader.classroom.submission import Unread
from grader.locale.language import N_, gettext, ngettext
from grader.marking.verdict import Status, Verdict
from grader.report.as_json import finite
from grader.report.places import messages

CHANGED = N_(
    "Changed since, in this kit or in its software: {problems}. The verdicts are of before: `class grade` grades the "
    "answers again."
)
"""What is said of problems that are not as they were when their answers were graded."""


@dataclass(frozen=True)
class MistakeCount:
    """How many answers to a problem have one mistake: by itself, and together with others."""

    name: str
    alone: int
    together: int

    @property
    def count(self) -> int:
        return self.alone + self.together


@dataclass(frozen=True)
class FailingCase:
    """A case of a problem: how many wrong answers fail on it, and how many on no other."""

    args: dict[str, int | float]
    caught: int
    alone: int


def _mistakes(verdicts: Sequence[Verdict]) -> tuple[MistakeCount, ...]:
    alone: Counter[str] = Counter()
    together: Counter[str] = Counter()
    for names in (set(verdict.diagnosis.names) for verdict in verdicts):
        (alone if len(names) == 1 else together).update(names)
    found = [MistakeCount(name, alone[name], together[name]) for name in alone.keys() | together.keys()]
    return tuple(sorted(found, key=lambda mistake: (-mistake.count, mistake.name)))


def _cases(wrong: Sequence[Verdict]) -> tuple[tuple[FailingCase, ...], int]:
    """The cases that most wrong answers were compared on, and how many these are.

    Inputs beyond the cases and cases of an older problem have other arguments: they are not mixed in.
    """
    ways: dict[str, list[Verdict]] = {}
    for verdict in wrong:
        if verdict.cases:
            ways.setdefault(str([case.args for case in verdict.cases]), []).append(verdict)
    same = max(ways.values(), key=len, default=[])
    fails = [[index for index, case in enumerate(verdict.cases) if not case.passed] for verdict in same]
    cases = same[0].cases if same else ()
    return (
        tuple(
            FailingCase(case.args, sum(index in failed for failed in fails), fails.count([index]))
            for index, case in enumerate(cases)
        ),
        len(same),
    )


SCHEMA = "grader/class-report/1"
"""The JSON document, which `schemas/class-report-1.json` describes."""


@dataclass(frozen=True)
class ReportedExcerpt:
    """Some values of the smallest failing case."""

    place: str
    columns: tuple[str, ...]
    expected: tuple[float, ...]
    yours: tuple[float, ...]
    wrong: tuple[bool, ...]


@dataclass(frozen=True)
class ReportedPlace:
    """Where the representative goes wrong: lines of its text, and what is proven of them.

    Attributes:
        cell: in a notebook, the number of the cell that the lines are of; None elsewhere.
    """

    line: int
    end_line: int
    cell: int | None
    text: str
    message: str


@dataclass(frozen=True)
class Representative:
    """The answer that stands for a group: the first, by the time of submission and then by the student.

    Attributes:
        taken: whether its text was taken out of a notebook, so that its lines are not those of the file.
    """

    student: str
    path: str
    taken: bool
    text: str


@dataclass(frozen=True)
class Near:
    """Another group that may be the same mistake: its representative is less than 64 tolerances apart in all values kept.

    Attributes:
        tolerances: how far it is apart where it is furthest.
    """

    id: str
    tolerances: float


@dataclass(frozen=True)
class MistakeGroup:
    """Answers that nothing explains in full and that go wrong alike.

    Attributes:
        id: the beginning of the digest of the representative's text.
        raised: the exception; empty for values.
        args: the smallest failing case; None if the answers raised.
        near: the groups that are perhaps one with it.
        places: where the representative goes wrong, if the grader can say it.
        command: starts a pitfall from it; empty if the answers raised, since a pitfall is known by its values.
    """

    id: str
    students: tuple[str, ...]
    raised: str
    args: dict[str, int | float] | None
    excerpt: ReportedExcerpt | None
    near: tuple[Near, ...]
    places: tuple[ReportedPlace, ...]
    representative: Representative
    command: str


@dataclass(frozen=True)
class Late:
    """A student whose answer is late. `days` is None if the system marks it late and no more is known."""

    student: str
    days: int | None

    def __str__(self) -> str:
        told = gettext("marked")
        if self.days is not None:
            told = ngettext("{count} day", "{count} days", self.days).format(count=self.days)
        return f"{self.student} ({told})"


@dataclass(frozen=True)
class OfProblem:
    """One problem.

    Attributes:
        outcomes: how many answers have each outcome, zeros too.
        mistakes: the most frequent first.
        groups: the largest first.
        cases: in order; only wrong answers count that were compared on the same cases as most.
        compared: how many wrong answers these are.
        not_right: the students whose answer is attempted and not right.
        equal: the answers that several students share, the longest first.
    """

    problem: str
    answers: int
    outcomes: dict[str, int]
    mistakes: tuple[MistakeCount, ...]
    groups: tuple[MistakeGroup, ...]
    cases: tuple[FailingCase, ...]
    compared: int
    not_right: tuple[str, ...]
    equal: tuple[Equal, ...]
    late: tuple[Late, ...]

    @property
    def idle(self) -> tuple[FailingCase, ...]:
        """The cases that no wrong answer failed on. Of a single wrong answer they say nothing."""
        return tuple(case for case in self.cases if not case.caught) if self.compared > 1 else ()

    @property
    def sole(self) -> tuple[FailingCase, ...]:
        """The cases that alone caught some wrong answer."""
        return tuple(case for case in self.cases if case.alone) if self.compared > 1 else ()


@dataclass(frozen=True)
class Student:
    """A student with problems that are not right yet.

    Attributes:
        not_right: the problems that were attempted.
        unattempted: those of which the stub was handed in as it is.
        answers: how many answers of this student there are.
    """

    student: str
    not_right: tuple[str, ...]
    unattempted: tuple[str, ...]
    answers: int

    @property
    def count(self) -> int:
        return len(self.not_right) + len(self.unattempted)


@dataclass(frozen=True)
class Moved:
    """How many verdicts on a problem moved in one way, and why."""

    problem: str
    before: str
    now: str
    count: int
    why: str


@dataclass(frozen=True)
class RosterAgreement:
    """How the roster and the gradebook agree.

    Attributes:
        absent: who is in the roster and handed in nothing, by the first id of the roster.
        strange: who handed in something and is not in the roster: perhaps they dropped the class.
    """

    absent: tuple[str, ...]
    strange: tuple[str, ...]


@dataclass(frozen=True)
class ReportInput:
    """What a report is made of beside the rows.

    Attributes:
        text: gives the text of an answer, by its digest.
        command: gives the command that starts a pitfall, by the names of the problem and of the group.
        deadline: when answers were due; else the marks of their system tell what is late.
        unread: what students handed in and is not graded: an answer is lacking, or a stub counts in its place.
        moves: each move of a verdict, the oldest first.
        stale: problems that are others now than those that the answers were graded with.
        listed: None where there is no roster.
        given: the stub and the worked answer of a problem, each empty where it is not known.
    """

    text: Callable[[str], str] = lambda _: ""
    command: Callable[[str, str], str] = lambda _, __: ""
    deadline: Deadline = field(default_factory=Deadline)
    unread: Sequence[Unread] = ()
    moves: Sequence[Move] = ()
    stale: Sequence[str] = ()
    listed: RosterAgreement | None = None
    given: Callable[[str], tuple[str, str]] = lambda _: ("", "")


@dataclass(frozen=True)
class ClassReport:
    """What a class got right and wrong.

    Attributes:
        graded_at: when the latest outcome was recorded; empty if there is none.
        help: the students with the most problems that are not right yet first.
        moved: the most frequent first.
        moves: each of them, the latest first.
        unread: what is lacking by student.
        stale: the problems that changed since their answers were graded.
        listed: None where there is no roster.
    """

    gradebook: str
    graded_at: str
    answers: int
    students: int
    problems: tuple[OfProblem, ...]
    help: tuple[Student, ...]
    moved: tuple[Moved, ...]
    moves: tuple[Move, ...]
    unread: tuple[Unread, ...]
    stale: tuple[str, ...]
    listed: RosterAgreement | None


def report_of(gradebook: str, rows: Sequence[Row], known: ReportInput | None = None) -> ClassReport:
    """The report on all rows of a gradebook."""
    known = known or ReportInput()
    return ClassReport(
        gradebook,
        max((row.graded_at for row in rows), default=""),
        len(rows),
        len({row.student for row in rows}),
        tuple(
            _problem(name, counts, [row for row in rows if row.problem == name], known)
            for name, counts in by_problem(rows).items()
        ),
        _help(rows),
        _moved(known.moves),
        tuple(reversed(known.moves)),
        tuple(known.unread),
        tuple(known.stale),
        known.listed,
    )


def _problem(name: str, outcomes: Counter[str], rows: Sequence[Row], known: ReportInput) -> OfProblem:
    graded = [(row.student, row.verdict) for row in rows if row.state == VERDICT and row.verdict is not None]
    found = clusters(rows)
    near = _near(found, rows)
    cases, compared = _cases([verdict for _, verdict in graded if verdict.status is Status.WRONG])
    return OfProblem(
        name,
        len(rows),
        {outcome: outcomes[outcome] for outcome in OUTCOMES},
        _mistakes([verdict for _, verdict in graded]),
        tuple(_group(cluster, rows, near[index], known) for index, cluster in enumerate(found)),
        cases,
        compared,
        tuple(sorted(student for student, verdict in graded if verdict.status.failed)),
        equal(rows, known.text, *known.given(name)),
        tuple(Late(row.student, late.days) for row in rows if (late := known.deadline.of(row))),
    )


def _near(found: Sequence[Cluster], rows: Sequence[Row]) -> list[tuple[Near, ...]]:
    """Of each cluster, those that are perhaps one with it, the nearest first."""
    near: list[list[Near]] = [[] for _ in found]
    for pair, gap in perhaps_one(found).items():
        for index, other in (pair, pair[::-1]):
            near[index].append(Near(identity(found[other].rows[0], rows), round(gap, 1)))
    return [tuple(sorted(neighbours, key=lambda each: (each.tolerances, each.id))) for neighbours in near]


def _group(cluster: Cluster, rows: Sequence[Row], near: tuple[Near, ...], known: ReportInput) -> MistakeGroup:
    verdict, first = cluster.verdict, cluster.rows[0]
    failing, excerpt = verdict.failing, verdict.excerpt
    name = identity(first, rows)
    places = [
        ReportedPlace(
            place.span.line, place.span.end_line, place.span.cell or None, "\n".join(place.span.text), str(message)
        )
        for place, message in zip(verdict.where, messages(verdict.where), strict=True)
    ]
    return MistakeGroup(
        name,
        tuple(cluster.students),
        cluster.raised,
        None if cluster.raised or failing is None else failing.args,
        ReportedExcerpt(
            str(excerpt.place), tuple(map(str, excerpt.columns)), excerpt.expected, excerpt.yours, excerpt.wrong
        )
        if excerpt and not cluster.raised
        else None,
        near,
        tuple(places),
        Representative(first.student, first.path, first.is_extract, known.text(first.digest)),
        "" if cluster.raised else known.command(first.problem, name),
    )


def _help(rows: Sequence[Row]) -> tuple[Student, ...]:
    failed: dict[str, list[str]] = {}
    stubs: dict[str, list[str]] = {}
    for row in rows:
        if row.state != VERDICT or row.verdict is None:
            continue
        status = row.verdict.status
        if status.failed:
            failed.setdefault(row.student, []).append(row.problem)
        elif status is Status.UNATTEMPTED:
            stubs.setdefault(row.student, []).append(row.problem)
    answers = Counter(row.student for row in rows)
    found = [
        Student(name, tuple(sorted(failed.get(name, ()))), tuple(sorted(stubs.get(name, ()))), answers[name])
        for name in failed.keys() | stubs.keys()
    ]
    return tuple(sorted(found, key=lambda student: (-student.count, -len(student.not_right), student.student)))


def _moved(moves: Sequence[Move]) -> tuple[Moved, ...]:
    ways = Counter((move.problem, move.before, move.now, move.why) for move in moves)
    found = [Moved(problem, before, now, count, why) for (problem, before, now, why), count in ways.items()]
    return tuple(sorted(found, key=lambda moved: (-moved.count, moved.problem, moved.before, moved.now)))


def report_document(report: ClassReport) -> str:
    """All of a report. Text of students is not cleaned here: JSON escapes the characters that control a terminal."""
    whole = asdict(report)
    for lacking in whole["unread"]:
        del lacking["doubt"]
    return json.dumps({"schema": SCHEMA, **finite(whole)}, indent=1, allow_nan=False)
