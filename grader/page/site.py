"""The site: what each of its files holds, with the index of the search."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import shorten
from typing import Any

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape

from grader.kit.statement import Heading
from grader.locale.language import ENGLISH, LANGUAGES
from grader.page import body, published
from grader.page.body import Body
from grader.page.files import base_style, page_file
from grader.page.map import LessonEntry, map_of
from grader.page.published import PREVIEW, START, address, folder_of
from grader.page.words import PageWords


@dataclass(frozen=True)
class Drawn:
    """A figure of a lesson as the page shows it (see `grader.page.figure.Figure`).

    Attributes:
        number: its place among the figures of the lesson, from 0.
        language: of its texts.
        section: the heading in English of the section that it stands in.
        spec: what draws it, as a document.
        of: the settings that its table is for.
        columns: the heads of its table.
        rows: the cells of its table, as text.
    """

    number: int
    language: str
    title: str
    section: str
    sentence: str
    of: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spec: Mapping[str, Any]

    @property
    def id(self) -> str:
        return f"page-figure-{self.number + 1}"


@dataclass(frozen=True)
class Lesson:
    """A lesson of the page: a `LessonEntry`, with its body. `stub` is the shipped stub, empty if it is not known."""

    name: str
    title: str
    track: str
    difficulty: str
    tags: tuple[str, ...]
    after: tuple[str, ...]
    body: Body
    text: str = ""
    stub: str = ""
    figures: tuple[Drawn, ...] = ()
    pictures: Mapping[str, bytes] | None = None
    """The pictures of the statement, by their path on the page."""
    language: str = ENGLISH
    """The language of its title, its body, its text and its aim."""
    aim: str = ""
    """The end of a sentence that begins "After this lesson you can", in Markdown; empty if the author gave none."""
    minutes: int = 0
    """How long it takes about; 0 if the author did not say."""


SHORTEST_WORD = 2
"""The fewest letters of a word that is in the index."""

_WORD = re.compile(r"[^\W\d]\w*")

_NO_WORDS = re.compile(r"\$\$?[^$]*\$\$?|\]\([^)]*\)|^ *(?:```|~~~).*$", re.MULTILINE)
"""What of Markdown a reader sees no words in: formulas, where links lead, what language a block is in."""


def search_index(lessons: Sequence[LessonEntry], texts: Mapping[str, str], words: PageWords) -> str:
    """The script. It defines `PAGE`: the lessons in order, each with the words of its text, and what scripts say."""
    document = {"words": words.for_scripts(), "lessons": [_entry(lesson, texts[lesson.name]) for lesson in lessons]}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return f'"use strict";\nconst PAGE = {text};\n'


def _entry(lesson: LessonEntry, text: str) -> dict[str, Any]:
    named = words_of(" ".join([lesson.name, lesson.title, *lesson.tags]))
    return {
        "name": lesson.name,
        "title": lesson.title,
        "track": lesson.track,
        "tags": " ".join(lesson.tags),
        "text": " ".join(sorted({*words_of(text)} - {*named})),
    }


def words_of(markdown: str) -> list[str]:
    """The words of a text, small, in order, each as often as it stands there. A name such as `d_model` is one word."""
    found = _WORD.findall(_NO_WORDS.sub(" ", markdown))
    return [word for word in (word.lower() for word in found) if len(word) >= SHORTEST_WORD]


TEMPLATES = ("base", "macros", "index", "track", "lesson", "figure")

BUNDLE = "assets/vega.js"
"""Altair's own scripts for a page. All figures share this one file."""

LONGEST_TITLES = 160
"""The most letters of titles in the description of a track. Search engines cut it about there."""

POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; "
    "base-uri 'none'; form-action 'none'"
)
"""What a browser lets the page do: nothing of it is on a network. Vega sets styles of its own in what it draws."""


