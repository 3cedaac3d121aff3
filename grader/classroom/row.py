"""What a gradebook knows of answers: what a grading depends on and came to, one row for each, and how a class stands."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime

from grader.classroom.submission import OfStudent
from grader.kit.notebook_verdict import CellOrigin, placed
from grader.marking.verdict import Verdict, fits
from grader.values.decode import Malformed, decode, parse


@dataclass(frozen=True)
class Identity:
    """All that a verdict depends on.

    Attributes:
        fingerprint: that of the problem: its reference or key, and the software.
        policy: how it is graded (see `plan.policy_text`).
    """

    digest: str
    problem: str
    fingerprint: str
    policy: str


@dataclass(frozen=True)
class Outcome:
    """A verdict, or a fault of the grader.

    Attributes:
        verdict: at full feedback, and without what is never saved; None for a fault.
        fault: one line; empty for a verdict.
        seconds: of the clock, for all that the grading took.
        peak: the most bytes that the processes of the answer used; 0 where nobody knows.
    """

    verdict: Verdict | None
    fault: str = ""
    tries: int = 1
    graded_at: str = ""
    seconds: float = 0.0
    peak: int = 0


def now() -> str:
    """This moment, as gradebooks hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def verdict_text(verdict: Verdict) -> str:
    """A verdict as a gradebook keeps it."""
    return json.dumps(asdict(verdict))


def read_verdict(text: str) -> Verdict:
    """The inverse of `verdict_text`.

    Raises:
        Malformed: if it is no such text, or its parts do not fit together: somebody else may have written it.
    """
    verdict: Verdict = decode(Verdict, parse(text.encode("utf-8", "surrogatepass")))
    if not fits(verdict):
        raise Malformed("a verdict whose parts do not fit together")
    return verdict


def on_file(verdict: Verdict, path: str, origin: CellOrigin | None) -> Verdict:
    """The verdict on a text, told of a file that it was taken from.

    Which of several definitions of a notebook is graded is no remark on the answer: a rule of points may count those.
    """
    told = replace(verdict, file=path)
    return placed(told, replace(origin, note="")) if origin else told


VERDICT, FAULT, DUE = "verdict", "fault", "due"


@dataclass(frozen=True)
class KnownAnswer(OfStudent):
    """An answer that a gradebook knows, whatever came of it.

    Attributes:
        late: whether the system that it was handed in to marks it as late.
        team: the id of those who handed it in together; empty if one did so alone.
        layout: the name of the layout that it was read by (see `layouts.py`): it says what the id of a student is.
        called: the name that the system writes beside the id.
        source: the folder or the zip that it was read from, first at `read_at` (ISO 8601, UTC; empty where nobody knows).
    """

    student: str
    problem: str
    path: str
    digest: str
    submitted: str
    late: bool = field(default=False, kw_only=True)
    team: str = field(default="", kw_only=True)
    layout: str = field(default="", kw_only=True)
    called: str = field(default="", kw_only=True)
    source: str = field(default="", kw_only=True)
    read_at: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class Row(KnownAnswer):
    """What reports and exports read.

    Attributes:
        state: "verdict", "fault" (the grader could not grade it), or "due" (not graded yet).
        verdict: the verdict at full feedback; None unless the state is "verdict".
        fault: one line, where the state is "fault".
        graded_at: when it was graded (ISO 8601, UTC).
        before: the verdict before the last one that says something else, or else the one before; None if there was none.
        note: of a notebook with several definitions, which of them is graded; empty elsewhere.
        why: why the verdict is another one than before, in words.
    """

    state: str
    verdict: Verdict | None
    fault: str = ""
    graded_at: str = ""
    before: Verdict | None = None
    note: str = ""
    why: str = ""

    @property
    def is_extract(self) -> bool:
        """Whether the answer was taken out of a notebook: its lines are not those of the file."""
        return self.path.endswith(".ipynb")


def with_outcome(row: Row, outcome: Outcome, origin: CellOrigin | None) -> Row:
    """A row with what came of its answer.

    Args:
        origin: of a notebook, the cells of the text's lines.
    """
    if outcome.verdict is None:
        return replace(row, state=FAULT, fault=outcome.fault, graded_at=outcome.graded_at)
    verdict = on_file(outcome.verdict, row.path, origin)
    return replace(row, state=VERDICT, verdict=verdict, graded_at=outcome.graded_at)


def outcome_of(row: Row) -> str:
    """The status of a verdict, or else the state of the row: "fault" or "due"."""
    return row.verdict.status.value if row.state == VERDICT and row.verdict is not None else row.state


def by_problem(rows: Sequence[Row]) -> dict[str, Counter[str]]:
    """For each problem, how many answers have each outcome."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in sorted({row.problem for row in rows})}
    for row in rows:
        counts[row.problem][outcome_of(row)] += 1
    return counts


def standing_in_words(verdict: Verdict) -> str:
    """A verdict in a word or two: `wrong: half-exponent`."""
    names = verdict.diagnosis.names
    return f"{verdict.status.value}: {' + '.join(names)}" if names else verdict.status.value
