"""The index of the search holds the words of a lesson, without formulas and addresses."""

from __future__ import annotations

import json

from markupsafe import Markup

from grader.page.body import Body
from grader.page.site import Lesson, search_index, words_of
from grader.page.words import ENGLISH


def test_words_are_those_that_a_reader_sees() -> None:
    text = "The *angle* of `d_model`, $x^2$ and 12, as in [RoPE](../rope/README.md).\n\n```python\nimport jax\n```\n"
    assert words_of(f"{text}\n$$\ny + z\n$$\n") == [
        "the",
        "angle",
        "of",
        "d_model",
        "and",
        "as",
        "in",
        "rope",
        "import",
        "jax",
    ]


def test_the_script_holds_every_lesson_once_and_no_closing_tag_ends_it() -> None:
    text = "## Why it matters\n\nWaves, waves </script>\n"
    lesson = Lesson("rope", "Rotary", "1 Position", "easy", ("turn",), (), Body(Markup(), ()), text)
    script = search_index([lesson], {"rope": text}, ENGLISH)
    document = json.loads(script.partition("const PAGE = ")[2].rstrip(";\n"))
    assert document["lessons"] == [
        {
            "name": "rope",
            "title": "Rotary",
            "track": "1 Position",
            "tags": "turn",
            "text": "it matters script waves why",
        }
    ]
    assert document["words"]["none"] == ENGLISH.browser.none
