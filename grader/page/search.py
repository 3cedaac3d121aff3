"""The index of the search: one script with the words of every lesson."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from grader.page.entry import Entry
from grader.page.words import Words

SHORTEST_WORD = 2
"""The fewest letters of a word that is in the index."""
_WORD = re.compile(r"[^\W\d]\w*")
_NO_WORDS = re.compile(r"\$\$?[^$]*\$\$?|\]\([^)]*\)|^ *(?:```|~~~).*$", re.MULTILINE)
"""What of Markdown a reader sees no words in: formulas, where links lead, what language a block is in."""


def index(lessons: Sequence[Entry], words: Words) -> str:
    """The script. It defines `PAGE`: the lessons in order, each with the words that it holds, and what scripts say."""
    document = {"words": words.for_scripts(), "lessons": [_entry(one) for one in lessons]}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return f'"use strict";\nconst PAGE = {text};\n'


def _entry(lesson: Entry) -> dict[str, Any]:
    named = words_of(" ".join([lesson.name, lesson.title, *lesson.tags]))
    return {
        "name": lesson.name,
        "title": lesson.title,
        "track": lesson.track,
        "tags": " ".join(lesson.tags),
        "text": " ".join(sorted({*words_of(lesson.text)} - {*named})),
    }


def words_of(markdown: str) -> list[str]:
    """The words of a text, small, in order, each as often as it stands there. A name such as `d_model` is one word."""
    found = _WORD.findall(_NO_WORDS.sub(" ", markdown))
    return [word for word in (one.lower() for one in found) if len(word) >= SHORTEST_WORD]
