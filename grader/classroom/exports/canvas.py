"""Canvas: the gradebook that it exported, with the scores of one assignment filled in."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from grader.classroom.columns import LOGINS, column
from grader.classroom.exports.cells import BOM, read_cells, read_number
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.tables import guarded, written
from grader.classroom.layouts import CANVAS, LAYOUTS, PLAIN
from grader.classroom.points import in_text
from grader.classroom.roster import Person, is_called
from grader.classroom.row import Row
from grader.classroom.row_text import listed
from grader.classroom.teams import OF_ROSTER
from grader.kit.kit import KitError

HEADER = 4
"""How many rows at the top of Canvas's table may hold the points possible."""

NUMBERED = tuple(name for name, one in LAYOUTS.items() if one.lists == CANVAS)
"""The layouts whose ids are Canvas's numbers of users."""

IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
"""The columns of Canvas that name one student. A first name does not."""


def canvas(sheet: Sheet) -> str:
    """The table that Canvas exported, with the scores of one assignment and no other column.

    Only those students have a row whose score is known, and those who handed in nothing, with the cell that Canvas wrote:
    Canvas compares each cell with what it has, so an equal one changes nothing, and a blank one is a change only where
    there is a score (`lib/gradebook_importer.rb` in its source). No column is added: Canvas would create an assignment.

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
    for student, rows in sheet.students().items():
        score = sheet.score(rows, possible, "Canvas")
        at = _line_of(_values(rows[0], sheet.roster.of(student)), lines, table[0])
        if at is not None and rows[0].layout == "canvas-quiz" and not _is_called(lines[at][0], rows[0].called):
            at = None  # a quiz writes name and number in one, and a name may end in a digit
        if at is not None:
            found.setdefault(at, {})[student] = in_text(score)
        elif score is not None:
            without.append(student)
    kept = {at: score for at, scores in found.items() if len(scores) == 1 for score in scores.values() if score}
    for person in sheet.absent:
        at = _line_of(_values(None, person), lines, table[0])
        if at is None:
            without.append(person.id)
        else:
            kept.setdefault(at, lines[at][column])
    if shared := [student for scores in found.values() if len(scores) > 1 for student in scores]:
        sheet.notes.append(f"Left out, because one row of the table of Canvas is that of several: {listed(shared)}.")
    if without:
        sheet.notes.append(f"Left out, because no single row of the table of Canvas is theirs: {listed(without)}.")
    cut = [[*map(_text, line[:people]), line[column]] for line in table[:start]]
    cut += [[*map(_text, lines[at][:people]), score] for at, score in sorted(kept.items())]
    return written(cut, delimiter)


def _possible(table: Sequence[Sequence[str]], column: int) -> tuple[int, Fraction]:
    """Where the rows of students begin, and the points possible in a column."""
    # Below the header, and not a student who is called so.
    identity = [one.strip() for one in table[0]].index("ID")
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
    header = [one.strip() for one in table[0]] if table else []
    if "Section" not in header or "ID" not in header:
        raise KitError("The file of --into is no table of Canvas: its first line lacks `ID` or `Section`.")
    people = header.index("Section") + 1
    matching = [
        index
        for index, one in enumerate(header)
        if index >= people and (one == title or re.sub(r"\s*\(\d+\)$", "", one) == title or one.endswith(f"({title})"))
    ]
    if len(matching) != 1:
        known = ", ".join(header[people:]) or "none"
        raise KitError(
            f"The table of Canvas has {len(matching)} columns for {title!r}. `--column` names one of: {known}."
        )
    return people, matching[0]


def _values(row: Row | None, person: Person | None) -> dict[str, set[str]]:
    """What names a student in each column of Canvas. The number in a download of Canvas is that of the column `ID` alone."""
    values: dict[str, set[str]] = {name: set() for name in IDS}
    if row is not None and row.layout in NUMBERED:
        values["ID"].add(row.student)
    elif row is None or row.layout in ("", PLAIN.name):
        for name in IDS:
            values[name] |= {*([row.student] if row else ()), *(person.ids if person else ())}
    elif row.layout != OF_ROSTER:
        values["SIS Login ID"].add(row.student)
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
    logins = {one.casefold() for one in values["SIS Login ID"]}
    found = [
        number
        for number, line in enumerate(lines)
        if any(line[at[name]].strip() in values[name] for name in IDS if name in at and line[at[name]].strip())
        or ("SIS Login ID" in at and line[at["SIS Login ID"]].strip().casefold() in logins - {""})
    ]
    return found[0] if len(found) == 1 else None


def _is_called(name: str, called: str) -> bool:
    return is_called(Person("", name, "", (), 0), called)


def _text(text: str) -> str:
    """A cell that Canvas wrote: its own spaces stay, since it looks for them."""
    text = guarded(text)
    return f"'{text}" if text.startswith(("\t", "\r")) else text
