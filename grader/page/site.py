"""The site: what each of its files holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from grader.kit.statement import Heading
from grader.page import highlight
from grader.page.lesson import Drawn, Lesson
from grader.page.map import from_elsewhere, map_of
from grader.page.parts import base_style, part
from grader.page.search import index
from grader.page.words import Words

TEMPLATES = ("base", "macros", "index", "lesson", "figure")
BUNDLE = "assets/vega.js"
"""Altair's own scripts for a page. All figures share this one file."""

POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; "
    "base-uri 'none'; form-action 'none'"
)
"""What a browser lets the page do: nothing of it is on a network. Vega sets styles of its own in what it draws."""


def files_of(lessons: Sequence[Lesson], words: Words, *, bundle: str = "") -> dict[str, bytes]:
    """Every file of the site, by its path in the site's folder.

    Args:
        lessons: in the order in which a learner meets them.
        bundle: the scripts that draw figures; not needed where no lesson has one.
    """
    writer = _Writer(lessons, words)
    texts = {
        "index.html": writer.start(),
        "assets/style.css": base_style() + part("site.css") + highlight.colours(),
        "assets/search.js": index(lessons, words),
        "assets/page.js": part("page.js"),
    }
    for lesson in lessons:
        texts[f"lessons/{lesson.name}.html"] = writer.lesson(lesson)
        if lesson.figures:
            texts[f"figures/{lesson.name}.js"] = _specs(lesson.figures)
    if any(lesson.figures for lesson in lessons):
        texts |= {BUNDLE: bundle, "assets/figures.js": part("figures.js")}
    pictures = {path: data for one in lessons for path, data in (one.pictures or {}).items()}
    return {path: text.encode() for path, text in texts.items()} | pictures


def _specs(figures: Sequence[Drawn]) -> str:
    """The script with the figures of a lesson: a page that is opened from a disk cannot load a document."""
    specs = [one.spec for one in figures]
    return f'"use strict";\nconst FIGURES = {json.dumps(specs, ensure_ascii=False, separators=(",", ":"))};\n'


class _Writer:
    def __init__(self, lessons: Sequence[Lesson], words: Words) -> None:
        self._lessons, self._words = lessons, words
        self._environment = Environment(
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            loader=DictLoader({f"{name}.html.jinja": part(f"{name}.html.jinja") for name in TEMPLATES}),
        )
        filters: dict[str, Any] = {"python": partial(highlight.code, language="python")}
        self._environment.filters.update(filters)
        shared: dict[str, Any] = {
            "words": words,
            "policy": Markup(POLICY),
            "lessons": {one.name: one for one in lessons},
            "hints": Heading.HINTS.value,
            "drawn": self._drawn,
        }
        self._environment.globals.update(shared)
        self._leads = {one.name: [each.name for each in lessons if one.name in each.after] for one in lessons}

    def start(self) -> str:
        """The first page: every lesson, by track."""
        tracks: dict[str, list[Lesson]] = {}
        for lesson in self._lessons:
            tracks.setdefault(lesson.track, []).append(lesson)
        shown = [
            {"name": name, "lessons": of, "map": map_of(of, folder="lessons/", elsewhere=others), "elsewhere": others}
            for name, of in sorted(tracks.items())
            for others in [from_elsewhere(of, self._leads)]
        ]
        first = self._lessons[0] if self._lessons else None
        link = Markup('<a href="lessons/{}.html">{}</a>').format(first.name, first.title) if first else ""
        return self._render(
            "index",
            root="",
            folder="lessons/",
            scripts=["assets/search.js", "assets/page.js"],
            tracks=shown,
            first=Markup(str(Markup.escape(self._words.start))).format(lesson=link),
            with_figures=[one.name for one in self._lessons if one.figures],
        )

    def lesson(self, lesson: Lesson) -> str:
        """The page of one lesson."""
        at = self._lessons.index(lesson)
        drawing = [BUNDLE, f"figures/{lesson.name}.js", "assets/figures.js"] if lesson.figures else []
        return self._render(
            "lesson",
            root="../",
            folder="",
            scripts=["assets/search.js", "assets/page.js", *drawing],
            lesson=lesson,
            leads=self._leads[lesson.name],
            before=self._lessons[at - 1] if at else None,
            behind=self._lessons[at + 1] if at + 1 < len(self._lessons) else None,
        )

    def _drawn(self, figure: Drawn) -> Markup:
        return Markup(self._render("figure", figure=figure))

    def _render(self, name: str, **values: Any) -> str:
        return self._environment.get_template(f"{name}.html.jinja").render(values)
