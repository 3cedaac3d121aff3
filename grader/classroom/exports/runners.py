"""What runs for each student reads: Gradescope, Classroom 50, and a step of GitHub Actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from grader.classroom.exports.machines import as_json
from grader.classroom.exports.sheet import Sheet, folder_of
from grader.classroom.points import check_whole, in_text, number
from grader.classroom.row import VERDICT, Row
from grader.classroom.told import clean, told
from grader.marking.verdict import Status

MOST_ANNOTATIONS = 10
"""Annotations of one kind that GitHub shows for a step."""

MOST_OF_SUMMARY = 1_000_000
"""Bytes of a job summary; above 1 MiB GitHub drops all of it."""


def gradescope(sheet: Sheet) -> dict[str, str]:
    """`results.json` for each student who has a verdict. Without a file, Gradescope gives no score, and no zero."""
    return {
        f"{folder_of(student)}/results.json": as_json(gradescope_results(sheet, rows))
        for student, rows in sheet.students().items()
        if any(row.state == VERDICT for row in rows)
    }


def gradescope_results(sheet: Sheet, rows: Sequence[Row]) -> dict[str, Any]:
    """One student's results. What has no verdict is a test without a score."""
    graded = [row for row in rows if row.verdict is not None and row.state == VERDICT]
    right = sum(row.verdict is not None and row.verdict["status"] == Status.CORRECT for row in graded)
    missing = sheet.missing(rows)
    output = f"{right} of {len(rows) + len(missing)} right." + _not_graded(len(rows) - len(graded))
    if missing:
        output += f" Nothing was handed in for {', '.join(missing)}."
    return {
        "output": output,
        "output_format": "text",
        "stdout_visibility": "hidden",
        "execution_time": round(sum(float(row.verdict["seconds"]) for row in graded if row.verdict), 3),
        "extra_data": {"schema": "grader/verdict/2", "feedback": sheet.level},
        "tests": [_gradescope(sheet, row, str(count)) for count, row in enumerate(rows, 1)],
    }


def classroom50(sheet: Sheet, context: dict[str, str] | None = None) -> dict[str, str]:
    """The part of `result.json` that is the grader's, for each student whose every answer has a verdict.

    Raises:
        KitError: points are no integers.
    """
    check_whole(sheet.points, sheet.problems, "Classroom 50")
    return {
        f"{folder_of(student)}/result.json": as_json(classroom50_result(sheet, rows, context or {}))
        for student, rows in sheet.students().items()
        if not sheet.open(rows)
    }


def classroom50_result(sheet: Sheet, rows: Sequence[Row], context: dict[str, str]) -> dict[str, Any]:
    """One student's result. `context` holds what the runner knows: the classroom, the commit, the time."""
    tests: list[dict[str, Any]] = [
        {
            "test-name": row.problem,
            "passed": told(row, sheet.level).status == Status.CORRECT,
            "score": int(sheet.points.of(row) or 0),
            "max-score": int(sheet.points.most(row.problem)),
            "pitfalls": list(told(row, sheet.level).pitfalls),
            "message": told(row, sheet.level).text,
        }
        for row in rows
    ]
    return {
        "schema": "classroom50/result/v1",
        **context,
        "score": sum(one["score"] for one in tests),
        "max-score": int(sheet.most),
        "tests": tests,
    }


def github(sheet: Sheet) -> dict[str, str]:
    """For each student, the lines to print in a step (`annotations.txt`) and the summary of a job (`summary.md`)."""
    files: dict[str, str] = {}
    for student, rows in sheet.students().items():
        files[f"{folder_of(student)}/annotations.txt"] = annotated(rows, sheet.level)
        files[f"{folder_of(student)}/summary.md"] = summary(sheet, rows)
    return files


def annotated(rows: Sequence[Row], level: str) -> str:
    """Workflow commands: an error for each answer that is wrong, a warning for what has no verdict."""
    errors: list[str] = []
    warnings: list[str] = []
    for row in rows:
        said = told(row, level)
        if said.status in (Status.CORRECT, Status.UNATTEMPTED):
            continue
        place = f",line={said.line},endLine={max(said.line, said.end_line)}" if said.line and not row.is_extract else ""
        kind, found = ("error", errors) if said.status else ("warning", warnings)
        title = _property(f"{row.problem}: {said.title}")
        found.append(f"::{kind} file={_property(row.path)}{place},title={title}::{_message(said.text)}")
    return "".join(f"{line}\n" for line in (*errors[:MOST_ANNOTATIONS], *warnings[:MOST_ANNOTATIONS]))


def summary(sheet: Sheet, rows: Sequence[Row]) -> str:
    """Markdown: a table of the problems, then the details of each answer that is wrong or not graded."""
    total = sheet.total(rows)
    lines = ["| problem | outcome | points |", "|---|---|---|"]
    for row in rows:
        points = sheet.points.of(row)
        shown = "not known" if points is None else f"{in_text(points)} of {in_text(sheet.points.most(row.problem))}"
        lines.append(f"| {markdown(row.problem)} | {markdown(told(row, sheet.level).title)} | {shown} |")
    lines += [f"| {markdown(name)} | nothing handed in | - |" for name in sheet.missing(rows)]
    said_of_all = (
        f"Points: {in_text(total)} of {in_text(sheet.most)}." if total is not None else "Not everything is graded."
    )
    lines += ["", said_of_all]
    for row in rows:
        if (said := told(row, sheet.level)).status != Status.CORRECT:
            lines += ["", f"### {markdown(row.problem)}", "", *(f"{markdown(line)}  " for line in said.lines)]
    text, note = "\n".join(lines) + "\n", "\n\nThe rest is cut.\n"
    if len(text.encode()) > MOST_OF_SUMMARY:
        text = text.encode()[: MOST_OF_SUMMARY - len(note)].decode(errors="ignore") + note
    return text


def markdown(text: str) -> str:
    """Text that Markdown shows as it is, on one line: no markup, no HTML, no workflow command, nobody mentioned."""
    text = clean(" ".join(text.split()))
    text = re.sub(r"([\\`*_{}\[\]<>()#+!|~$&=-])", r"\\\1", text)
    text = re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^::", ":\u200b:", text))
    return text.replace("@", "@\u200b").replace("://", ":\u200b//").replace("www.", "www\u200b.")


def _gradescope(sheet: Sheet, row: Row, count: str) -> dict[str, Any]:
    said, points = told(row, sheet.level), sheet.points.of(row)
    test: dict[str, Any] = {
        "name": row.problem,
        "name_format": "text",
        "number": count,
        "output": said.text,
        "output_format": "text",
        "visibility": "visible",
        "tags": list(said.pitfalls),
    }
    if points is None:
        return test
    status = "passed" if said.status == Status.CORRECT else "failed"
    most = sheet.points.most(row.problem)
    return {**test, "score": number(points), "max_score": number(most), "status": status}


def _not_graded(count: int) -> str:
    return f" Without a verdict: {count}; the sum lacks them." if count else ""


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(clean(text)).replace(":", "%3A").replace(",", "%2C")
