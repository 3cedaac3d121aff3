"""The diagrams of a statement as HTML: boxes with arrows, and a table whose cells are shaded."""

from __future__ import annotations

import math

from markupsafe import Markup

from grader.kit import diagram

SHADES = 5
"""The number of shades of the numbers in a grid. The largest has the last one."""


def html(kind: str, text: str) -> Markup | None:
    """A diagram as HTML; None if the text is no diagram of this kind."""
    try:
        read = diagram.read(kind, text)
    except diagram.DiagramError:
        return None
    return _flow(read) if isinstance(read, diagram.Flow) else _grid(read)


def _flow(flow: diagram.Flow) -> Markup:
    arrow = Markup('<span class="arrow">→</span>\n')
    lines = (Markup("<p>{}</p>\n").format(arrow.join(_step(step) for step in chain)) for chain in flow.chains)
    return Markup('<div class="flow">\n{}</div>\n').format(Markup().join(lines))


def _step(step: diagram.Step) -> Markup:
    if not step.shape:
        return Markup('<span class="step">{}</span>\n').format(step.text)
    return Markup('<span class="array">{} <small>{}</small></span>\n').format(step.text, step.shape)


def _grid(grid: diagram.Grid) -> Markup:
    largest = max(
        (abs(value) for row in grid.rows for cell in row[1:] if (value := _number(cell)) is not None), default=0.0
    )
    head = Markup().join(Markup("<th>{}</th>").format(cell) for cell in grid.head)
    rows = Markup().join(
        Markup("<tr><th>{}</th>{}</tr>\n").format(row[0], Markup().join(_cell(cell, largest) for cell in row[1:]))
        for row in grid.rows
    )
    return Markup('<div class="scroll">\n<table class="grid">\n<tr>{}</tr>\n{}</table>\n</div>\n').format(head, rows)


def _cell(cell: str, largest: float) -> Markup:
    if cell == diagram.FILLED:
        return Markup('<td class="filled">■</td>')
    if cell == diagram.EMPTY:
        return Markup('<td class="empty">·</td>')
    value = _number(cell)
    shade = round(SHADES * abs(value) / largest) if value is not None and largest else 0
    return Markup('<td class="shade-{}">{}</td>').format(shade, cell)


def _number(cell: str) -> float | None:
    """The number that a cell holds; None if it holds none, or no finite one."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
