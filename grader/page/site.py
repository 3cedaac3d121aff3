"""The site: what each of its files holds, with the index of the search and the map of each track."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from statistics import fmean
from textwrap import wrap
from typing import Any, Protocol

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup, escape

from grader.kit.statement import Heading
from grader.locale.language import ENGLISH, LANGUAGES
from grader.page import body
from grader.page.body import Body
from grader.page.files import base_style, page_file
from grader.page.words import PageWords


class LessonEntry(Protocol):
    """What a page says of a lesson that it leads to."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def track(self) -> str: ...
    @property
    def difficulty(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def after(self) -> tuple[str, ...]: ...


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
    """A lesson of the page: an `Entry`, with its body. `stub` is the shipped stub, empty if it is not known."""

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
    """The language of its title, its body and its text."""


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


WIDTH, LINE, MARGIN = 150, 15, 1
"""The width of a box and the height of a line in it, in pixels; the room around the picture for the lines of boxes."""

PADDING, GAP_X, GAP_Y = 7, 28, 10

IN_ROW = 6
"""The most boxes in a row of those that no line leads to."""

LETTERS = 20
"""The most letters in a line of a box: in the widest fonts of a page, so many fit."""


@dataclass(frozen=True)
class _Box:
    """Where a lesson stands."""

    lesson: LessonEntry
    x: float
    y: float

    @property
    def lines(self) -> tuple[str, ...]:
        return _lines(self.lesson.title)

    @property
    def height(self) -> int:
        return len(self.lines) * LINE + 2 * PADDING

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


@cache
def _lines(title: str) -> tuple[str, ...]:
    return tuple(wrap(title, LETTERS))


def map_of(lessons: Sequence[LessonEntry], *, folder: str) -> Markup:
    """The picture of a track: a box for each lesson, to the right of those that it builds on, with lines between them.

    Below stand those that build on none of the track, where none of the track builds on them.

    Args:
        folder: where the lessons are, seen from the page that shows it.
    """
    names = {lesson.name: lesson for lesson in lessons}
    inside = {lesson.name: [before for before in lesson.after if before in names] for lesson in lessons}
    joined = {
        *(name for name, before in inside.items() if before),
        *(name for each in inside.values() for name in each),
    }
    found = columns({name: before for name, before in inside.items() if name in joined})
    boxes = _boxes([[names[name] for name in column] for column in found])
    apart = [lesson for lesson in lessons if lesson.name not in joined]
    boxes |= _rows(apart, top=max((box.y + box.height + 2 * GAP_Y for box in boxes.values()), default=MARGIN))
    width, height = (max(ends, default=0) + MARGIN for ends in _ends(boxes))
    svg = Markup('<svg width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">\n').format(width, height)
    svg += Markup().join(_line(boxes[before], box) for name, box in boxes.items() for before in inside[name])
    return svg + Markup().join(_linked(box, folder) for box in boxes.values()) + Markup("</svg>")


def _ends(boxes: Mapping[str, _Box]) -> tuple[list[float], list[float]]:
    """Where boxes end, to the right and below."""
    return [box.x + WIDTH for box in boxes.values()], [box.y + box.height for box in boxes.values()]


def _linked(box: _Box, folder: str) -> Markup:
    """A box that leads to its lesson."""
    text = Markup().join(
        Markup('<tspan x="{:.0f}" y="{:.0f}">{}</tspan>').format(box.x + PADDING, box.y + PADDING + at * LINE - 4, line)
        for at, line in enumerate(box.lines, 1)
    )
    return Markup(
        '<a href="{}{}.html" tabindex="-1" data-lesson="{}"><rect x="{:.0f}" y="{:.0f}" width="{}" height="{:.0f}" rx="5"/>'
        "<text>{}</text></a>\n"
    ).format(folder, box.lesson.name, box.lesson.name, box.x, box.y, WIDTH, box.height, text)


def columns(after: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The names by how many come before them, in the longest chain. In a column, each stands near what it builds on.

    What builds on nothing stands just before the first that builds on it, below others there.

    Args:
        after: for each name, those that it builds on. They come before it.
    """
    depths: dict[str, int] = {}
    for name, before in after.items():
        depths[name] = 1 + max((depths[earlier] for earlier in before), default=-1)
    for name in [name for name, before in after.items() if not before]:
        depths[name] = min((depths[later] for later, before in after.items() if name in before), default=1) - 1
    found: list[list[str]] = [[] for _ in range(1 + max(depths.values(), default=-1))]
    for name, depth in depths.items():
        found[depth].append(name)
    places: dict[str, float] = {}
    for column in found:
        if column is not found[0]:
            column.sort(key=lambda name: fmean(places[earlier] for earlier in after[name]) if after[name] else 1.0)
        places.update({name: (at + 0.5) / len(column) for at, name in enumerate(column)})
    return found


def _boxes(found: Sequence[Sequence[LessonEntry]]) -> dict[str, _Box]:
    """The boxes of columns, by name. Each column stands in the middle of the height."""
    columns = [[_Box(lesson, MARGIN + at * (WIDTH + GAP_X), 0) for lesson in each] for at, each in enumerate(found)]
    heights = [sum(box.height + GAP_Y for box in column) - GAP_Y for column in columns]
    boxes: dict[str, _Box] = {}
    for column, height in zip(columns, heights, strict=True):
        y = MARGIN + (max(heights) - height) / 2
        for box in column:
            boxes[box.lesson.name] = replace(box, y=y)
            y += box.height + GAP_Y
    return boxes


def _rows(lessons: Sequence[LessonEntry], *, top: float) -> dict[str, _Box]:
    """The boxes of lessons in rows, by name."""
    boxes: dict[str, _Box] = {}
    for first in range(0, len(lessons), IN_ROW):
        row = [
            _Box(lesson, MARGIN + at * (WIDTH + GAP_X), top)
            for at, lesson in enumerate(lessons[first : first + IN_ROW])
        ]
        boxes |= {box.lesson.name: box for box in row}
        top += max(box.height for box in row) + GAP_Y
    return boxes


def _line(one: _Box, other: _Box) -> Markup:
    x, to_x = one.x + WIDTH, other.x
    bend = (to_x - x) / 2
    return Markup('<path d="M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}"/>\n').format(
        x, one.middle, x + bend, one.middle, to_x - bend, other.middle, to_x, other.middle
    )


TEMPLATES = ("base", "macros", "index", "lesson", "figure")

BUNDLE = "assets/vega.js"
"""Altair's own scripts for a page. All figures share this one file."""

POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data:; "
    "base-uri 'none'; form-action 'none'"
)
"""What a browser lets the page do: nothing of it is on a network. Vega sets styles of its own in what it draws."""


def files_of(
    lessons: Sequence[Lesson], words: PageWords, *, bundle: str = "", languages: Sequence[str] = ()
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
            [lesson.name for lesson in lessons if lesson.figures], translated=_translated(lessons, words)
        ),
        "assets/style.css": style(),
        "assets/search.js": search_index(lessons, {lesson.name: lesson.text for lesson in lessons}, words),
        "assets/page.js": page_file("page.js"),
        "assets/theme.js": page_file("theme.js"),
    }
    for lesson in lessons:
        texts[f"lessons/{lesson.name}.html"] = writer.lesson(lesson)
        if lesson.figures:
            texts[f"figures/{lesson.name}.js"] = _specs(lesson.figures)
    if any(lesson.figures for lesson in lessons):
        texts |= {BUNDLE: bundle, "assets/figures.js": page_file("figures.js")}
    pictures = {path: data for lesson in lessons for path, data in (lesson.pictures or {}).items()}
    return {path: text.encode() for path, text in texts.items()} | pictures


