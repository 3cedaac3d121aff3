"""A verdict as HTML for the output of a notebook cell: escaped, readable on light and on dark, without scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from grader.marking.picture_data import Drawable
from grader.marking.verdict import Frame, Status, Verdict
from grader.marking.words import counted
from grader.report import places
from grader.report.table import Row, by_track, solved
from grader.report.terminal import PRINTED_LINES, WITHHELD, aligned, beyond, heading_of
from grader.report.text import clean, folded, visible

SIGNS = {Status.CORRECT: ("right", "✓"), Status.UNATTEMPTED: ("open", "○")}
"""The class and the sign of a status, where it is no failure."""
FAILED = ("failed", "✗")
WIDTH = 96
"""The columns of lines and values."""
MOST_PICTURE_ROWS_AND_COLUMNS = 32, 32
"""The most rows and columns of a picture that are shown one by one."""


def report(verdict: Verdict, *, device: str, below: Sequence[str] = (), picture: str = "") -> str:
    """The report on a verdict.

    Args:
        picture: as `picture` gives it.
        device: what stands beside the status.
        below: lines at its end.
    """
    excerpt = verdict.excerpt
    numbers = [] if excerpt is None else list(zip(*aligned(excerpt), excerpt.wrong, strict=True))
    wrong = verdict.status is Status.WRONG
    kind, sign = SIGNS.get(verdict.status, FAILED)
    return _template("verdict").render(
        verdict=verdict,
        device=device,
        kind=kind,
        sign=sign,
        line=lambda frame: _line(frame, verdict.file),
        rows=numbers,
        picture=Markup(picture),
        withheld=WITHHELD[verdict.withheld] if verdict.withheld == "verdict" or (verdict.withheld and wrong) else "",
        diagnosed=wrong and verdict.withheld != "verdict",
        beyond=beyond(verdict.diagnosis, verdict.where),
        places=list(_places(verdict)),
        below=below,
    )


def problems(rows: Sequence[Row]) -> str:
    """The table of problems, by track."""
    tracks = [(track, list(its)) for track, its in groupby(by_track(rows), key=lambda row: row.track)]
    return _template("problems").render(tracks=tracks, solved=solved(rows), count=len(rows))


@dataclass(frozen=True)
class Picture:
    """A picture of a wrong answer: what draws it (Vega-Lite), what it shows in words, and what stands below it."""

    spec: dict[str, Any]
    label: str
    said: str


def picture_of(drawable: Drawable) -> Picture | None:
    """The picture of a wrong answer; None if none shows more than the numbers."""
    from grader.pictures.case_choice import telling
    from grader.pictures.spec import OUTLINED, spec
    from grader.pictures.view import view

    found = telling(drawable, *MOST_PICTURE_ROWS_AND_COLUMNS, wrong=True)
    seen = view(*found) if found is not None else None
    if seen is None:
        return None
    drawn = spec(seen)
    wrong, count = seen.count
    are = "is" if wrong == 1 else "are"
    said = (
        f"{wrong} of the {counted(count, 'value')} {are} wrong. A wrong number that is drawn has {OUTLINED[seen.kind]}."
    )
    return Picture(drawn, drawn["description"], said)


def picture(drawable: Drawable) -> str:
    """The picture of a wrong answer as SVG, with what it shows in words; empty if there is none."""
    found = picture_of(drawable)
    if found is None:
        return ""
    from grader.pictures.image import as_svg

    return Markup(
        '<figure>\n<div role="img" aria-label="{}">{}</div>\n<figcaption class="faint">{}</figcaption>\n</figure>'
    ).format(found.label, Markup(as_svg(found.spec).decode()), found.said)


@dataclass(frozen=True)
class _Place:
    """A place of a mistake: its lines with their styles; what was proven is told once for places that share it."""

    rows: list[tuple[str, str]]
    message: str
    question: str


def _places(verdict: Verdict) -> Iterator[_Place]:
    for one, message in zip(verdict.where, places.messages(verdict.where), strict=True):
        shown = [(row.plain, str(row.style)) for row in places.rows(one, verdict.cases, WIDTH, unicode=True)]
        yield _Place(shown, message, places.question(one))


def _line(frame: Frame, file: str) -> Markup:
    """A line of the learner's code, with the part of it that failed marked."""
    text = clean(frame.text).replace("\n", " ")
    marked = frame.start < frame.end and frame.text.isascii()
    start, end = (frame.start, frame.end) if marked else (0, 0)
    cell = f"cell {frame.cell}, " if frame.cell else ""
    shown = Markup("{}<mark>{}</mark>{}").format(text[:start], text[start:end], text[end:]) if marked else text
    return Markup('<p class="in faint">{}, {}line {}</p>\n<pre>{}</pre>').format(visible(file), cell, frame.line, shown)


def _told(text: str) -> Markup:
    """A text of the grader: what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(clean(folded(text))))))


def _printed(output: str) -> str:
    lines = clean(output).rstrip().splitlines()
    more = f"\n({counted(len(lines) - PRINTED_LINES, 'more line')})" if len(lines) > PRINTED_LINES else ""
    return "\n".join(lines[:PRINTED_LINES]) + more


def _cleaned(value: object) -> object:
    """Text without control characters and changes of direction. What is marked as HTML already was made of such text."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _template(name: str) -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_cleaned, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update({"folded": folded, "told": _told, "printed": _printed, "heading": heading_of})
    return environment.from_string((files("grader.report") / f"{name}.html.jinja").read_text(encoding="utf-8"))
