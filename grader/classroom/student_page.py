"""The page of one student: the points, and the details of what is not right. It is made once, and ends as HTML, Markdown or
plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from grader.classroom.exports.sheet import Sheet
from grader.classroom.points import in_text
from grader.classroom.row_text import clean, told
from grader.marking.verdict import Status

LARGEST_PAGE = 1_000_000
"""Bytes of a page: what GitHub shows of a release or of a job ends at 1 MiB."""

CUT = "The rest is cut."
UNREAD = "could not be graded"
ASK = "ask who teaches the class."
DOUBT = f"it is not certain whose it is, or which of several files counts. {ASK.capitalize()}"
"""What a student is told in place of a line that says what to do with the files of the class."""
HEADER = ("problem", "outcome", "points")
HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Feedback</title>
<style>body { font: 1rem/1.5 sans-serif; max-width: 60rem; margin: 1rem auto } table { border-collapse: collapse }
th, td { border: 1px solid; padding: .2rem .6rem; text-align: left } p { white-space: pre-wrap }</style>
</head>
<body>"""
"""It loads nothing: an LMS shows it inside a page of its own."""


@dataclass(frozen=True)
class Page:
    """What a student is told.

    Attributes:
        table: a line for each problem: its name, the outcome, the points.
        total: the sum of points, in words.
        details: of each answer that is not right, the name of the problem and what is told.
    """

    table: Sequence[tuple[str, str, str]]
    total: str
    details: Sequence[tuple[str, Sequence[str]]]


def student_page(sheet: Sheet, student: str) -> Page:
    """What one student is told: of each problem, and of what was handed in and could not be read."""
    rows = {row.problem: row for row in sheet.students()[student]}
    unread = sheet.unread_of(student)
    table: list[tuple[str, str, str]] = []
    details: list[tuple[str, Sequence[str]]] = []
    for name in sheet.problems:
        row, remark = rows.get(name), sheet.points.remark(student, name)
        if row is not None:
            said = told(row, sheet.level)
            table.append((name, said.title, _points(sheet, student, name, sheet.points.of(row), sheet.lateness(row))))
            if said.status != Status.CORRECT:
                details.append((name, said.lines))
        elif remark and (given := sheet.points.given(student, name)):
            table.append((name, "graded by hand", _points(sheet, student, name, given.points)))
        elif sheet.points.is_excused(student, name):
            table.append((name, "excused", "-"))
        elif unread and any(one.problem in (name, "") for one in unread):
            table.append((name, UNREAD, "not known"))
        else:
            table.append((name, "nothing handed in", "-"))
    others = [one for one in sheet.students() if one != student]
    for one in (*unread, *sheet.beside_stubs(student)):
        # A line for who teaches the class may name somebody else.
        path = "A file" if _names(one.path, others) else one.path
        why = DOUBT if one.doubt else ASK if _names(f"{one.path} {one.why}", others) else one.why
        reason = f": {why}" if why else "."
        details.append((one.problem or path, (f"{path} was handed in, and is not graded{reason}",)))
    total, most = sheet.total(student), in_text(sheet.most_of(student))
    excused = "Excused." if sheet.is_excused(student) else "The sum of points is not known."
    return Page(table, excused if total is None else f"Points: {in_text(total)} of {most}.", details)


def _names(text: str, students: Iterable[str]) -> bool:
    """Whether a text names one of some students."""
    return any(one in text and re.search(rf"(?<![^\W_]){re.escape(one)}(?![^\W_])", text) for one in students)


def _points(sheet: Sheet, student: str, problem: str, points: Fraction | None, late: str = "") -> str:
    remark = sheet.points.remark(student, problem)
    if sheet.points.is_excused(student, problem):
        return remark
    known = "not known" if points is None else f"{in_text(points)} of {in_text(sheet.points.most(problem))}"
    return f"{known}{late}{f' ({remark})' if remark else ''}"


def as_markdown(page: Page) -> str:
    lines = ["| problem | outcome | points |", "|---|---|---|"]
    lines += [f"| {' | '.join(map(markdown, cells))} |" for cells in page.table]
    lines += ["", page.total]
    for name, told_of in page.details:
        lines += ["", f"### {markdown(name)}", "", *(f"{markdown(line)}  " for line in told_of)]
    return _cut(lines, CUT)


def as_html(page: Page) -> str:
    def row(cells: Iterable[str], tag: str) -> str:
        return f"<tr>{''.join(_tag(tag, cell) for cell in cells)}</tr>"

    lines = ["<table>", row(HEADER, "th"), *(row(cells, "td") for cells in page.table), "</table>"]
    lines.append(_tag("p", page.total))
    for name, told_of in page.details:
        lines += [_tag("h2", name), *(_tag("p", line) for line in told_of)]
    return f"{HEAD}\n{_cut(lines, _tag('p', CUT))}</body>\n</html>\n"


def as_text(page: Page) -> str:
    lines = [f"{clean(name)}: {clean(outcome)}. Points: {points}" for name, outcome, points in page.table]
    lines += ["", page.total]
    for name, told_of in page.details:
        lines += ["", clean(name), *(f"  {line}" for one in told_of for line in clean(one).split("\n"))]
    return _cut(lines, CUT)


ENDINGS: dict[str, tuple[str, Callable[[Page], str]]] = {
    "html": (".html", as_html),
    "markdown": (".md", as_markdown),
    "text": (".txt", as_text),
}
"""By the name of a form: how its files end, and what writes it."""


def _tag(name: str, text: str) -> str:
    return f"<{name}>{Markup.escape(clean(text))}</{name}>"


def _cut(lines: Iterable[str], note: str) -> str:
    """Whole lines, and a note in the place of those that would make the page too large."""
    left = LARGEST_PAGE - len(HEAD) - 100
    parts: list[str] = []
    for line in lines:
        left -= len(line.encode()) + 1
        if left < 0:
            parts += ["", note]
            break
        parts.append(line)
    return "\n".join(parts) + "\n"


def markdown(text: str) -> str:
    """Text that Markdown shows as it is, on one line: no markup, no HTML, no workflow command, nobody mentioned."""
    text = clean(" ".join(text.split()))
    text = re.sub(r"([\\`*_{}\[\]<>()#+!|~$&=-])", r"\\\1", text)
    text = re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^::", ":\u200b:", text))
    return text.replace("@", "@\u200b").replace("://", ":\u200b//").replace("www.", "www\u200b.")
