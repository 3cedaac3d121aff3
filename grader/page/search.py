"""The index of the search: one script with the words of every lesson."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from grader.page.lesson import Lesson
from grader.page.words import Words

SHORTEST_WORD = 2
"""The fewest letters of a word that is in the index."""
_WORD = re.compile(r"[^\W\d]\w*")


def index(lessons: Sequence[Lesson], words: Words) -> str:
    """The script. It defines `PAGE`: the lessons in order, each with the words that it holds, and what scripts say."""
    document = {"words": words.for_scripts(), "lessons": [_entry(one) for one in lessons]}
    return f'"use strict";\nconst PAGE = {json.dumps(document, ensure_ascii=False, separators=(",", ":"))};\n'


def _entry(lesson: Lesson) -> dict[str, Any]:
    parts = [lesson.body.before, *(one.html for one in lesson.body.parts)]
    found = {word for part in parts for word in words_of(plain_text(part))}
    named = words_of(" ".join([lesson.name, lesson.title, *lesson.tags]))
    return {
        "name": lesson.name,
        "title": lesson.title,
        "track": lesson.track,
        "tags": " ".join(lesson.tags),
        "text": " ".join(sorted(found - set(named))),
    }


def words_of(text: str) -> list[str]:
    """The words of a text, small, in order, each as often as it stands there. A name such as `d_model` is one word."""
    return [word for word in (one.lower() for one in _WORD.findall(text)) if len(word) >= SHORTEST_WORD]


def plain_text(html: str) -> str:
    """The text of HTML, without its tags and without formulas."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return "".join(reader.text)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self._formulas = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._formulas += tag == "math"

    def handle_endtag(self, tag: str) -> None:
        self._formulas -= tag == "math"
        if tag not in ("span", "code", "em", "strong", "a"):
            self.text.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._formulas:
            self.text.append(data)
