"""The body of a statement as HTML: formulas as MathML, code in colours, diagrams, links, hints that open one by one."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, cast
from urllib.parse import quote, unquote, urlsplit
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from grader.kit import markup
from grader.kit.markup import DIAGRAM_KINDS
from grader.kit.statement import Heading
from grader.locale.language import ENGLISH
from grader.page.flow_graph import flow_graph
from grader.page.words import PageWords

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"

_ELEMENTS = frozenset(
    (
        *("math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "msub", "msup", "msubsup", "mfrac", "msqrt"),
        *("mroot", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "mfenced"),
    )
)

_ATTRIBUTES = frozenset(
    (
        *(
            "display",
            "displaystyle",
            "scriptlevel",
            "stretchy",
            "fence",
            "form",
            "separator",
            "width",
            "height",
            "depth",
        ),
        *("accent", "accentunder", "linethickness", "mathvariant", "columnalign", "rowspacing", "columnspacing"),
        *("movablelimits", "minsize", "maxsize", "lspace", "rspace", "symmetric", "largeop", "notation", "voffset"),
    )
)
"""What may stand in a formula. A link or a style may not: it would be more than a formula."""


class Unconvertible(Exception):
    """A formula that is shown as it is written. The message says why."""


@lru_cache(maxsize=4096)
def mathml(tex: str, *, display: bool) -> Markup:
    r"""A formula as a `<math>` element.

    Args:
        tex: its LaTeX, without dollar signs.
        display: whether it stands on a line of its own.

    Raises:
        Unconvertible: it is no LaTeX, has a macro that is not known, or would be more than a formula.
    """
    if fault := markup.fault_of_formula(tex):
        raise Unconvertible(fault)
    try:
        made = convert_to_element(tex, display="block" if display else "inline")
    except Exception as error:  # the library raises many kinds of its own
        raise Unconvertible(f"{type(error).__name__}: {error}") from error
    for element in made.iter():
        _check(element)
        if element.tag == "mrow":
            _join_letters(element)
        if element.tag == "mo" and element.text in (
            "|",
            "‖",
        ):  # a bracket, which a browser takes for a sign between two
            element.attrib |= {"lspace": "0.06em", "rspace": "0.06em"}
    made.attrib.pop("xmlns", None)  # HTML knows the element
    return Markup(ElementTree.tostring(made, encoding="unicode", short_empty_elements=False))


def _check(element: ElementTree.Element) -> None:
    """Check one element, and make its text plain: the library writes signs as character references."""
    if element.tag not in _ELEMENTS:
        raise Unconvertible(f"it would hold the element {element.tag!r}")
    for name in element.attrib:
        if name not in _ATTRIBUTES and (name, element.attrib[name]) != ("xmlns", _NAMESPACE):
            raise Unconvertible(f"it would hold the attribute {name!r}")
    element.text = html.unescape(element.text) if element.text else element.text
    if element.tag != "mtext" and element.text and "\\" in element.text:
        raise Unconvertible(f"the macro {element.text} is not known")


def _join_letters(row: ElementTree.Element) -> None:
    """Make one name of upright letters that stand in a row: `softmax` is one word, for setting and for reading aloud."""
    letters = list(row)
    if len(letters) > 1 and all(letter.tag == "mi" and letter.get("mathvariant") == "normal" for letter in letters):
        name = ElementTree.Element("mi")
        name.text = "".join(html.unescape(letter.text or "") for letter in letters)
        row[:] = [name]


LIGHT, DARK = "xcode", "monokai"
"""The styles of Pygments whose every colour can be read on the page's paper for code (see the tests)."""

_PLAIN = re.compile(r'<span class="(?:n|p|w)">([^<]*)</span>')
"""Names, brackets and blanks. They have the colour of text, and are a third of the bytes of a block."""


