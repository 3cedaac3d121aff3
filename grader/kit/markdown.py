"""The structure of a Markdown text, as markdown-it reads it: sections, blocks of code, items of lists, links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token


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
    """The items of the numbered lists, each as one line of Markdown."""
    lines = text.split("\n")
    return [
        " ".join(line.strip() for line in lines[slice(*token.map)]).removeprefix(token.info + token.markup).strip()
        for token in _parse(text)
        if token.type == "list_item_open" and token.level == 1 and token.info and token.map
    ]


def links(text: str) -> Iterator[tuple[int, str]]:
    """The target of each link and image, with its line, counted from 1."""
    line = 0
    for block in _parse(text):
        line = block.map[0] + 1 if block.map else line
        for token in block.children or ():
            line += token.type in ("softbreak", "hardbreak")
            if target := token.attrGet("href") or token.attrGet("src"):
                yield line, str(target)


def _parse(text: str) -> list[Token]:
    from markdown_it import MarkdownIt  # here, so that commands that read no Markdown do not wait for it

    return MarkdownIt().enable("table").parse(text)
