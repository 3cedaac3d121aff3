"""Code has colours that can be read, on light and on dark paper."""

from __future__ import annotations

import re

import pytest

from grader.page import body
from grader.page.files import base_style

PAPERS = re.findall(r"--shade: #([0-9a-f]{6})", base_style())


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
def test_every_colour_can_be_read_on_the_paper(dark: bool) -> None:
    light_rules, dark_rules = body.code_colours().split("@media")
    colours = re.findall(r"(?<!-)color: #([0-9A-Fa-f]+)", dark_rules if dark else light_rules)
    assert len(set(colours)) > 5
    assert min(contrast(colour, PAPERS[dark]) for colour in colours) >= 4.5


def test_code_is_escaped_and_keeps_its_lines() -> None:
    made = body.highlighted_code("def f(a):\n    return '<b>' < a  # &\n", "python")
    assert re.sub(r"<[^>]+>", "", made) == "def f(a):\n    return '&lt;b&gt;' &lt; a  # &amp;"
    assert body.highlighted_code("<i>\n", "no such language") == "&lt;i&gt;"
