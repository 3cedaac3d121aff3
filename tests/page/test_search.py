"""The index of the search holds the words of a lesson, without formulas and tags."""

from __future__ import annotations

import json

from grader.page.body import body
from grader.page.lesson import Lesson
from grader.page.search import index, plain_text, words_of
from grader.page.words import ENGLISH


def test_words_are_those_that_a_reader_sees() -> None:
    html = body("The *angle* of `d_model`, $x^2$ and 12.\n\n```python\nimport jax\n```", ENGLISH, lessons={}).before
    assert words_of(plain_text(html)) == ["the", "angle", "of", "d_model", "and", "import", "jax"]


def test_the_script_holds_every_lesson_once_and_no_closing_tag_ends_it() -> None:
    shown = body("## Why it matters\n\nWaves, waves </script>\n", ENGLISH, lessons={})
    script = index([Lesson("rope", "Rotary", "1 Position", "easy", ("turn",), (), shown)], ENGLISH)
    document = json.loads(script.partition("const PAGE = ")[2].rstrip(";\n"))
    assert document["lessons"] == [
        {"name": "rope", "title": "Rotary", "track": "1 Position", "tags": "turn", "text": "script waves"}
    ]
    assert document["words"]["none"] == ENGLISH.browser.none
