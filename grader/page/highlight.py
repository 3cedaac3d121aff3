"""Code with colours: classes in the HTML, and the colours of each class, on light and on dark paper."""

from __future__ import annotations

import re

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LIGHT, DARK = "xcode", "monokai"
"""The styles of Pygments whose every colour can be read on the page's paper for code (see the tests)."""

_PLAIN = re.compile(r'<span class="(?:n|p|w)">([^<]*)</span>')
"""Names, brackets and blanks. They have the colour of text, and are a third of the bytes of a block."""


def code(text: str, language: str) -> Markup:
    """Code as HTML without the element around it. A language that Pygments does not know is plain text."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    made = highlight(text, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    return Markup(_PLAIN.sub(r"\1", made))


def colours() -> str:
    """The rules of CSS for the classes: light, and dark where the reader prefers it. Print is light."""
    dark = "\n".join(f"  {line}" for line in _rules(DARK).splitlines())
    return f"{_rules(LIGHT)}\n@media screen and (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def _rules(style: str) -> str:
    # The paper is the page's own, so only rules about a class of text are kept.
    lines = HtmlFormatter(style=style, cssclass="code").get_style_defs(".code").splitlines()
    kept = [line for line in lines if line.startswith(".code .") and ".err" not in line and "background" not in line]
    return "\n".join(line.partition(" /*")[0] for line in kept)
