"""Answers as Dolos and JPlag read them. Who wrote what is for people to judge: an answer that looks alike proves nothing."""

from __future__ import annotations

import csv
import io
import re

from grader.classroom.exports.sheet import Sheet, folder_of
from grader.classroom.exports.tables import cell
from grader.kit.kit import KitError


def dolos(sheet: Sheet) -> dict[str, str]:
    """For each problem a folder with one file for each answer, `info.csv`, and the stub, which is passed as `-i stub.py`.

    Raises:
        KitError: the text of an answer is not in the gradebook.
    """
    files: dict[str, str] = {}
    for problem in sheet.problems:
        text = io.StringIO(newline="")
        info = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        own = [row for row in sheet.rows if row.problem == problem]
        known = {  # a column says something of every file, or is left out
            "created_at": [_moment(row.submitted) for row in own],
            "full_name": [person.name if (person := sheet.roster.of(row.student)) else "" for row in own],
        }
        columns = {name: values for name, values in known.items() if all(values)}
        info.writerow(("filename", "label", *columns))
        for at, row in enumerate(own):
            if row.digest not in sheet.texts:
                raise KitError(f"The gradebook does not hold the text of {row.path}.")
            name = f"{folder_of(row.student)}.py"
            info.writerow((name, cell(row.student), *(cell(values[at]) for values in columns.values())))
            files[f"{problem}/answers/{name}"] = sheet.texts[row.digest]
        files[f"{problem}/answers/info.csv"] = text.getvalue()
        if problem in sheet.stubs:
            files[f"{problem}/stub.py"] = sheet.stubs[problem]
    return files


def _moment(submitted: str) -> str:
    """`2026-06-01T14:32:01Z` as `2026-06-01 14:32:01 +0000`; empty if it is not known."""
    found = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)", submitted)
    return f"{found[1]} {found[2]} +0000" if found else ""
