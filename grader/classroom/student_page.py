"""The page of one student in Markdown: the points, and the details of what is not right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import in_text
from grader.classroom.row import Row
from grader.classroom.row_text import clean, told
from grader.marking.verdict import Status

LARGEST_PAGE = 1_000_000
"""Bytes of a page: what GitHub shows of a release or of a job ends at 1 MiB."""


def student_page(sheet: Sheet, rows: Sequence[Row]) -> str:
    """Markdown: a table of the problems, then the details of each answer that is wrong or not graded."""
    total = sheet.total(rows)
    lines = ["| problem | outcome | points |", "|---|---|---|"]
    for row in rows:
        points = sheet.points.of(row)
        known = "not known" if points is None else f"{in_text(points)} of {in_text(sheet.points.most(row.problem))}"
        shown = f"{known}{sheet.lateness(row)}"
        lines.append(f"| {markdown(row.problem)} | {markdown(told(row, sheet.level).title)} | {shown} |")
    lines += [f"| {markdown(name)} | nothing handed in | - |" for name in sheet.missing(rows)]
    said_of_all = (
        f"Points: {in_text(total)} of {in_text(sheet.most)}."
        if total is not None
        else "The sum of points is not known."
    )
    lines += ["", said_of_all]
    for row in rows:
        if (said := told(row, sheet.level)).status != Status.CORRECT:
            lines += ["", f"### {markdown(row.problem)}", "", *(f"{markdown(line)}  " for line in said.lines)]
    text, note = "\n".join(lines) + "\n", "\n\nThe rest is cut.\n"
    if len(text.encode()) > LARGEST_PAGE:
        text = text.encode()[: LARGEST_PAGE - len(note)].decode(errors="ignore") + note
    return text


def markdown(text: str) -> str:
    """Text that Markdown shows as it is, on one line: no markup, no HTML, no workflow command, nobody mentioned."""
    text = clean(" ".join(text.split()))
    text = re.sub(r"([\\`*_{}\[\]<>()#+!|~$&=-])", r"\\\1", text)
    text = re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^::", ":\u200b:", text))
    return text.replace("@", "@\u200b").replace("://", ":\u200b//").replace("www.", "www\u200b.")
