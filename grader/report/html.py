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

from grader.kit.text import clean, folded
from grader.locale.language import N_, gettext, ngettext, pgettext
from grader.marking.verdict import Drawable, Frame, Printed, Status, Verdict
from grader.report import places
from grader.report.table import ProblemRow, by_track, difficulty_word, solved_of
from grader.report.terminal import (
    PRINTED_LINES,
    PROVISIONAL,
    WITHHELD,
    aligned,
    beyond,
    heading_of,
    line_of,
    outcome_word,
    right_so_far,
    status_word,
)
from grader.values.message import Message

SIGNS = {Status.CORRECT: ("right", "✓"), Status.UNATTEMPTED: ("open", "○")}
"""The class and the sign of a status, where it is no failure."""
FAILED = ("failed", "✗")
RIGHT_SO_FAR = ("open", "…")
WIDTH = 96
"""The columns of lines and values."""
MOST_PICTURE_ROWS_AND_COLUMNS = 32, 32
"""The most rows and columns of a picture that are shown one by one."""
_OUTLINED = {
    **dict.fromkeys(("heatmap", "matrix"), N_("A wrong number that is drawn has an outline.")),
    **dict.fromkeys(("curve", "waves"), N_("A wrong number that is drawn has a cross.")),
    "tokens": N_("A wrong number that is drawn has a ✗."),
}
"""What a wrong value has, by the kind of the picture."""


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
    kind, sign = RIGHT_SO_FAR if right_so_far(verdict) else SIGNS.get(verdict.status, FAILED)
    hidden = verdict.withheld == "verdict" or (verdict.withheld and wrong)
    return _template("verdict").render(
        gettext=gettext,
        pgettext=pgettext,
        verdict=verdict,
        status=outcome_word(verdict),
        device=device,
        kind=kind,
        sign=sign,
        line=lambda frame: _line(frame, verdict.file),
        rows=numbers,
        picture=Markup(picture),
        withheld=gettext(WITHHELD[verdict.withheld]) if hidden else "",
        diagnosed=verdict.diagnosed,
        beyond=beyond(verdict.diagnosis, verdict.where),
        places=list(_places(verdict)),
        below=below,
        provisional=gettext(PROVISIONAL[verdict.awaited]) if verdict.awaited else "",
    )


def problems(rows: Sequence[ProblemRow]) -> str:
    """The table of problems, by track."""
    tracks = [(track, list(its)) for track, its in groupby(by_track(rows), key=lambda row: row.track)]
    return _template("problems").render(gettext=gettext, tracks=tracks, solved=solved_of(rows))


@dataclass(frozen=True)
class Picture:
    """A picture of an answer: what draws it (Vega-Lite) on light and on dark, what it shows in words, what is below it."""

    spec: dict[str, Any]
    dark: dict[str, Any]
    label: str
    said: str


def picture_of(drawable: Drawable, *, wrong: bool = True) -> Picture | None:
    """The picture of a wrong answer, or of any without `wrong`; None if none shows more than the numbers."""
    from grader.pictures.spec import spec
    from grader.pictures.view import most_telling_case, view

    found = most_telling_case(drawable, *MOST_PICTURE_ROWS_AND_COLUMNS, wrong=wrong)
    seen = view(*found) if found is not None else None
    if seen is None:
        return None
    drawn, dark = spec(seen), spec(seen, dark=True)
    off, count = seen.count
    if seen.wrong is None:
        return Picture(drawn, dark, drawn["description"], "")
    values = ngettext("{count} value", "{count} values", count).format(count=count)
    said = ngettext("{wrong} of the {values} is wrong.", "{wrong} of the {values} are wrong.", off)
    said = said.format(wrong=off, values=values)
    return Picture(drawn, dark, drawn["description"], f"{said} {gettext(_OUTLINED[seen.kind])}" if off else said)


def picture(drawable: Drawable) -> str:
    """The picture of a wrong answer as SVG, with what it shows in words; empty if there is none."""
    found = picture_of(drawable)
    if found is None:
        return ""
    from grader.pictures.spec import as_svg

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
    for place, message in zip(verdict.where, places.messages(verdict.where), strict=True):
        shown = [(row.plain, str(row.style)) for row in places.rows(place, verdict.cases, WIDTH, unicode=True)]
        yield _Place(shown, str(message), places.question(place))


def _line(frame: Frame, file: str) -> Markup:
    """A line of the learner's code, with the part of it that failed marked."""
    text = clean(frame.text).replace("\n", " ")
    marked = frame.start < frame.end and frame.text.isascii()
    start, end = (frame.start, frame.end) if marked else (0, 0)
    shown = Markup("{}<mark>{}</mark>{}").format(text[:start], text[start:end], text[end:]) if marked else text
    return Markup('<p class="in faint">{}</p>\n<pre>{}</pre>').format(line_of(frame, file), shown)


def _told(text: str | Message) -> Markup:
    """A text of the grader: what stands between backticks is code."""
    return Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(clean(folded(str(text)))))))


def _printed(printed: Printed) -> str:
    lines = clean(str(printed)).rstrip().splitlines()
    shown = lines[:PRINTED_LINES]
    if (more := len(lines) - PRINTED_LINES) > 0:
        shown.append(ngettext("({count} more line)", "({count} more lines)", more).format(count=more))
    return "\n".join(shown)


def _cleaned(value: object) -> object:
    """Text without control characters and changes of direction. What is marked as HTML already was made of such text."""
    return clean(str(value)) if isinstance(value, str | Message) and not isinstance(value, Markup) else value


@cache
def _template(name: str) -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_cleaned, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        {"folded": lambda text: folded(str(text)), "told": _told, "printed": _printed, "heading": heading_of}
    )
    environment.filters.update({"status": status_word, "difficulty": difficulty_word})
    return environment.from_string((files("grader.report") / f"{name}.html.jinja").read_text(encoding="utf-8"))