def files_of(
    lessons: Sequence[Lesson], words: PageWords, *, bundle: str = "", languages: Sequence[str] = (), base: str = ""
) -> dict[str, bytes]:
    """Every file of the site in one language, by its path in the folder of that language.

    Args:
        lessons: in the order in which a learner meets them.
        bundle: the scripts that draw figures; not needed where no lesson has one.
        languages: all languages of the site: each page leads to the same one in the others.
        base: where the site will be on the web, with a slash at its end; empty if that is not known.
    """
    writer = Writer(lessons, words, languages=languages, track_pages=True, base=base)
    texts = {
        START: writer.start(
            [lesson.name for lesson in lessons if lesson.figures], translated=_translated(lessons, words)
        ),
        "assets/style.css": style(),
        "assets/search.js": search_index(lessons, {lesson.name: lesson.text for lesson in lessons}, words),
        "assets/page.js": page_file("page.js"),
        "assets/theme.js": page_file("theme.js"),
    }
    for track in writer.tracks:
        texts[track.page] = writer.track(track)
    for lesson in lessons:
        texts[f"lessons/{lesson.name}.html"] = writer.lesson(lesson)
        if lesson.figures:
            texts[f"figures/{lesson.name}.js"] = _specs(lesson.figures)
    if any(lesson.figures for lesson in lessons):
        texts |= {BUNDLE: bundle, "assets/figures.js": page_file("figures.js")}
    pictures = {path: data for lesson in lessons for path, data in (lesson.pictures or {}).items()}
    if base:
        pictures[PREVIEW] = published.preview(words, [track.name for track in writer.tracks])
    return {path: text.encode() for path, text in texts.items()} | pictures


def _translated(lessons: Sequence[Lesson], words: PageWords) -> str:
    """How many lessons are in the language of the site; empty if all are."""
    count = sum(lesson.language == words.lang for lesson in lessons)
    return words.translated.format(count=count, all=len(lessons)) if count < len(lessons) else ""


def style() -> str:
    """The style of every page."""
    return base_style() + page_file("site.css") + body.code_colours()


def _specs(figures: Sequence[Drawn]) -> str:
    """The script with the figures of a lesson: a page that is opened from a disk cannot load a document."""
    specs = [figure.spec for figure in figures]
    return f'"use strict";\nconst FIGURES = {json.dumps(specs, ensure_ascii=False, separators=(",", ":"))};\n'


@dataclass(frozen=True)
class Track:
    """A track as pages show it.

    Attributes:
        page: its page, from the folder of the language; where it has none, its place on the first page.
        alone: whether it builds on no lesson of another track that is on the page.
    """

    name: str
    lessons: tuple[LessonEntry, ...]
    page: str
    alone: bool


def _tracks(lessons: Sequence[LessonEntry], page: str) -> list[Track]:
    """The tracks of lessons in order. `page` is the page of a track, with `{}` for its number, from 1."""
    known = {lesson.name for lesson in lessons}
    found: list[Track] = []
    for number, name in enumerate(sorted({lesson.track for lesson in lessons}), 1):
        inside = tuple(lesson for lesson in lessons if lesson.track == name)
        before = {earlier for lesson in inside for earlier in lesson.after if earlier in known}
        alone = before <= {lesson.name for lesson in inside}
        found.append(Track(name, inside, page.format(number), alone))
    return found


def _time(minutes: int) -> str:
    hours, left = divmod(minutes, 60)
    return " ".join([*([f"{hours} h"] if hours else []), *([f"{left} min"] if left or not hours else [])])


