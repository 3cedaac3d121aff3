"""Canvas: the gradebook that it exported, with the scores of one assignment filled in."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from grader.classroom.exports.cells import BOM, read_cells, read_number
from grader.classroom.exports.sheet import Sheet
from grader.classroom.exports.tables import guarded, written
from grader.classroom.points import in_text
from grader.classroom.told import listed
from grader.kit.kit import KitError

IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
"""The columns of Canvas that name one student. A first name does not."""


def canvas(sheet: Sheet) -> str:
    """The table that Canvas exported, with the scores of one assignment and no other column.

    Only those students have a row whose score is known, and those who handed in nothing, with the cell that Canvas wrote:
    Canvas compares each cell with what it has, so an equal one changes nothing, and a blank one is a change only where
    there is a score (`lib/gradebook_importer.rb` in its source). No column is added: Canvas would create an assignment.

    Raises:
        KitError: there is no such table, it has no such column, the column has no points possible, or one line of it is two
            students.
    """
    if not sheet.template:
        raise KitError("Canvas needs the table it exported: `--into FILE` names it, `--title` the assignment.")
    first = sheet.template.removeprefix(BOM).partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    table = [[cell.text for cell in line] for line in read_cells(sheet.template, delimiter)]
    people, column = _columns(table, sheet.title)
    above = [index for index, line in enumerate(table) if index == 0 or "Points Possible" in line[0]]
    start = above[-1] + 1
    possible = read_number(table[above[-1]][column], decimals=2) if len(above) > 1 else None
    if possible is None:
        raise KitError(
            f"The table of Canvas has no number of points possible for {table[0][column]!r}, and so no score can be told: "
            "set the points of the assignment in Canvas, and export the table again."
        )
    lines = table[start:]
    kept: dict[int, str] = {}
    for student, rows in sheet.students().items():
        person = sheet.roster.of(student)
        if (score := sheet.score(rows, possible, "Canvas")) is None:
            continue
        at = _line_of({student, *(person.ids if person else ()), person.email if person else ""}, lines, table[0])
        if at is None:
            sheet.notes.append(
                f"Left out, because the table of Canvas has no line of its own for it: {listed([student])}."
            )
        elif at in kept:
            raise KitError(f"Two students of the gradebook have the same line in the table of Canvas: {student!r}.")
        else:
            kept[at] = in_text(score)
    for person in sheet.absent:
        at = _line_of({*person.ids, person.email}, lines, table[0])
        if at is None:
            sheet.notes.append(f"Handed in nothing, and has no line in the table of Canvas: {listed([person.id])}.")
        else:
            kept.setdefault(at, lines[at][column])
    cut = [[*map(_text, line[:people]), line[column]] for line in table[:start]]
    cut += [[*map(_text, lines[at][:people]), score] for at, score in sorted(kept.items())]
    return written(cut, delimiter)


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
            f"The table of Canvas has {len(matching)} columns for {title!r}. `--title` names one of: {known}."
        )
    return people, matching[0]


def _line_of(ids: Collection[str], lines: Sequence[Sequence[str]], header: Sequence[str]) -> int | None:
    columns = [index for index, name in enumerate(header) if name.strip() in IDS]
    ids = {one for one in ids if one}
    found = [at for at, line in enumerate(lines) if ids & {line[index].strip() for index in columns}]
    return found[0] if len(found) == 1 else None


def _text(text: str) -> str:
    """A cell that Canvas wrote: its own spaces stay, since it looks for them."""
    text = guarded(text)
    return f"'{text}" if text.startswith(("\t", "\r")) else text
