"""`class report`: what a class got right and wrong, and what to teach next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.classroom.clusters import Cluster, clusters
from grader.classroom.exports.formats import write
from grader.classroom.exports.runners import summary as page_of
from grader.classroom.exports.sheet import Sheet, folder_of
from grader.classroom.journal import Journal
from grader.classroom.place import find
from grader.classroom.summary import Summary, summaries
from grader.classroom.told import place_of
from grader.report.columns import print_table
from grader.report.terminal import Terminal
from grader.report.text import visible

MOST = 12
"""The most students, and the most of other lists, that are printed; more are counted."""
SHOWN = 4
"""The most values of an excerpt that are printed."""


def report(given: Path | None, *, letters: Path | None, level: str, colour: bool) -> int:
    """Print the report, or write a page for each student. Returns the exit status.

    Args:
        letters: the folder for the pages.
        level: how much they tell.
    """
    with Journal(find(given)) as journal:
        rows = journal.rows()
    terminal = Terminal.make(colour=colour)
    if letters is not None:
        sheet = Sheet(rows, level=level)
        pages = {f"{folder_of(student)}.md": page_of(sheet, own) for student, own in sheet.students().items()}
        write(pages, letters)
        terminal.to_do(f"Written to {letters}: {_count(len(pages), 'page')}, one for each student.")
        return 0
    if not rows:
        terminal.line("The gradebook holds no answer.")
    for number, one in enumerate(summaries(rows)):
        if number:
            terminal.line()
        _problem(terminal, one, clusters([row for row in rows if row.problem == one.problem]))
    return 0


def _problem(terminal: Terminal, summary: Summary, found: Sequence[Cluster]) -> None:
    counts = ", ".join(f"{count} {outcome}" for outcome, count in summary.outcomes.most_common())
    terminal.line(f"{summary.problem}   {_count(summary.outcomes.total(), 'answer')}: {counts}", "bold", hanging=3)
    if summary.mistakes:
        terminal.line()
        cells = [(one.name, str(one.alone or "-"), str(one.together or "-")) for one in summary.mistakes[:MOST]]
        print_table(terminal, ("mistake", "alone", "with others"), cells)
    for cluster in found[:MOST]:
        terminal.line()
        _cluster(terminal, cluster)
    if len(found) > MOST:
        terminal.line(f"and {len(found) - MOST} more kinds of unexplained answers", "dim", indent=3)
    _cases(terminal, summary)
    if summary.help:
        terminal.line()
        terminal.line(f"Not right yet: {_listed(summary.help)}.", hanging=3)


def _cluster(terminal: Terminal, cluster: Cluster) -> None:
    who = _listed(cluster.students)
    several = len(cluster.rows) > 1
    if cluster.raised:
        same = " the same, but for numbers" if several else ""
        terminal.line(f"{_count(len(cluster.rows), 'answer')} raised{same}: {who}.", hanging=3)
        terminal.line(visible(cluster.raised), indent=3, hanging=2)
        return
    said = (
        "wrong answers that are not explained in full give the same"
        if several
        else "wrong answer is not explained in full"
    )
    terminal.line(f"{len(cluster.rows)} {said}: {who}.", hanging=3)
    verdict = cluster.verdict
    failing = next(case for case in verdict["cases"] if case["status"] == "fail")
    arguments = ", ".join(f"{name}={value}" for name, value in failing["args"].items())
    if excerpt := verdict["excerpt"]:
        where = f"{excerpt['place']}: " if excerpt["place"] else ""
        terminal.line(
            f"At {arguments}, {where}{_values(excerpt['expected'])} is expected, and {_values(excerpt['yours'])} given.",
            indent=3,
        )
    for place in verdict["where"] or ():
        text = visible(" ".join(str(place["text"]).split()))
        where = place_of(place).capitalize()
        if cluster.rows[0].is_extract and not place.get("cell"):
            where += " of what was taken from"
        else:
            where += " of"
        terminal.line(f"{where} {visible(cluster.rows[0].path)}: {text}", indent=3, hanging=2)


def _cases(terminal: Terminal, summary: Summary) -> None:
    """Which cases caught nobody, and which alone caught somebody."""
    if summary.compared < 2:
        return  # of a single wrong answer, the report on it says more

    def named(args: dict[str, Any]) -> str:
        return f"({', '.join(str(value) for value in args.values())})"

    idle = [named(one.args) for one in summary.cases if not one.caught]
    alone = [f"{named(one.args)} {one.alone}" for one in summary.cases if one.alone]
    if idle or alone:
        terminal.line()
    if idle:
        terminal.line(f"Cases that none of {summary.compared} wrong answers failed on: {', '.join(idle)}.", hanging=3)
    if alone:
        terminal.line(f"Cases that alone caught wrong answers, and how many: {', '.join(alone)}.", hanging=3)


def _values(values: Sequence[Any]) -> str:
    shown = " ".join(f"{one:.4f}" if isinstance(one, float) else str(one) for one in values[:SHOWN])
    return f"{shown} …" if len(values) > SHOWN else shown


def _listed(students: Sequence[str]) -> str:
    more = f" and {len(students) - MOST} more" if len(students) > MOST else ""
    return f"{visible(', '.join(students[:MOST]))}{more}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