def highlighted_code(text: str, language: str) -> Markup:
    """Code as HTML without the element around it. A language that Pygments does not know is plain text."""
    try:
        lexer = get_lexer_by_name(language or "text", stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    made = highlight(text, lexer, HtmlFormatter(nowrap=True)).rstrip("\n")
    return Markup(_PLAIN.sub(r"\1", made))


def code_colours() -> str:
    """The rules of CSS for the classes, each with its colour on light paper and on dark paper."""
    light, dark = _colours(LIGHT), _colours(DARK)
    shown = {of: (light.get(of, "currentcolor"), dark.get(of, "currentcolor")) for of in (*light, *dark)}
    return "".join(f".code .{of} {{ color: light-dark({one}, {other}) }}\n" for of, (one, other) in shown.items())


def _colours(style: str) -> dict[str, str]:
    """The colour of each class. The paper is the page's own, so only what is said of a class of text counts."""
    rules = HtmlFormatter(style=style, cssclass="code").get_style_defs(".code")
    return {of: colour for of, colour in _COLOUR.findall(rules) if of != "err"}


_COLOUR = re.compile(r"^\.code \.(\w+) \{ color: (#\w+)", re.MULTILINE)

SHADES = 5
"""The number of shades of the numbers in a grid. The largest has the last one."""


def diagram_html(kind: str, text: str) -> Markup | None:
    """A diagram as HTML; None if the text is no diagram of this kind."""
    try:
        read = markup.read_diagram(kind, text)
    except markup.DiagramError:
        return None
    return _flow(read) if isinstance(read, markup.Flow) else _grid(read)


def _flow(flow: markup.Flow) -> Markup:
    if (graph := flow_graph(flow)) is not None:
        return Markup('<div class="scroll">\n{}</div>\n').format(graph)
    arrow = Markup('<span class="arrow">→</span>\n')
    lines = (Markup("<p>{}</p>\n").format(arrow.join(_step(step) for step in chain)) for chain in flow.chains)
    return Markup('<div class="flow">\n{}</div>\n').format(Markup().join(lines))


def _step(step: markup.Step) -> Markup:
    if not step.shape:
        return Markup('<span class="step">{}</span>\n').format(step.text)
    return Markup('<span class="array">{} <small>{}</small></span>\n').format(step.text, step.shape)


def _grid(grid: markup.DiagramGrid) -> Markup:
    shaded = [row for row in grid.rows if any(map(_is_measure, row[1:]))]
    largest = max((abs(_number(cell) or 0.0) for row in shaded for cell in row[1:]), default=0.0)
    head = Markup().join(Markup("<th>{}</th>").format(cell) for cell in grid.head)
    rows = Markup().join(
        Markup("<tr><th>{}</th>{}</tr>\n").format(
            row[0], Markup().join(_cell(cell, largest if row in shaded else 0.0) for cell in row[1:])
        )
        for row in grid.rows
    )
    return Markup('<div class="scroll">\n<table class="grid">\n<tr>{}</tr>\n{}</table>\n</div>\n').format(head, rows)


def _is_measure(cell: str) -> bool:
    """Whether a cell holds a number with a fraction. In a row without one, numbers are names or counts."""
    value = _number(cell)
    return value is not None and not value.is_integer()


def _cell(cell: str, largest: float) -> Markup:
    if cell == markup.FILLED:
        return Markup('<td class="filled">■</td>')
    if cell == markup.EMPTY:
        return Markup('<td class="empty">·</td>')
    shade = round(SHADES * abs(_number(cell) or 0.0) / largest) if largest else 0
    return Markup('<td class="shade-{}">{}</td>').format(shade, cell)


def _number(cell: str) -> float | None:
    """The number that a cell holds; None if it holds none, or no finite one."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


_REST = r"[^\s<>\"`*|\\\[\]$]*"

_REFERENCE = re.compile(
    r"(?<![\w./-])(?:arxiv:(?P<arxiv>"
    r"(?:0[7-9]|1[0-4])\d\d\.\d{4}(?:v\d+)?|(?:1[5-9]|[2-9]\d)\d\d\.\d{5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}"
    rf")(?!\w)|doi:(?P<doi>10\.\d{{4,9}}/\(?\w{_REST})|(?P<web>https?://\w{_REST}))",
    re.IGNORECASE,
)
"""A reference that says itself where it is: a paper of arXiv, a DOI, or an address of the web."""

_LONGEST_SCHEME = len("arxiv")

_NO_REFERENCE = r"(?P<other>```.*?```|`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]*>|\$[^$\n]*\$)"
"""What of Markdown holds no reference: code, a link with its text, and a formula."""

_REFERENCE_OR_NOT = re.compile(f"{_NO_REFERENCE}|{_REFERENCE.pattern}", re.IGNORECASE | re.DOTALL)


def with_references_linked(markdown: str) -> str:
    """Markdown in which a paper of arXiv and a DOI are links, for readers of Markdown that do not know them.

    An address of the web stays as it is: each of them makes a link of it.
    """

    def linked(found: re.Match[str]) -> str:
        if found["other"] or found["web"]:
            return found[0]
        text, address = _reference(found)
        return f"[{text}]({address}){found[0][len(text) :]}"

    return _REFERENCE_OR_NOT.sub(linked, markdown)


def _reference(found: re.Match[str]) -> tuple[str, str]:
    """The text of a reference, without the signs that end a sentence or a bracket around it, and where it leads."""
    text = found[0].rstrip(".,:;!?'_~")
    while text.endswith(")") and text.count(")") > text.count("("):
        text = text[:-1].rstrip(".,:;!?'_~")
    if found["arxiv"]:
        return text, f"https://arxiv.org/abs/{found['arxiv']}"
    if found["doi"]:
        return text, f"https://doi.org/{quote(text[len('doi:') :], safe='/:;().-_')}"
    return text, text


def _read_reference(state: StateInline, silent: bool) -> bool:
    """Read a reference as a link with its own text, from the colon on: what stands before it was taken for text by then."""
    if silent or state.linkLevel or state.src[state.pos] != ":":
        return False
    for start in range(max(0, state.pos - _LONGEST_SCHEME), state.pos):
        found = _REFERENCE.match(state.src, start)
        if found is None or not state.pending.endswith(state.src[start : state.pos]):
            continue
        text, address = _reference(found)
        state.pending = state.pending[: len(state.pending) - (state.pos - start)]
        state.push("link_open", "a", 1).attrs = {"href": address}
        state.push("text", "", 0).content = text
        state.push("link_close", "a", -1)
        state.pos = start + len(text)
        return True
    return False


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
    words: PageWords
    language: str
    pictures: list[str] = field(default_factory=list[str])
    as_written: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def __post_init__(self) -> None:
        self._parser = markup.formula_parser()
        self._parser.options["html"] = False
        self._parser.inline.ruler.after("formula", "reference", _read_reference)
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
        if language in DIAGRAM_KINDS and (drawn := diagram_html(language, token.content)) is not None:
            return drawn
        shown = f'<pre class="code"><code>{highlighted_code(token.content, language)}</code></pre>\n'
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
            closing = next(
                token for token in tokens[at:] if token.type == "link_close" and token.level == tokens[at].level
            )
            closing.hidden = True
            return ""
        return f'<a href="{escape(target)}">'


def body(
    text: str,
    words: PageWords,
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
    starts = [
        at for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2" and token.level == 0
    ]
    before = writer.html(tokens[: starts[0]] if starts else tokens)
    parts: list[Part] = []
    hints: tuple[Markup, ...] = ()
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=False):
        title, below = tokens[start + 1], tokens[start + 3 : end]
        name = (headings or {}).get(title.content, title.content)
        if name == Heading.HINTS:
            hints = tuple(_items(writer, below))
        shown = _folded(hints, words) if name == Heading.HINTS else writer.html(below)
        ident = _id(title.content, [part.id for part in parts])
        # The list of contents makes a link of a heading, and a link holds no other.
        title.children = [token for token in title.children or () if token.type not in ("link_open", "link_close")]
        parts.append(Part(ident, name, writer.html([title], "span"), shown))
    return Body(before, tuple(parts), hints, tuple(dict.fromkeys(writer.pictures)), tuple(writer.as_written))


def fragment(text: str, words: PageWords) -> Markup:
    """Markdown of a statement as HTML by itself: no HTML in it is kept, and no link but to the web."""
    writer = _Writer(lambda target: _address(target, {}), lambda _: None, words, words.lang)
    return writer.html(writer.tokens(text))


def _items(writer: _Writer, tokens: Sequence[Token]) -> Iterator[Markup]:
    """The items of a numbered list."""
    opens = [
        at for at, token in enumerate(tokens) if token.type == "list_item_open" and token.level == 1 and token.info
    ]
    closes = [at for at, token in enumerate(tokens) if token.type == "list_item_close" and token.level == 1]
    for start, end in zip(opens, closes, strict=False):
        yield writer.html(tokens[start + 1 : end])


def _folded(hints: Sequence[Markup], words: PageWords) -> Markup:
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
    return next(candidate for candidate in (plain, *(f"{plain}-{n}" for n in range(1, 1000))) if candidate not in taken)
