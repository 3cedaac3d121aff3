"""A report as one page: it loads nothing, and no text of a student can be anything but text in it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from grader.classroom.equal_answers import EQUAL
from grader.classroom.report import CHANGED, ClassReport, ReportedPlace
from grader.classroom.row_text import spoken_standing
from grader.kit.text import number, visible, visible_lines
from grader.locale.language import gettext, language, ngettext, pgettext
from grader.page.files import base_style
from grader.values.message import Line, Lines, message

SIGNS = {
    "correct": "✓",
    "wrong": "✗",
    "error": "!",
    "timeout": "◷",
    "memory": "▦",
    "crash": "✸",
    "unattempted": "○",
    "fault": "?",
    "due": "…",
}
"""A sign beside the word of each outcome: colour alone tells nothing to those who do not see it, and on paper."""

ALWAYS = ("correct", "wrong")
"""Outcomes that have a column even if nobody has them."""


def page(report: ClassReport) -> str:
    """The page. It shows all that the report holds."""
    style, script = base_style() + _part("style.css"), _part("sort.js")
    # Escaping keeps text of students from being more than text. This policy holds even if escaping should fail.
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_shown, trim_blocks=True, lstrip_blocks=True
    )
    filters: dict[str, Any] = {
        "code": _code, "value": number, "arguments": _arguments, "line": _line, "spoken": spoken_standing,
    }  # fmt: skip
    environment.filters.update(filters)
    present = [sign for sign in SIGNS if sign in ALWAYS or any(problem.outcomes[sign] for problem in report.problems)]
    return environment.from_string(_part("report.html.jinja")).render(
        report=report,
        equal=EQUAL,
        changed=CHANGED,
        gettext=gettext,
        ngettext=ngettext,
        pgettext=pgettext,
        language=language(),
        signs=SIGNS,
        present=present,
        policy=Markup(policy),
        style=Markup(style),
        script=Markup(script),
    )


def _part(name: str) -> str:
    return (files("grader.classroom.page") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _shown(value: Any) -> Any:
    """What is printed for a value: of each text that is not the page's own, invisible characters are written out."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _code(text: str) -> Markup:
    return Markup("\n").join(visible_lines(text))


def _arguments(args: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in args.items())


def _line(place: ReportedPlace) -> str:
    line = Lines((Line(place.line, place.cell or 0),))
    if place.end_line != place.line:
        return str(message("{line} to {last}", line=line, last=place.end_line))
    return str(line)[:1].upper() + str(line)[1:]
