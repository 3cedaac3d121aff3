"""The structure of a Markdown text, as markdown-it reads it: sections, blocks of code, items of lists, links."""

from __future__ import annotations

import functools
import re
import textwrap
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$(?!\$)", re.DOTALL)


@dataclass(frozen=True)
class Section:
    """What stands below a `##` heading. Lines count from 0: `start` is the heading's, `end` the one after its text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Fence:
    """A fenced block of code, with the line of its opening fence, counted from 1."""

    language: str
    line: int
    code: str


def sections(text: str) -> dict[str, Section]:
    """The `##` headings of a text in order, each with what stands below it."""
    tokens, lines = _parse(text), text.split("\n")
    headings = [
        (content.content, *token.map)
        for token, content in pairwise(tokens)
        if token.type == "heading_open" and token.tag == "h2" and token.level == 0 and token.map
    ]
    ends = [start for _, start, _ in headings[1:]] + [len(lines)]
    return {
        title: Section("\n".join(lines[below:end]).strip(), start, end)
        for (title, start, below), end in zip(headings, ends, strict=False)
    }


def fences(text: str) -> list[Fence]:
    """The fenced blocks of code, in order."""
    return [
        Fence(token.info.partition(" ")[0], token.map[0] + 1, token.content)
        for token in _parse(text)
        if token.type == "fence" and token.map
    ]


def numbered(text: str) -> list[str]:
    """The items of the numbered lists as Markdown: each on one line, unless it has more than one paragraph, such as code."""
    lines = text.split("\n")
    found: list[str] = []
    for token in _parse(text):
        if token.type == "list_item_open" and token.level == 1 and token.info and token.map:
            first, *rest = lines[slice(*token.map)]
            first = first.strip().removeprefix(token.info + token.markup).strip()
            rest = textwrap.dedent("\n".join(rest)).rstrip().split("\n")
            if "" in rest and len(rest) > 1:
                found.append("\n".join((first, *rest)))
            else:
                found.append(" ".join(line.strip() for line in (first, *rest)).strip())
    return found


def links(text: str) -> Iterator[tuple[int, str]]:
    """The target of each link and image, with its line, counted from 1."""
    for line, token in _in_lines(_parse(text)):
        if target := token.attrGet("href") or token.attrGet("src"):
            yield line, str(target)


def formulas(text: str) -> Iterator[tuple[int, str]]:
    """The LaTeX of each formula outside code, with the line where it begins, counted from 1."""
    parser = apart()
    for line, token in _in_lines(parser.parse(text)):
        if token.markup.startswith("$"):
            yield line, token.content


def parser() -> MarkdownIt:
    """The parser of statements, in a terminal and on the page."""
    from markdown_it import MarkdownIt  # here, so that commands that read no Markdown do not wait for it

    with _FIRST:
        _prepare()
    return MarkdownIt().enable(["strikethrough", "table"])


_FIRST = threading.Lock()


@functools.cache
def _prepare() -> None:
    """Read a link of each sort once: the library fills tables at the first ones, and threads would read half a table."""
    from markdown_it import MarkdownIt

    MarkdownIt().parse("[a](b) <https://example.org>")


def apart() -> MarkdownIt:
    """The parser of statements that keeps each formula as a token of its own, with its LaTeX (see `read_formulas`)."""
    found = parser().disable(["text_join", "fragments_join"])  # they put formulas into the text
    read_formulas(found, lambda tex: tex)
    return found


def read_formulas(parser: MarkdownIt, shown: Callable[[str], str]) -> None:
    """Have a parser read `$...$` and `$$...$$` outside code as formulas: tokens of text, whose markup is the dollar signs.

    Args:
        shown: the content of the token for the LaTeX of a formula.
    """

    def read(state: StateInline, silent: bool) -> bool:
        match = _FORMULA.match(state.src, state.pos)
        if match is None:
            return False
        if not silent:
            token = state.push("text", "", 0)
            token.content, token.markup = shown(match[1] or match[2]), "$$" if match[1] else "$"
            token.meta = {"lines": match[0].count("\n")}
        state.pos = match.end()
        return True

    parser.inline.ruler.after("escape", "formula", read)


def _in_lines(blocks: list[Token]) -> Iterator[tuple[int, Token]]:
    """The inline tokens, each with its line, counted from 1."""
    line = 0
    for block in blocks:
        line = block.map[0] + 1 if block.map else line
        for token in block.children or ():
            line += token.type in ("softbreak", "hardbreak")
            yield line, token
            line += token.meta.get("lines", 0)


def _parse(text: str) -> list[Token]:
    return parser().parse(text)
