"""The map of a track as a picture: which lesson builds on which, from left to right."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from markupsafe import Markup

from grader.page.entry import Entry

LETTER, HEIGHT, MARGIN = 7.3, 28, 1
"""The width of a letter and the height of a box, in pixels; the room around the picture for the lines of boxes."""
GAP_X, GAP_Y = 28, 12


@dataclass(frozen=True)
class _Box:
    name: str
    x: float
    y: float
    width: float


def from_elsewhere(lessons: Sequence[Entry], known: Container[str]) -> list[str]:
    """The names of lessons of other tracks on which those of a track build.

    Args:
        lessons: the track.
        known: the names of all lessons on the page.
    """
    names = {one.name for one in lessons}
    found = dict.fromkeys(before for one in lessons for before in one.after)
    return [before for before in found if before in known and before not in names]


def map_of(lessons: Sequence[Entry], *, folder: str, elsewhere: Sequence[str] = ()) -> Markup:
    """The picture: a box for each lesson, to the right of those that it builds on, with lines between them.

    Args:
        folder: where the lessons are, seen from the page that shows it.
        elsewhere: lessons of other tracks that are shown too (see `from_elsewhere`).
    """
    shown = {*elsewhere, *(one.name for one in lessons)}
    inside: dict[str, list[str]] = {name: [] for name in elsewhere}
    inside |= {one.name: [before for before in one.after if before in shown] for one in lessons}
    boxes, width, height = _boxes(columns(inside), inside)
    svg = Markup('<svg width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">\n').format(width, height)
    for name, box in boxes.items():
        for before in inside[name]:
            svg += _line(boxes[before], box)
    for name, box in boxes.items():
        svg += Markup(
            '<a href="{}{}.html" tabindex="-1"{}><rect x="{:.0f}" y="{:.0f}" width="{:.0f}" height="{}" rx="4"/>'
            '<text x="{:.0f}" y="{:.0f}">{}</text></a>\n'
        ).format(
            folder,
            name,
            Markup(' class="elsewhere"') if name in elsewhere else "",
            box.x,
            box.y,
            box.width,
            HEIGHT,
            box.x + 7,
            box.y + HEIGHT / 2 + 4,
            name,
        )
    return svg + Markup("</svg>")


def columns(after: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """The names by how many come before them, in the longest chain. In a column, each stands near what it builds on.

    What builds on nothing stands just before the first that builds on it, below others there.

    Args:
        after: for each name, those that it builds on. They come before it.
    """
    depths: dict[str, int] = {}
    for name, before in after.items():
        depths[name] = 1 + max((depths[one] for one in before), default=-1)
    for name in [one for one, before in after.items() if not before]:
        depths[name] = min((depths[one] for one, before in after.items() if name in before), default=1) - 1
    found: list[list[str]] = [[] for _ in range(1 + max(depths.values(), default=-1))]
    for name, depth in depths.items():
        found[depth].append(name)
    places: dict[str, float] = {}
    for column in found:
        if column is not found[0]:
            column.sort(key=lambda name: fmean(places[one] for one in after[name]) if after[name] else 1.0)
        places.update({name: (at + 0.5) / len(column) for at, name in enumerate(column)})
    return found


def _boxes(found: Sequence[Sequence[str]], after: Mapping[str, Sequence[str]]) -> tuple[dict[str, _Box], float, float]:
    """The boxes by name, and the width and height of all."""
    tallest = max((len(column) for column in found), default=0)
    height = tallest * (HEIGHT + GAP_Y) - GAP_Y
    boxes: dict[str, _Box] = {}
    left = float(MARGIN)
    for column in found:
        width = max(map(len, column)) * LETTER + 14
        for at, name in enumerate(column):
            boxes[name] = _Box(name, left, MARGIN + at * (HEIGHT + GAP_Y), len(name) * LETTER + 14)
        left += width + GAP_X
    return boxes, max(0.0, left - GAP_X) + MARGIN, max(0, height) + 2 * MARGIN


def _line(one: _Box, other: _Box) -> Markup:
    x, y = one.x + one.width, one.y + HEIGHT / 2
    to_x, to_y = other.x, other.y + HEIGHT / 2
    bend = (to_x - x) / 2
    return Markup('<path d="M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}"/>\n').format(
        x, y, x + bend, y, to_x - bend, to_y, to_x, to_y
    )