def _translated(lessons: Sequence[Lesson], words: PageWords) -> str:
    """How many lessons are in the language of the site; empty if all are."""
    count = sum(lesson.language == words.lang for lesson in lessons)
    return words.translated.format(count=count, all=len(lessons)) if count < len(lessons) else ""


def folder_of(language: str) -> str:
    """The folder of a language in the site: English stands at the top."""
    return "" if language == ENGLISH else f"{language}/"


def style() -> str:
    """The style of every page."""
    return base_style() + page_file("site.css") + body.code_colours()


def _specs(figures: Sequence[Drawn]) -> str:
    """The script with the figures of a lesson: a page that is opened from a disk cannot load a document."""
    specs = [figure.spec for figure in figures]
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
        lessons: Sequence[LessonEntry],
        words: PageWords,
        *,
        policy: str = POLICY,
        more: Mapping[str, str] | None = None,
        languages: Sequence[str] = (),
    ) -> None:
        self._lessons, self._words = lessons, words
        own = {name: page_file(f"{name}.html.jinja") for name in TEMPLATES}
        self._environment = Environment(
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            loader=DictLoader({f"{name}.html.jinja": text for name, text in {**own, **(more or {})}.items()}),
        )
        filters: dict[str, Any] = {"python": partial(body.highlighted_code, language="python")}
        self._environment.filters.update(filters)
        shared: dict[str, Any] = {
            "words": words,
            "policy": Markup(policy),
            "lessons": {lesson.name: lesson for lesson in lessons},
            "hints": Heading.HINTS.value,
            "drawn": self.figure,
            "to_lesson": self.to_lesson,
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
        tracks: dict[str, list[LessonEntry]] = {}
        for lesson in self._lessons:
            tracks.setdefault(lesson.track, []).append(lesson)
        shown = [
            {"name": name, "lessons": of, "map": map_of(of, folder="lessons/"), "alone": self._stands_alone(of)}
            for name, of in sorted(tracks.items())
        ]
        values = {
            "root": "",
            "path": "index.html",
            "folder": "lessons/",
            "scripts": ["assets/search.js", "assets/page.js"],
            "tracks": shown,
            "with_figures": with_figures,
            "translated": translated,
            "live": False,
        }
        return self._render(template, **{**values, **more})

    def _stands_alone(self, track: Sequence[LessonEntry]) -> bool:
        """Whether a track builds on no lesson of another track that is on the page."""
        before = {name for lesson in track for name in lesson.after if name in self._leads}
        return before <= {lesson.name for lesson in track}

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
        its, own = (
            Markup(' lang="{}"').format(code) if foreign else "" for code in (figure.language, self._words.lang)
        )
        return Markup(self._render("figure", figure=figure, its=its, own=own))

    def _render(self, template: str, **values: Any) -> str:
        return self._environment.get_template(f"{template}.html.jinja").render(values)
