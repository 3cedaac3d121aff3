"""A statement as HTML: its sections, links and hints; and nothing in it can be more than text."""

from __future__ import annotations

import re

import pytest

from grader.page.body import body, with_references_linked
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


ARXIV, DOI = "https://arxiv.org/abs", "https://doi.org"


@pytest.mark.parametrize(
    ("text", "address", "shown"),
    [
        ("A. V. et al., *Attention*, 2017, arXiv:1706.03762, section 3.5.", f"{ARXIV}/1706.03762", "arXiv:1706.03762"),
        ("(arXiv:2104.09864v2).", f"{ARXIV}/2104.09864v2", "arXiv:2104.09864v2"),
        ("see arXiv:2104.09864.", f"{ARXIV}/2104.09864", "arXiv:2104.09864"),
        ("arxiv:hep-th/9901001: old", f"{ARXIV}/hep-th/9901001", "arxiv:hep-th/9901001"),
        ("**arXiv:math.GT/0309136**", f"{ARXIV}/math.GT/0309136", "arXiv:math.GT/0309136"),
        ("S., doi:10.1002/j.1538-7305.1948.tb01338.x, 6", f"{DOI}/10.1002/j.1538-7305.1948.tb01338.x", None),
        ("doi:10.1101/103663: why", f"{DOI}/10.1101/103663", "doi:10.1101/103663"),
        ("(doi:10.1016/S0140-6736(05)66_84-x)", f"{DOI}/10.1016/S0140-6736(05)66_84-x", None),
        ("doi:10.1000/a#b?c;", f"{DOI}/10.1000/a%23b%3Fc", "doi:10.1000/a#b?c"),
        ("at https://x.org/a_b_c/294: a mask", "https://x.org/a_b_c/294", "https://x.org/a_b_c/294"),
        ("$x$:https://x.org/?a=1&b=2 too", "https://x.org/?a=1&amp;b=2", "https://x.org/?a=1&amp;b=2"),
    ],
)
def test_a_reference_that_says_where_it_is_leads_there_and_keeps_its_text(
    text: str, address: str, shown: str | None
) -> None:
    made = html_of(text)
    ((target, inside),) = re.findall(r'<a href="([^"]*)">([^<]*)</a>', made)
    assert target == address
    assert inside == shown or inside.startswith("doi:")
    assert re.sub(r"<[^>]+>", "", made) == re.sub(r"<[^>]+>", "", html_of(text.replace(":", "&#58;")))


@pytest.mark.parametrize(
    "text",
    [
        "arXiv:1706.0376 is too short, arXiv:1706.037621 too long, arXiv alone none",
        "myarXiv:1706.03762 x.doi:10.1000/1 doi:11.1000/1 doi:10.1000",
        "`arXiv:1706.03762` and $arXiv:1706.03762$",
        "```text\narXiv:1706.03762 doi:10.1000/1\n```",
        "ftp://x.org/1 javascript:alert(1) data:text/html http: https://",
        "I. Goodfellow, *Deep Learning*, 2016, huggingface.co/blog/gradient_accumulation",
    ],
)
def test_what_only_resembles_a_reference_stays_text(text: str) -> None:
    assert "<a" not in html_of(text)


def test_a_reference_within_a_link_or_a_heading_makes_no_link_within_a_link() -> None:
    assert html_of("[see arXiv:1706.03762](https://x.org)").count("<a ") == 1
    made = body("## On arXiv:1706.03762 and [rope](../rope/README.md)\n\ntext\n", ENGLISH, lessons=LESSONS)
    assert made.parts[0].heading == "On arXiv:1706.03762 and rope"


def test_markdown_for_notebooks_has_the_same_links_and_leaves_code_and_links_alone() -> None:
    text = "arXiv:1706.03762, doi:10.1000/a_b: `arXiv:1706.03762` [doi:10.1000/1](x) https://x.org $a:b$"
    made = with_references_linked(text)
    assert made == text.replace("arXiv:1706.03762, ", f"[arXiv:1706.03762]({ARXIV}/1706.03762), ", 1).replace(
        "doi:10.1000/a_b", f"[doi:10.1000/a_b]({DOI}/10.1000/a_b)"
    )
    assert with_references_linked("```text\narXiv:1706.03762\n```") == "```text\narXiv:1706.03762\n```"
    assert html_of(made).count("<a ") == 3  # the link to x leads nowhere on a page


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
