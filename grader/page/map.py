"""The map of a track: a box for each lesson, with lines to what builds on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import fmean
from textwrap import wrap
from typing import Protocol

from markupsafe import Markup


class LessonEntry(Protocol):
    """What a page says of a lesson that it leads to."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def track(self) -> str: ...
    @property
    def difficulty(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def after(self) -> tuple[str, ...]: ...


WIDTH, LINE, MARGIN = 150, 15, 1
"""The width of a box and the height of a line in it, in pixels; the room around the picture for the lines of boxes."""

PADDING, GAP_X, GAP_Y = 7, 28, 10

IN_ROW = 6
"""The most boxes in a row of those that no line leads to."""

LETTERS = 20
"""The most letters in a line of a box: in the widest fonts of a page, so many fit."""


@dataclass(frozen=True)
class _Box:
    """Where a lesson stands."""

    lesson: LessonEntry
    x: float
    y: float

    @property
    def lines(self) -> tuple[str, ...]:
        return _lines(self.lesson.title)

    @property
    def height(self) -> int:
        return len(self.lines) * LINE + 2 * PADDING

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


@cache
def _lines(title: str) -> tuple[str, ...]:
    return tuple(wrap(title, LETTERS))


def map_of(lessons: Sequence[LessonEntry], *, folder: str) -> Markup:
    """The picture of a track: a box for each lesson, to the right of those that it builds on, with lines between them.

    Below stand those that build on none of the track, where none of the track builds on them.

    Args:
        folder: where the lessons are, seen from the page that shows it.
    """
    names = {lesson.name: lesson for lesson in lessons}
    inside = {lesson.name: [before for before in lesson.after if before in names] for lesson in lessons}
    joined = {
        *(name for name, before in inside.items() if before),
        *(name for each in inside.values() for name in each),
    }
    found = columns({name: before for name, before in inside.items() if name in joined})
    boxes = _boxes([[names[name] for name in column] for column in found])
    apart = [lesson for lesson in lessons if lesson.name not in joined]
    boxes |= _rows(apart, top=max((box.y + box.height + 2 * GAP_Y for box in boxes.values()), default=MARGIN))
    width, height = (max(ends, default=0) + MARGIN for ends in _ends(boxes))
    svg = Markup('<svg width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">\n').format(width, height)
    svg += Markup().join(_line(boxes[before], box) for name, box in boxes.items() for before in inside[name])
    return svg + Markup().join(_linked(box, folder) for box in boxes.values()) + Markup("</svg>")


def _ends(boxes: Mapping[str, _Box]) -> tuple[list[float], list[float]]:
    """Where boxes end, to the right and below."""
    return [box.x + WIDTH for box in boxes.values()], [box.y + box.height for box in boxes.values()]


def _linked(box: _Box, folder: str) -> Markup:
    """A box that leads to its lesson."""
    text = Markup().join(
        Markup('<tspan x="{:.0f}" y="{:.0f}">{}</tspan>').format(box.x + PADDING, box.y + PADDING + at * LINE - 4, line)
        for at, line in enumerate(box.lines, 1)
    )
    return Markup(
        '<a href="{}{}.html" tabindex="-1" data-lesson="{}"><rect x="{:.0f}" y="{:.0f}" width="{}" height="{:.0f}" rx="5"/>'
        "<text>{}</text></a>\n"
    ).format(folder, box.lesson.name, box.lesson.name, box.x, box.y, WIDTH, box.height, text)


def columns(after: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The names by how many come before them, in the longest chain. In a column, each stands near what it builds on.

    What builds on nothing stands just before the first that builds on it, below others there.

    Args:
        after: for each name, those that it builds on. They come before it.
    """
    depths: dict[str, int] = {}
    for name, before in after.items():
        depths[name] = 1 + max((depths[earlier] for earlier in before), default=-1)
    for name in [name for name, before in after.items() if not before]:
        depths[name] = min((depths[later] for later, before in after.items() if name in before), default=1) - 1
    found: list[list[str]] = [[] for _ in range(1 + max(depths.values(), default=-1))]
    for name, depth in depths.items():
        found[depth].append(name)
    places: dict[str, float] = {}
    for column in found:
        if column is not found[0]:
            column.sort(key=lambda name: fmean(places[earlier] for earlier in after[name]) if after[name] else 1.0)
        places.update({name: (at + 0.5) / len(column) for at, name in enumerate(column)})
    return found


def _boxes(found: Sequence[Sequence[LessonEntry]]) -> dict[str, _Box]:
    """The boxes of columns, by name. Each column stands in the middle of the height."""
    columns = [[_Box(lesson, MARGIN + at * (WIDTH + GAP_X), 0) for lesson in each] for at, each in enumerate(found)]
    heights = [sum(box.height + GAP_Y for box in column) - GAP_Y for column in columns]
    boxes: dict[str, _Box] = {}
    for column, height in zip(columns, heights, strict=True):
        y = MARGIN + (max(heights) - height) / 2
        for box in column:
            boxes[box.lesson.name] = replace(box, y=y)
            y += box.height + GAP_Y
    return boxes


def _rows(lessons: Sequence[LessonEntry], *, top: float) -> dict[str, _Box]:
    """The boxes of lessons in rows, by name."""
    boxes: dict[str, _Box] = {}
    for first in range(0, len(lessons), IN_ROW):
        row = [
            _Box(lesson, MARGIN + at * (WIDTH + GAP_X), top)
            for at, lesson in enumerate(lessons[first : first + IN_ROW])
        ]
        boxes |= {box.lesson.name: box for box in row}
        top += max(box.height for box in row) + GAP_Y
    return boxes


def _line(one: _Box, other: _Box) -> Markup:
    x, to_x = one.x + WIDTH, other.x
    bend = (to_x - x) / 2
    return Markup('<path d="M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}"/>\n').format(
        x, one.middle, x + bend, one.middle, to_x - bend, other.middle, to_x, other.middle
    )