class Writer:
    """Writes the pages of some lessons.

    Args:
        lessons: all of them, in the order in which a learner meets them.
        policy: what a browser lets the pages do.
        more: templates beside those of the site, by name; they may extend these.
        languages: all languages of the site.
        track_pages: whether each track has a page of its own.
        base: where the site will be on the web (see `files_of`).
    """

    def __init__(
        self,
        lessons: Sequence[LessonEntry],
        words: PageWords,
        *,
        policy: str = POLICY,
        more: Mapping[str, str] | None = None,
        languages: Sequence[str] = (),
        track_pages: bool = False,
        base: str = "",
    ) -> None:
        self._lessons, self._words = lessons, words
        self.tracks = _tracks(lessons, "tracks/{}.html" if track_pages else f"{START}#track-{{}}")
        own = {name: page_file(f"{name}.html.jinja") for name in TEMPLATES}
        self._environment = Environment(
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            loader=DictLoader({f"{name}.html.jinja": text for name, text in {**own, **(more or {})}.items()}),
        )
        filters: dict[str, Any] = {
            "python": partial(body.highlighted_code, language="python"),
            "markdown": partial(body.fragment, words=words),
            "map_of": map_of,
            "time": _time,
        }
        self._environment.filters.update(filters)
        shared: dict[str, Any] = {
            "words": words,
            "policy": Markup(policy),
            "lessons": {lesson.name: lesson for lesson in lessons},
            "hints": Heading.HINTS.value,
            "drawn": self.figure,
            "to_lesson": self.to_lesson,
            "track_pages": track_pages,
            "base": base,
            "address": address,
            "preview": PREVIEW,
            "languages": [
                {
                    "code": language,
                    "name": LANGUAGES[language],
                    "folder": f"{'../' if folder_of(words.lang) else ''}{folder_of(language)}",
                }
                for language in languages
            ],
        }
        self._environment.globals.update(shared)
        self._leads = {lesson.name: [each.name for each in lessons if lesson.name in each.after] for lesson in lessons}

    def start(self, with_figures: Sequence[str], template: str = "index", translated: str = "", **more: Any) -> str:
        """The first page: every lesson, by track.

        Args:
            with_figures: the names of the lessons that have figures.
            template: what it is made of, which takes `more`.
            translated: how many of them are translated, in words; empty if that is not said.
        """
        values = {
            "root": "",
            "path": START,
            "description": self._words.intro,
            "folder": "lessons/",
            "scripts": ["assets/search.js", "assets/page.js"],
            "tracks": self.tracks,
            "with_figures": with_figures,
            "translated": translated,
            "live": False,
        }
        return self._render(template, **{**values, **more})

    def track(self, track: Track) -> str:
        """The page of one track, whose lessons are each a `Lesson`: what they teach, and how long they take."""
        at, name = self.tracks.index(track), self._words.track.format(name=track.name)
        minutes = [lesson.minutes for lesson in track.lessons if isinstance(lesson, Lesson)]
        titles = shorten(", ".join(lesson.title for lesson in track.lessons), LONGEST_TITLES, placeholder=" …")
        values = {
            "root": "../",
            "path": track.page,
            "description": f"{name}: {titles}",
            "folder": "../lessons/",
            "scripts": ["assets/search.js", "assets/page.js"],
            "track": track,
            "minutes": sum(minutes) if all(minutes) else 0,
            "before": self.tracks[at - 1] if at else None,
            "behind": self.tracks[at + 1] if at + 1 < len(self.tracks) else None,
        }
        return self._render("track", **values)

    def to_lesson(self, sentence: str, lesson: LessonEntry) -> Markup:
        """A sentence of the first page with the link to a lesson in place of `{lesson}`, and its track of `{track}`."""
        link = Markup('<a href="lessons/{}.html">{}</a>').format(lesson.name, lesson.title)
        return Markup(escape(sentence)).format(lesson=link, track=self._words.track.format(name=lesson.track))

    def lesson(self, lesson: Lesson, template: str = "lesson", **more: Any) -> str:
        """The page of one lesson.

        Args:
            template: what it is made of, which takes `more`.
        """
        at = [listed.name for listed in self._lessons].index(lesson.name)
        drawing = [BUNDLE, f"figures/{lesson.name}.js", "assets/figures.js"] if lesson.figures else []
        values = {
            "root": "../",
            "path": f"lessons/{lesson.name}.html",
            "description": self._description(lesson),
            "folder": "",
            "scripts": ["assets/search.js", "assets/page.js", *drawing],
            "lesson": lesson,
            "leads": self._leads[lesson.name],
            "track_page": next(track.page for track in self.tracks if self._lessons[at] in track.lessons),
            "before": self._lessons[at - 1] if at else None,
            "behind": self._lessons[at + 1] if at + 1 < len(self._lessons) else None,
        }
        return self._render(template, **values, **more)

    def _description(self, lesson: Lesson) -> str:
        if not lesson.aim or lesson.language != self._words.lang:
            return self._words.intro
        return self._words.aim.format(aim=lesson.aim.replace("`", ""))

    def figure(self, figure: Drawn) -> Markup:
        """A figure of a lesson, as a part of its page. The words around a figure in another language are the page's."""
        foreign = self._words.lang != figure.language
        its, own = (
            Markup(' lang="{}"').format(code) if foreign else "" for code in (figure.language, self._words.lang)
        )
        return Markup(self._render("figure", figure=figure, its=its, own=own))

    def _render(self, template: str, **values: Any) -> str:
        return self._environment.get_template(f"{template}.html.jinja").render(values)
