"""What the page shows of one problem. Nothing of its reference, its worked answer or its pitfalls is in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.locale.language import ENGLISH
from grader.page.body import Body


@dataclass(frozen=True)
class Drawn:
    """A figure of a lesson as the page shows it (see `grader.page.figure.Figure`).

    Attributes:
        number: its place among the figures of the lesson, from 0.
        language: of its texts.
        section: the heading in English of the section that it stands in.
        spec: what draws it, as a document.
        of: the settings that its table is for.
        columns: the heads of its table.
        rows: the cells of its table, as text.
    """

    number: int
    language: str
    title: str
    section: str
    sentence: str
    of: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    spec: Mapping[str, Any]

    @property
    def id(self) -> str:
        return f"page-figure-{self.number + 1}"


@dataclass(frozen=True)
class Lesson:
    """A lesson of the page: an `Entry`, with its body. `stub` is the shipped stub, empty if it is not known."""

    name: str
    title: str
    track: str
    difficulty: str
    tags: tuple[str, ...]
    after: tuple[str, ...]
    body: Body
    text: str = ""
    stub: str = ""
    figures: tuple[Drawn, ...] = ()
    pictures: Mapping[str, bytes] | None = None
    """The pictures of the statement, by their path on the page."""
    language: str = ENGLISH
    """The language of its title, its body and its text."""
