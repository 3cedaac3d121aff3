"""The page of one student, and the zip of all pages that goes back to another system."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from grader.classroom.exports.sheet import Sheet
from grader.classroom.file_names import storable_name
from grader.classroom.points import in_text
from grader.classroom.roster import Roster
from grader.classroom.row import Row
from grader.classroom.row_text import clean, listed, row_words
from grader.classroom.student_names import NUMBER
from grader.classroom.submission import Unread
from grader.classroom.teams import OF_ROSTER
from grader.kit.kit import KitError
from grader.locale.language import N_, gettext, language
from grader.marking.verdict import Status

LARGEST_PAGE = 1_000_000
"""Bytes of a page: what GitHub shows of a release or of a job ends at 1 MiB."""

CUT = N_("The rest is cut.")
ASK = N_("ask who teaches the class.")

DOUBT = N_("it is not certain whose it is, or which of several files counts. Ask who teaches the class.")
"""What a student is told in place of a line that says what to do with the files of the class."""

HEADER = (N_("problem"), N_("outcome"), N_("points"))

HEAD = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>body {{ font: 1rem/1.5 sans-serif; max-width: 60rem; margin: 1rem auto }} table {{ border-collapse: collapse }}
th, td {{ border: 1px solid; padding: .2rem .6rem; text-align: left }} p {{ white-space: pre-wrap }}</style>
</head>
<body>"""
"""It loads nothing: an LMS shows it inside a page of its own."""


@dataclass(frozen=True)
class StudentPage:
    """What a student is told.

    Attributes:
        table: a line for each problem: its name, the outcome, the points.
        details: of each answer that is not right, the name of the problem and what is told.
    """

    table: Sequence[tuple[str, str, str]]
    total: str
    details: Sequence[tuple[str, Sequence[str]]]


def student_page(sheet: Sheet, student: str) -> StudentPage:
    """What one student is told: of each problem, and of what was handed in and could not be read."""
    rows = {row.problem: row for row in sheet.students[student]}
    unread = sheet.unread_of(student)
    table: list[tuple[str, str, str]] = []
    details: list[tuple[str, Sequence[str]]] = []
    for name in sheet.problems:
        row, remark = rows.get(name), sheet.points.remark(student, name)
        if row is not None:
            said = row_words(row, sheet.level)
            table.append((name, said.title, _points(sheet, student, name, sheet.points.of(row), sheet.lateness(row))))
            if said.status != Status.CORRECT:
                details.append((name, said.lines))
        elif remark and (given := sheet.points.given(student, name)):
            table.append((name, gettext("graded by hand"), _points(sheet, student, name, given.points)))
        elif sheet.points.is_excused(student, name):
            table.append((name, gettext("excused"), "-"))
        elif unread and any(unread_file.problem in (name, "") for unread_file in unread):
            table.append((name, gettext("could not be graded"), gettext("not known")))
        else:
            table.append((name, gettext("nothing handed in"), "-"))
    others = [other for other in sheet.students if other != student]
    for unread_file in (*unread, *sheet.beside_stubs(student)):
        # A line for who teaches the class may name somebody else.
        path = gettext("A file") if _names(unread_file.path, others) else unread_file.path
        why = ASK if _names(f"{unread_file.path} {unread_file.why}", others) else unread_file.why
        why = DOUBT if unread_file.doubt else why
        told = gettext("{path} was handed in, and is not graded: {why}").format(path=path, why=gettext(why))
        if not why:
            told = gettext("{path} was handed in, and is not graded.").format(path=path)
        details.append((unread_file.problem or path, (told,)))
    total, most = sheet.total(student), in_text(sheet.most_of(student))
    said = gettext("Points: {points} of {most}.").format(points=in_text(total), most=most)
    if total is None:
        said = gettext("Excused.") if sheet.is_excused(student) else gettext("The sum of points is not known.")
    return StudentPage(table, said, details)


def _names(text: str, students: Iterable[str]) -> bool:
    """Whether a text names one of some students."""
    return any(
        student in text and re.search(rf"(?<![^\W_]){re.escape(student)}(?![^\W_])", text) for student in students
    )


def _points(sheet: Sheet, student: str, problem: str, points: Fraction | None, late: str = "") -> str:
    remark = sheet.points.remark(student, problem)
    if sheet.points.is_excused(student, problem):
        return remark
    known = gettext("{points} of {most}").format(points=in_text(points), most=in_text(sheet.points.most(problem)))
    if points is None:
        known = gettext("not known")
    return f"{known}{late}{f' ({remark})' if remark else ''}"


def as_markdown(page: StudentPage) -> str:
    head, *rows = (f"| {' | '.join(map(markdown, cells))} |" for cells in (map(gettext, HEADER), *page.table))
    lines = [head, "|---|---|---|", *rows]
    lines += ["", page.total]
    for name, told_of in page.details:
        lines += ["", f"### {markdown(name)}", "", *(f"{markdown(line)}  " for line in told_of)]
    return _cut(lines, gettext(CUT))


def as_html(page: StudentPage) -> str:
    def row(cells: Iterable[str], tag: str) -> str:
        return f"<tr>{''.join(_tag(tag, cell) for cell in cells)}</tr>"

    lines = ["<table>", row(map(gettext, HEADER), "th"), *(row(cells, "td") for cells in page.table), "</table>"]
    lines.append(_tag("p", page.total))
    for name, told_of in page.details:
        lines += [_tag("h2", name), *(_tag("p", line) for line in told_of)]
    head = HEAD.format(language=language(), title=gettext("Feedback"))
    return f"{head}\n{_cut(lines, _tag('p', gettext(CUT)))}</body>\n</html>\n"


