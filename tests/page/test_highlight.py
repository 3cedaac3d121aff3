"""Code has colours that can be read, on light and on dark paper."""

from __future__ import annotations

import re

import pytest

from grader.page import body
from grader.page.files import base_style
from grader.page.site import style

TOKENS = {name: colours for name, *colours in re.findall(r"--([\w-]+): light-dark\(#(\w+), #(\w+)\)", base_style())}


def contrast(one: str, other: str) -> float:
    """The ratio of luminances, as WCAG defines it."""

    def luminance(colour: str) -> float:
        colour = "".join(2 * letter for letter in colour) if len(colour) == 3 else colour
        parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_of_code_can_be_read_on_the_paper(dark: bool) -> None:
    colours = [found[dark] for found in re.findall(r"light-dark\((\S+), (\S+)\)", body.code_colours())]
    colours = [colour.removeprefix("#") for colour in colours if colour != "currentcolor"]
    colours += [TOKENS[f"code-{name}"][dark] for name in ("keyword", "string", "number", "name")]
    assert len(set(colours)) > 9
    assert min(contrast(colour, TOKENS["shade"][dark]) for colour in colours) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["ink", "faint", "link", "good", "bad"])
def test_text_of_every_colour_is_read_with_ease_on_light_and_on_dark(name: str, dark: bool) -> None:
    papers = (TOKENS["paper"][dark], TOKENS["shade"][dark])
    assert min(contrast(TOKENS[name][dark], paper) for paper in papers) >= 7  # WCAG calls it AAA


def test_every_colour_of_a_page_is_given_for_light_and_for_dark() -> None:
    assert "prefers-color-scheme" not in style()
    screen = style().partition("@media print")[0]
    for value in re.findall(r"--[\w-]+: ([^;]*#[^;]*);", screen):
        assert value.startswith("light-dark("), value


def test_code_is_escaped_and_keeps_its_lines() -> None:
    made = body.highlighted_code("def f(a):\n    return '<b>' < a  # &\n", "python")
    assert re.sub(r"<[^>]+>", "", made) == "def f(a):\n    return '&lt;b&gt;' &lt; a  # &amp;"
    assert body.highlighted_code("<i>\n", "no such language") == "&lt;i&gt;"
