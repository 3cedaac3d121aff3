"""Canvas: the gradebook that it exported, with the scores of one assignment filled in."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from grader.classroom.columns import LOGINS, column
from grader.classroom.exports.cells import BOM, Standing, read_cells, read_number
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.tables import guarded, written
from grader.classroom.layouts import CANVAS, LAYOUTS, PLAIN
from grader.classroom.points import in_text
from grader.classroom.roster import Person, is_called
from grader.classroom.row import Row
from grader.classroom.row_text import clean
from grader.classroom.student_names import ways_of_quiz
from grader.classroom.teams import OF_ROSTER
from grader.kit.kit import KitError

EXCUSED = "EX"
"""What Canvas writes and takes in the place of a score."""

HEADER = 4
"""How many rows at the top of Canvas's table may hold the points possible."""

NUMBERED = tuple(name for name, layout in LAYOUTS.items() if layout.lists == CANVAS)
"""The layouts whose ids are Canvas's numbers of users."""

IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
"""The columns of Canvas that name one student. A first name does not."""


def canvas(sheet: Sheet) -> str:
    """The table that Canvas exported, with the scores of one assignment and no other column.

    Only those students have a row whose score is known, or who are excused, and those who handed in nothing, with the cell
    that Canvas wrote: Canvas compares each cell with what it has, so an equal one changes nothing, and a blank one is a
    change only where there is a score (`lib/gradebook_importer.rb` in its source). No column is added: Canvas would create
    an assignment.

    Raises:
        KitError: there is no such table, it has no such column, or the column has no points possible.
    """
    if not sheet.template:
        raise KitError("Canvas needs the table it exported: `--into FILE` names it, `--column` the assignment.")
    first = sheet.template.removeprefix(BOM).partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    table = [[cell.text for cell in line] for line in read_cells(sheet.template, delimiter)]
    people, column = _columns(table, sheet.title)
    start, possible = _possible(table, column)
    lines = table[start:]
    found: dict[int, dict[str, str]] = {}
    without: list[str] = []
    others: list[str] = []
    for student in dict.fromkeys([*sheet.students, *filter(sheet.is_excused, sheet.points.excused)]):
        rows, person = sheet.students.get(student, ()), sheet.roster.of(student)
        excused = sheet.is_excused(student)
        text = EXCUSED if excused else in_text(sheet.score(student, possible, "Canvas"))
        layout = next((row.layout for row in (*rows, *sheet.rows)), "")
        at = _line_of(_values(student, layout, person), lines, table[0])
        fits_others = any(row.layout == "canvas-quiz" and _rows_of_quiz(row, lines, table[0]) - {at} for row in rows)
        if fits_others or sheet.roster.shares(student):
            at = None
        called = next((row.called for row in rows if at is not None and not _is_called(lines[at][0], row, person)), "")
        if at is not None and called:
            others.append(f"{student} ({called!r} in the download, {lines[at][0]!r} in the table)")
        elif at is not None:
            found.setdefault(at, {})[student] = text
        elif text:
            without.append(student)
    standing = Standing(sheet.only_blank)
    kept = {
        at: standing.put(student, lines[at][column], text)
        for at, texts in sorted(found.items())
        if len(texts) == 1
        for student, text in texts.items()
        if text
    }
    sheet.written.update({student: kept[at] for at, texts in found.items() for student in texts if at in kept})
    for person in sheet.absent:
        at = _line_of(_values("", "", person), lines, table[0])
        if at is None:
            without.append(person.id)
        else:
            kept.setdefault(at, lines[at][column])
    shared = [student for texts in found.values() if len(texts) > 1 for student in texts]
    sheet.left_out("one row of the table of Canvas is that of several", shared)
    sheet.left_out("no single row of the table of Canvas is theirs", without, sheet.advice)
    if others:
        sheet.notes.append(
            f"Left out, because the row of the table of Canvas has another name: {clean(', '.join(others))}. If teams "
            "handed in, grade with --teams and with a --roster that names them."
        )
    sheet.notes.extend(standing.notes())
    cut = [[*map(_text, line[:people]), line[column]] for line in table[:start]]
    cut += [[*map(_text, lines[at][:people]), score] for at, score in sorted(kept.items())]
    return written(cut, delimiter)