def as_text(page: StudentPage) -> str:
    each = gettext("{problem}: {outcome}. Points: {points}")
    lines = [each.format(problem=clean(name), outcome=clean(said), points=points) for name, said, points in page.table]
    lines += ["", page.total]
    for name, told_of in page.details:
        lines += ["", clean(name), *(f"  {line}" for text in told_of for line in clean(text).split("\n"))]
    return _cut(lines, gettext(CUT))


ENDINGS: dict[str, tuple[str, Callable[[StudentPage], str]]] = {
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


@dataclass(frozen=True)
class FeedbackSystem:
    """A system that takes feedback back.

    Attributes:
        layouts: those that its downloads are read by.
        form: the form of a page, where nothing else is asked for.
        name: a part of a path that the system wrote, whole or in its group `folder`.
        file: where a page belongs in the zip, by such a part and the ending of the page.
        where: what to do with the zip, as a sentence.
        numbered: whether it finds a student by a number that a list of the class may have too.
    """

    title: str
    layouts: Collection[str]
    form: str
    name: re.Pattern[str]
    file: Callable[[re.Match[str], str], str]
    where: str
    numbered: bool = False


def _canvas(match: re.Match[str], ending: str) -> str:
    # Canvas shows a page under the name of the upload that it answers: a text may be called `rope.py`, and is no notebook.
    return match[0] if match[0].lower().endswith(".py") else f"{match[0]}{ending}"


FEEDBACK_SYSTEMS = {
    # app/models/abstract_assignment.rb, infer_comment_context_from_filename: a user, and an upload that must be that user's
    "canvas": FeedbackSystem(
        "Canvas",
        ("canvas", "canvas-anonymous", OF_ROSTER),
        "text",
        re.compile(rf"(?:.+_{NUMBER}|(?:LATE_)?anon_(?:LATE_)?[A-Za-z0-9]{{5}}(?:_LATE)?)_{NUMBER}_.+", re.DOTALL),
        _canvas,
        "In Canvas, open the assignment and choose Upload Submissions.",
    ),
    # mod/assign/feedback/file/importziplib.php, is_valid_filename_for_import: the participant and the plug-in of a folder
    "moodle": FeedbackSystem(
        "Moodle",
        ("moodle",),
        "html",
        re.compile(r"(?P<folder>[^_]+_[0-9]+_assignsubmission_[a-z]+).*", re.DOTALL),
        lambda match, ending: f"{match['folder']}_/feedback{ending}",
        "In Moodle, open the assignment's submissions and choose Upload multiple feedback files in a zip.",
        numbered=True,
    ),
}


@dataclass(frozen=True)
class GoesBack:
    """What goes back.

    Attributes:
        files: the pages, by their names in the zip.
        notes: who is left out, and why, in one line each.
    """

    files: Mapping[str, bytes]
    students: Sequence[str]
    notes: Sequence[str]


def going_back(
    system: FeedbackSystem,
    students: Mapping[str, tuple[Sequence[Row], Sequence[Unread]]],
    ending: str,
    page: Callable[[str], bytes],
    people: Roster | None = None,
) -> GoesBack:
    """The pages of some students, each once, by the names that the system gave their files.

    Args:
        students: of each, the answers, and what could not be read.
        people: the list of the class. If it has the numbers of this system, a student must have a number and a name of it.

    Raises:
        KitError: no file of theirs is named by this system.
    """
    found: dict[str, dict[str, bytes]] = {}
    numbered = system.numbered and people is not None and any(person.participant for person in people.people)
    strange, without, teams, differ = list[str](), list[str](), list[str](), list[str]()
    for student, (rows, unread) in students.items():
        if numbered and people is not None and people.of(student) is None:
            strange.append(student)
        elif name := _name(system, rows, unread, ending):
            found.setdefault(name, {})[student] = page(student)
        else:
            (teams if any(row.team for row in rows) else without).append(student)
    for pages in found.values():
        differ += pages if len({*pages.values()}) > 1 else ()
    left_out = {
        "the roster has nobody with their number and name": strange,
        f"no file of theirs is named as in {system.title}'s download of an assignment": without,
        f"their file is named after a team, and {system.title} may take the number of a team for that of a student": teams,
        "one file is that of several students, whose pages differ": differ,
    }
    notes = [f"Left out, because {why}: {listed(who)}." for why, who in left_out.items() if who]
    found = {name: pages for name, pages in found.items() if len({*pages.values()}) == 1}
    files = {name: next(iter(pages.values())) for name, pages in found.items()}
    if not files:
        raise KitError(f"There is nothing for {system.title}. {' '.join(notes) or 'The gradebook holds no answer.'}")
    return GoesBack(files, [student for pages in found.values() for student in pages], notes)


def _name(system: FeedbackSystem, rows: Sequence[Row], unread: Sequence[Unread], ending: str) -> str:
    """The name of a student's page; empty where no path of the student has one."""
    paths = [row.path for row in rows if row.layout in system.layouts and (row.layout == OF_ROSTER or not row.team)]
    if not rows:  # of what could not be read, the path alone is known
        paths = [unread_file.path for unread_file in unread]
    for path in sorted(paths, key=lambda path: not path.lower().endswith(".py")):
        for part in path.split("/"):
            if match := system.name.fullmatch(storable_name(part)):
                return system.file(match, ending)
    return ""
