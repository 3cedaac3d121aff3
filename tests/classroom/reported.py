"""A class with all that a report can hold: what the tests of the report, of the page and of the commands read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.classroom.journal import Journal
from grader.classroom.report import ClassReport, ReportInput, report_of
from grader.classroom.row import Outcome, Row
from grader.classroom.submission import Submission
from grader.marking.verdict import Status, Verdict
from tests.classroom.exports.rows import NASTY, WRONG, verdict_of
from tests.classroom.test_clusters import raised, wrong
from tests.marking.places import place

EVIL = "eve</style></title><script>document.title='hacked'</script><img src=x onerror=alert(1)>\x1b[31m\u202e"
"""The id of a student who would like to be more than text."""
EVIL_TEXT = (
    f"# {NASTY}\n</pre></details><script>document.title='hacked'</script>\n\tx = '{{{{ 7 * 7 }}}}'\n```\n\x1b[2J"
)
PLACE = place(2, 11, 2, 14, "    return <x>\x1b")
"""A place of which is told: With the values needed here, the case is right."""

VERDICTS: dict[str, Verdict] = {
    "ana": verdict_of(),
    "ben": replace(wrong(fails="ppf"), where=(PLACE,)),
    "bob": wrong(fails="ppf"),
    EVIL: replace(wrong(0.9), where=(PLACE,)),
    "cy": wrong(0.7, fails="pff"),
    "dan": WRONG,
    "fay": raised(f"bad shape (3, 4) {NASTY}"),
    "gus": verdict_of(Status.UNATTEMPTED),
    "hal": verdict_of(Status.TIMEOUT),
    "ned": wrong(0.5 + 30e-6, fails="ppf"),
}
"""Of the others no values are kept. Ned is not told apart from ben and bob for sure."""


def fill(path: Path, problem: str = "rope", verdicts: dict[str, Verdict] | None = None) -> Path:
    """Write a gradebook: ana was wrong before her problem changed, and the last student's answer is due."""
    verdicts = VERDICTS if verdicts is None else verdicts
    with Journal(path, write=True) as journal:
        texts = {name: EVIL_TEXT if name == EVIL else f"x = 1\n# {name}\n" for name in (*verdicts, "zoe")}
        handed = [Submission(name, problem, f"{name}/{problem}.py", text) for name, text in texts.items()]
        journal.hand_in("/week1", [problem], handed, [])
        student = {one.digest: one.student for one in handed}
        for fingerprint, known in (("old", {"ana": WRONG}), ("new", verdicts)):
            journal.grades_with(problem, fingerprint, '{"device": "cpu"}')
            work = [one for one, _ in journal.due([problem]) if student[one.digest] in known]
            journal.record(
                (one, Outcome(known[name], graded_at="2026-11-23T10:00:00Z"))
                for one in work
                if (name := student[one.digest])
            )
    return path


def report(path: Path) -> ClassReport:
    """The report on a gradebook, as the command makes it."""
    with Journal(path) as journal:
        return report_of(
            str(path),
            journal.rows(),
            ReportInput(
                journal.text,
                lambda problem, name: f"grader class pitfall week1 {problem} {name}",
                moves=journal.moves(),
            ),
        )


def numbered(rows: list[Row]) -> list[Row]:
    """The same rows, each with a digest that a text could have."""
    return [replace(one, digest=f"{at:064x}") for at, one in enumerate(rows)]