def _possible(table: Sequence[Sequence[str]], column: int) -> tuple[int, Fraction]:
    """Where the rows of students begin, and the points possible in a column."""
    # Below the header, and not a student who is called so.
    identity = [cell.strip() for cell in table[0]].index("ID")
    found = [
        at for at, line in enumerate(table[:HEADER]) if "Points Possible" in line[0] and not line[identity].strip()
    ]
    possible = read_number(table[found[-1]][column], decimals=2) if found else None
    if possible is None:
        raise KitError(
            f"The table of Canvas has no number of points possible for {table[0][column]!r}, and so no score can be told: "
            "set the points of the assignment in Canvas, and export the table again."
        )
    return found[-1] + 1, possible


def _columns(table: Sequence[Sequence[str]], title: str) -> tuple[int, int]:
    """How many columns say who a student is, and the column of the assignment."""
    header = [cell.strip() for cell in table[0]] if table else []
    if "Section" not in header or "ID" not in header:
        raise KitError("The file of --into is no table of Canvas: its first line lacks `ID` or `Section`.")
    people = header.index("Section") + 1
    matching = [
        index
        for index, name in enumerate(header)
        if index >= people
        and (name == title or re.sub(r"\s*\(\d+\)$", "", name) == title or name.endswith(f"({title})"))
    ]
    if len(matching) != 1:
        known = ", ".join(header[people:]) or "none"
        raise KitError(
            f"The table of Canvas has {len(matching)} columns for {title!r}. `--column` names one of: {known}."
        )
    return people, matching[0]


def _values(student: str, layout: str, person: Person | None) -> dict[str, set[str]]:
    """What names a student in each column of Canvas. The number in a download of Canvas is that of the column `ID` alone."""
    values: dict[str, set[str]] = {name: set() for name in IDS}
    if layout in NUMBERED:
        values["ID"].add(student)
    elif layout in ("", PLAIN.name):
        for name in IDS:
            values[name] |= {*([student] if student else ()), *(person.ids if person else ())}
    elif layout != OF_ROSTER:
        values["SIS Login ID"].add(student)
    for header, value in person.pairs if person else ():
        named = "id" if column(header) == "canvas_user_id" else column(header)
        for name in IDS:
            if named == column(name) or (name == "SIS Login ID" and named in LOGINS):
                values[name].add(value)
    return values


def _line_of(
    values: Mapping[str, Collection[str]], lines: Sequence[Sequence[str]], header: Sequence[str]
) -> int | None:
    at = {name.strip(): index for index, name in enumerate(header)}
    logins = {value.casefold() for value in values["SIS Login ID"]}
    found = [
        number
        for number, line in enumerate(lines)
        if any(line[at[name]].strip() in values[name] for name in IDS if name in at and line[at[name]].strip())
        or ("SIS Login ID" in at and line[at["SIS Login ID"]].strip().casefold() in logins - {""})
    ]
    return found[0] if len(found) == 1 else None


def _rows_of_quiz(row: Row, lines: Sequence[Sequence[str]], header: Sequence[str]) -> set[int]:
    """The rows whose number and name an answer of a quiz may have: it writes both in one, and a name may end in digits."""
    ways = [
        (_line_of(_values(way, row.layout, None), lines, header), name)
        for way, name in ways_of_quiz(row.called + row.student)
    ]
    return {at for at, name in ways if at is not None and is_called(Person("", lines[at][0], "", (), 0), name)}


def _is_called(name: str, row: Row, person: Person | None) -> bool:
    """Whether a name of the table may be that of who handed an answer in; a system may write the name of the team there."""
    known = Person("", name, "", (), 0, teams=person.teams if person else ())
    return not row.called or row.layout == OF_ROSTER or is_called(known, row.called)


def _text(text: str) -> str:
    """A cell that Canvas wrote: its own spaces stay, since it looks for them."""
    text = guarded(text)
    return f"'{text}" if text.startswith(("\t", "\r")) else text
