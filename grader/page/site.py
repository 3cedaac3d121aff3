"""The site: what each of its files holds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from grader.kit.statement import Heading
from grader.locale.language import ENGLISH, LANGUAGES
from grader.page import highlight
from grader.page.entry import Entry
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


def files_of(
    lessons: Sequence[Lesson], words: Words, *, bundle: str = "", languages: Sequence[str] = ()
) -> dict[str, bytes]:
    """Every file of the site in one language, by its path in the folder of that language.

    Args:
        lessons: in the order in which a learner meets them.
        bundle: the scripts that draw figures; not needed where no lesson has one.
        languages: all languages of the site: each page leads to the same one in the others.
    """
    writer = Writer(lessons, words, languages=languages)
    texts = {
        "index.html": writer.start(
            [one.name for one in lessons if one.figures], translated=_translated(lessons, words)
        ),
        "assets/style.css": style(),
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


def _translated(lessons: Sequence[Lesson], words: Words) -> str:
    """How many lessons are in the language of the site; empty if all are."""
    count = sum(one.language == words.lang for one in lessons)
    return words.translated.format(count=count, all=len(lessons)) if count < len(lessons) else ""


def folder_of(language: str) -> str:
    """The folder of a language in the site: English stands at the top."""
    return "" if language == ENGLISH else f"{language}/"


def style() -> str:
    """The style of every page."""
    return base_style() + part("site.css") + highlight.colours()


def _specs(figures: Sequence[Drawn]) -> str:
    """The script with the figures of a lesson: a page that is opened from a disk cannot load a document."""
    specs = [one.spec for one in figures]
    return f'"use strict";\nconst FIGURES = {json.dumps(specs, ensure_ascii=False, separators=(",", ":"))};\n'


class Writer:
    """Writes the pages of some lessons.

    Args:
        lessons: all of them, in the order in which a learner meets them.
        policy: what a browser lets the pages do.
        more: templates beside those of the site, by name; they may extend these.
        languages: all languages of the site.
    """

    def __init__(
        self,
        lessons: Sequence[Entry],
        words: Words,
        *,
        policy: str = POLICY,
        more: Mapping[str, str] | None = None,
        languages: Sequence[str] = (),
    ) -> None:
        self._lessons, self._words = lessons, words
        own = {name: part(f"{name}.html.jinja") for name in TEMPLATES}
        self._environment = Environment(
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            loader=DictLoader({f"{name}.html.jinja": text for name, text in {**own, **(more or {})}.items()}),
        )
        filters: dict[str, Any] = {"python": partial(highlight.code, language="python")}
        self._environment.filters.update(filters)
        shared: dict[str, Any] = {
            "words": words,
            "policy": Markup(policy),
            "lessons": {one.name: one for one in lessons},
            "hints": Heading.HINTS.value,
            "drawn": self.figure,
            "languages": [
                {
                    "code": one,
                    "name": LANGUAGES[one],
                    "folder": f"{'../' if folder_of(words.lang) else ''}{folder_of(one)}",
                }
                for one in languages
            ],
        }
        self._environment.globals.update(shared)
        self._leads = {one.name: [each.name for each in lessons if one.name in each.after] for one in lessons}

    def start(self, with_figures: Sequence[str], template: str = "index", translated: str = "", **more: Any) -> str:
        """The first page: every lesson, by track.

        Args:
            with_figures: the names of the lessons that have figures.
            template: what it is made of, which takes `more`.
            translated: how many of them are translated, in words; empty if that is not said.
        """
        tracks: dict[str, list[Entry]] = {}
        for lesson in self._lessons:
            tracks.setdefault(lesson.track, []).append(lesson)
        shown = [
            {"name": name, "lessons": of, "map": map_of(of, folder="lessons/", elsewhere=others), "elsewhere": others}
            for name, of in sorted(tracks.items())
            for others in [from_elsewhere(of, self._leads)]
        ]
        first = self._lessons[0] if self._lessons else None
        link = Markup('<a href="lessons/{}.html">{}</a>').format(first.name, first.title) if first else ""
        values = {
            "root": "",
            "path": "index.html",
            "folder": "lessons/",
            "scripts": ["assets/search.js", "assets/page.js"],
            "tracks": shown,
            "first": Markup(str(Markup.escape(self._words.start))).format(lesson=link),
            "with_figures": with_figures,
            "translated": translated,
        }
        return self._render(template, **values, **more)

    def lesson(self, lesson: Lesson, template: str = "lesson", **more: Any) -> str:
        """The page of one lesson.

        Args:
            template: what it is made of, which takes `more`.
        """
        at = [one.name for one in self._lessons].index(lesson.name)
        drawing = [BUNDLE, f"figures/{lesson.name}.js", "assets/figures.js"] if lesson.figures else []
        values = {
            "root": "../",
            "path": f"lessons/{lesson.name}.html",
            "folder": "",
            "scripts": ["assets/search.js", "assets/page.js", *drawing],
            "lesson": lesson,
            "leads": self._leads[lesson.name],
            "before": self._lessons[at - 1] if at else None,
            "behind": self._lessons[at + 1] if at + 1 < len(self._lessons) else None,
        }
        return self._render(template, **values, **more)

    def figure(self, figure: Drawn) -> Markup:
        """A figure of a lesson, as a part of its page. The words around a figure in another language are the page's."""
        foreign = self._words.lang != figure.language
        its, own = (Markup(' lang="{}"').format(one) if foreign else "" for one in (figure.language, self._words.lang))
        return Markup(self._render("figure", figure=figure, its=its, own=own))

    def _render(self, template: str, **values: Any) -> str:
        return self._environment.get_template(f"{template}.html.jinja").render(values)
