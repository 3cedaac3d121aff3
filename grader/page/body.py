"""The body of a statement as HTML: formulas as MathML, code in colours, links between lessons, hints that open one by one.

No text of a statement can be more than text: HTML in it is escaped, and a link leads to a lesson or to the web alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from grader.kit import markdown
from grader.kit.diagram import KINDS
from grader.kit.statement import Heading
from grader.locale.language import ENGLISH
from grader.page import diagram, highlight
from grader.page.mathml import Unconvertible, mathml
from grader.page.words import Words


@dataclass(frozen=True)
class Part:
    """A section of a lesson: its heading, an id for links to it, and what stands below it, as HTML.

    Attributes:
        name: the heading in English, by which figures, templates and scripts know the section.
    """

    id: str
    name: str
    heading: Markup
    html: Markup


@dataclass(frozen=True)
class Body:
    """A statement as HTML.

    Attributes:
        before: what stands before the first section, without the title.
        parts: the sections in order.
        hints: the items of the section of hints, which that section shows one by one.
        pictures: the files of pictures in it, as their paths from the problem's folder.
        as_written: the formulas that are shown as they are written, each with the reason.
    """

    before: Markup
    parts: tuple[Part, ...]
    hints: tuple[Markup, ...] = ()
    pictures: tuple[str, ...] = ()
    as_written: tuple[tuple[str, str], ...] = ()


@dataclass
class _Writer:
    """Writes tokens of Markdown as HTML."""

    link: Callable[[str], str | None]
    picture: Callable[[str], str | None]
    words: Words
    language: str
    pictures: list[str] = field(default_factory=list[str])
    as_written: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def __post_init__(self) -> None:
        self._parser = markdown.apart()
        self._parser.options["html"] = False
        rules: dict[str, Any] = {
            "text": self._text,
            "text_special": lambda tokens, at, *_: str(escape(tokens[at].content)),
            "fence": self._fence,
            "code_block": self._fence,
            "image": self._image,
            "link_open": self._link_open,
            "link_close": lambda tokens, at, *_: "" if tokens[at].hidden else "</a>",
            "table_open": lambda *_: '<div class="scroll">\n<table>\n',
            "table_close": lambda *_: "</table>\n</div>\n",
        }
        self._renderer = cast(RendererHTML, self._parser.renderer)
        cast(dict[str, Any], self._renderer.rules).update(rules)

    def tokens(self, text: str) -> list[Token]:
        return self._parser.parse(text)

    def html(self, tokens: Sequence[Token], element: str = "div") -> Markup:
        """Tokens as HTML; where they are in another language than the page, in an element that says so."""
        made = Markup(self._renderer.render(tokens, self._parser.options, {}))
        if not made or self.language == self.words.lang:
            return made
        return Markup('<{0} lang="{1}">{2}</{0}>').format(element, self.language, made)

    def _text(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        token = tokens[at]
        if not token.markup.startswith("$"):
            return str(escape(token.content))
        displayed = token.markup == "$$"
        try:
            made = mathml(token.content, display=displayed)
        except Unconvertible as error:
            self.as_written.append((token.content, str(error)))
            return f"<code>{escape(token.content)}</code>"
        return f'<span class="display">{made}</span>' if displayed else made

    def _fence(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        token, language = tokens[at], tokens[at].info.partition(" ")[0]
        if language in KINDS and (drawn := diagram.html(language, token.content)) is not None:
            return drawn
        shown = f'<pre class="code"><code>{highlight.code(token.content, language)}</code></pre>\n'
        before = tokens[at - 1] if at else None
        if language == "text" and before is not None and before.type == "fence" and before.info.startswith("python"):
            own = "" if self.language == self.words.lang else f' lang="{self.words.lang}"'
            return f'<div class="output"><p{own}>{escape(self.words.output)}</p>\n{shown}</div>\n'
        return shown

    def _image(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        token = tokens[at]
        path = unquote(str(token.attrGet("src") or ""))
        source = self.picture(path)
        if source is None:
            return str(escape(token.content))
        self.pictures.append(path)
        return f'<img src="{escape(source)}" alt="{escape(token.content)}">'

    def _link_open(self, tokens: Sequence[Token], at: int, *_: Any) -> str:
        target = self.link(str(tokens[at].attrGet("href") or ""))
        if target is None:
            closing = next(one for one in tokens[at:] if one.type == "link_close" and one.level == tokens[at].level)
            closing.hidden = True
            return ""
        return f'<a href="{escape(target)}">'


def body(
    text: str,
    words: Words,
    *,
    lessons: Mapping[str, str],
    picture: Callable[[str], str | None] = lambda _: None,
    language: str = ENGLISH,
    headings: Mapping[str, str] | None = None,
) -> Body:
    """The body of a statement.

    Args:
        text: its Markdown.
        words: those of the page, in its language.
        lessons: the address of each lesson that is on the page, seen from this one, by its name.
        picture: the address of a picture, from its path; None if there is none, and its text is shown.
        language: that of the statement.
        headings: its headings, each with that of English; those that are not there are English.
    """
    writer = _Writer(lambda target: _address(target, lessons), picture, words, language)
    tokens = writer.tokens(text)
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        tokens = tokens[3:]
    starts = [at for at, one in enumerate(tokens) if one.type == "heading_open" and one.tag == "h2" and one.level == 0]
    before = writer.html(tokens[: starts[0]] if starts else tokens)
    parts: list[Part] = []
    hints: tuple[Markup, ...] = ()
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=False):
        title, below = tokens[start + 1], tokens[start + 3 : end]
        name = (headings or {}).get(title.content, title.content)
        if name == Heading.HINTS:
            hints = tuple(_items(writer, below))
        shown = _folded(hints, words) if name == Heading.HINTS else writer.html(below)
        ident = _id(title.content, [one.id for one in parts])
        parts.append(Part(ident, name, writer.html([title], "span"), shown))
    return Body(before, tuple(parts), hints, tuple(dict.fromkeys(writer.pictures)), tuple(writer.as_written))


def fragment(text: str, words: Words) -> Markup:
    """Markdown of a statement as HTML by itself: no HTML in it is kept, and no link but to the web."""
    writer = _Writer(lambda target: _address(target, {}), lambda _: None, words, words.lang)
    return writer.html(writer.tokens(text))


def _items(writer: _Writer, tokens: Sequence[Token]) -> Iterator[Markup]:
    """The items of a numbered list."""
    opens = [at for at, one in enumerate(tokens) if one.type == "list_item_open" and one.level == 1 and one.info]
    closes = [at for at, one in enumerate(tokens) if one.type == "list_item_close" and one.level == 1]
    for start, end in zip(opens, closes, strict=False):
        yield writer.html(tokens[start + 1 : end])


def _folded(hints: Sequence[Markup], words: Words) -> Markup:
    """Hints, each behind a line that opens it."""
    made = Markup("<p>{}</p>\n").format(words.hints_first)
    for number, hint in enumerate(hints, start=1):
        summary = words.hint.format(n=number, all=len(hints))
        made += Markup("<details><summary>{}</summary>\n<div>{}</div>\n</details>\n").format(summary, hint)
    return made


def _address(target: str, lessons: Mapping[str, str]) -> str | None:
    """Where a link leads on the page: to another lesson, within this one, or to the web. None if it leads nowhere."""
    parts = urlsplit(target)
    if parts.scheme in ("http", "https", "mailto"):
        return target
    if parts.scheme or parts.netloc:
        return None
    if not parts.path:
        return target
    found = re.fullmatch(r"\.\./(\w+)(?:/(?:README\.md)?)?", unquote(parts.path))
    address = lessons.get(found[1]) if found else None
    return None if address is None else address + (f"#{parts.fragment}" if parts.fragment else "")


def _id(title: str, taken: Sequence[str]) -> str:
    """An id for a heading, as GitHub makes it."""
    plain = re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") or "section"
    return next(one for one in (plain, *(f"{plain}-{n}" for n in range(1, 1000))) if one not in taken)
