"""A statement as HTML: its sections, links and hints; and nothing in it can be more than text."""

from __future__ import annotations

import re

import pytest

from grader.page.body import body
from grader.page.words import ENGLISH

LESSONS = {"rope": "rope.html"}


def html_of(text: str) -> str:
    made = body(text, ENGLISH, lessons=LESSONS)
    return "".join([made.before, *(f"{part.heading}{part.html}" for part in made.parts)])


def test_sections_have_ids_of_their_own_and_the_title_is_left_out() -> None:
    made = body("# Title\n\nbefore\n\n## The idea\n\none\n\n## The idea\n\ntwo\n", ENGLISH, lessons={})
    assert made.before == "<p>before</p>\n"
    assert [(part.id, part.html) for part in made.parts] == [
        ("the-idea", "<p>one</p>\n"),
        ("the-idea-1", "<p>two</p>\n"),
    ]


def test_links_lead_to_lessons_that_are_there_and_to_the_web_alone() -> None:
    made = html_of(
        "[a](../rope/README.md#idea) [b](../missing/README.md) [c](https://x.org/?a=1&b=2) [d](#here) [e](/etc/passwd) "
        "[*f*](stub.py)"
    )
    assert re.findall(r'<a href="([^"]*)">', made) == ["rope.html#idea", "https://x.org/?a=1&amp;b=2", "#here"]
    assert made.count("</a>") == 3
    assert " b " in made
    assert "<em>f</em>" in made


def test_each_hint_opens_by_itself_and_keeps_its_code() -> None:
    made = html_of("## Hints\n\n1. One.\n2. Two:\n\n   ```python\n   x = 1\n   ```\n")
    assert made.count("<details>") == 2
    assert "<summary>Hint 2 of 2</summary>" in made
    assert made.index("Two:") < made.index('<pre class="code"') < made.rindex("</details>")


def test_what_a_block_prints_is_told_from_code() -> None:
    made = html_of("```python\nprint(1)\n```\n\n```text\n1\n```\n")
    assert made.count('<div class="output">') == 1


def test_a_diagram_is_drawn() -> None:
    assert html_of("```flow\nx (T, d) -> sum -> y (T,)\n```\n").startswith('<div class="flow">')


@pytest.mark.parametrize("kind", ["flow", "grid"])
def test_a_diagram_that_cannot_be_read_is_shown_as_it_is_written(kind: str) -> None:
    assert '<pre class="code"><code>one line' in html_of(f"```{kind}\none line\n```\n")


def test_a_formula_that_cannot_be_set_stays_as_it_is_written() -> None:
    made = body(r"Let $\unknownmacro < 1$ be.", ENGLISH, lessons={})
    assert made.before == "<p>Let <code>\\unknownmacro &lt; 1</code> be.</p>\n"
    assert [tex for tex, _ in made.as_written] == [r"\unknownmacro < 1"]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "[a](javascript:alert(1))",
        "[a](data:text/html,<script>)",
        "[a](vbscript:x)",
        "<javascript:alert(1)>",
        '[a](https://x.org/" onmouseover="alert(1))',
        "![a](https://x.org/a.png)",
        '![a" onerror="alert(1)](x.png)',
        '```"><script>\nx\n```',
        "$<script>alert(1)</script>$ and $\\text{<script>}$",
        "## <script>alert(1)</script>",
        "## Hints\n\n1. <script>alert(1)</script>",
        "| a |\n|---|\n| <script> |",
    ],
)
def test_nothing_of_a_statement_is_more_than_text(text: str) -> None:
    made = html_of(text)
    assert not re.search(r"<(script|img|iframe|object|style|link|meta)\b", made)
    tags = re.findall(r"<[a-z][^>]*>", made)
    assert not [tag for tag in tags if re.search(r"\son\w+=|javascript:|vbscript:|data:", tag)]


def test_a_picture_of_the_folder_is_kept_with_its_text() -> None:
    made = body("![two & waves](waves.svg) ![no](../other/x.png)", ENGLISH, lessons={}, picture=_only_waves)
    assert made.before == '<p><img src="p/waves.svg" alt="two &amp; waves"> no</p>\n'
    assert made.pictures == ("waves.svg",)


def _only_waves(path: str) -> str | None:
    return "p/waves.svg" if path == "waves.svg" else None
