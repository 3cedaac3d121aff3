"""A flow whose chains meet, as a graph: arrays in boxes, operations between them, from the top to the bottom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from statistics import fmean

from markupsafe import Markup

from grader.kit.markup import Flow, Step

LETTER, SMALL_LETTER = 7.3, 6.8
"""The width of a letter of a name and of a shape, in pixels, in the widest fonts of a page."""

BOX, WORDS, GAP_X, GAP_Y, PADDING = 26, 18, 22, 16, 9
"""The heights of an array and of an operation, the room between neighbours and between rows, and that beside a text."""

MARGIN = 2
SWEEPS = 12
"""How often the places in the rows are improved."""

Key = tuple[str, ...]
"""What tells nodes apart: an array by its text, an operation by its text and what it makes, a bend by its edge and row."""


@dataclass
class _Node:
    """A node of the graph: an array, an operation, or a bend of an edge that passes a row, which has no step."""

    step: Step | None
    row: int = 0
    x: float = 0.0
    into: list[Key] = field(default_factory=list[Key])

    @property
    def width(self) -> float:
        if self.step is None:
            return 0.0
        shape = len(self.step.shape) + 1 if self.step.shape else 0
        return len(self.step.text) * LETTER + shape * SMALL_LETTER + 2 * PADDING

    @property
    def height(self) -> int:
        return BOX if self.step is not None and self.step.shape else WORDS


def flow_graph(flow: Flow) -> Markup | None:
    """A flow as SVG, one for each part that hangs together; None if no chains meet, or if they go round.

    Lines of text say as much then.
    """
    nodes = _nodes(flow)
    before: dict[Key, list[Key]] = {key: [] for key in nodes}
    for key, node in nodes.items():
        for after in node.into:
            before[after].append(key)
    if all(len(node.into) < 2 for node in nodes.values()) and all(len(each) < 2 for each in before.values()):
        return None
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError:
        return None
    parts = _connected(nodes, before)
    title = in_words(flow)
    drawn = [
        _svg(
            {key: node for key, node in nodes.items() if key in part},
            before,
            [key for key in order if key in part],
            "" if at else title,
        )
        for at, part in enumerate(parts)
    ]
    return Markup().join(drawn)


_PAPER = """\
text { fill: #1d1d1f; text-anchor: middle; font: 13px sans-serif } tspan { fill: #55585f; font: 11px monospace }
rect { fill: #f3f5f9; stroke: #0b4ea2; stroke-width: 1.5 } rect.step { fill: #fff; stroke: none } rect.paper { fill: #fff }
.step { font-style: italic } path { fill: none; stroke: #0b4ea2; stroke-width: 1.3 }
"""
"""How a graph looks that stands alone: on white paper, whatever is around it."""


def graphs_alone(flow: Flow) -> list[str]:
    """The graphs of a flow as SVG files, which need no page; none where there is no graph."""
    found = str(flow_graph(flow) or "")
    style = f'<style>{_PAPER}</style><rect class="paper" width="100%" height="100%" stroke="none"/>'
    parts = re.findall(r"<svg (.*?)>\n(.*?</svg>)", found, re.DOTALL)
    return [f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>{style}{body}' for attributes, body in parts]


def _connected(nodes: Mapping[Key, _Node], before: Mapping[Key, Sequence[Key]]) -> list[set[Key]]:
    """The parts of the graph that hang together, in the order of their first nodes."""
    parts: list[set[Key]] = []
    for key in nodes:
        if any(key in part for part in parts):
            continue
        part, left = set[Key](), [key]
        while left:
            here = left.pop()
            if here not in part:
                part.add(here)
                left += [*nodes[here].into, *before[here]]
        parts.append(part)
    return parts


def _svg(nodes: dict[Key, _Node], before: Mapping[Key, Sequence[Key]], order: Sequence[Key], title: str) -> Markup:
    rows = _placed(nodes, before, order)
    tops = _tops(rows, nodes)
    width = max(node.x + node.width / 2 for node in nodes.values()) + MARGIN
    height = tops[-1] + max(nodes[key].height for key in rows[-1]) + MARGIN
    told = Markup('role="img" aria-label="{}"').format(title) if title else Markup('aria-hidden="true"')
    svg = Markup(
        '<svg class="flow-graph" {2} width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">\n'
    ).format(width, height, told)
    middles = [top + max(nodes[key].height for key in row) / 2 for top, row in zip(tops, rows, strict=True)]
    svg += Markup().join(_edges(nodes, middles))
    svg += Markup().join(_drawn(node, middles[node.row]) for node in nodes.values() if node.step is not None)
    return svg + Markup("</svg>\n")


def in_words(flow: Flow) -> str:
    """A flow in one line, for those who do not see its picture."""
    chains = (" → ".join(f"{step.text} {step.shape}".strip() for step in chain) for chain in flow.chains)
    return "; ".join(chains)


def _nodes(flow: Flow) -> dict[Key, _Node]:
    """The nodes by what tells them apart, each with the keys of those that its arrows lead to."""
    arrays = {f"{step.text} {step.shape}": step for chain in flow.chains for step in chain if step.shape}
    nodes: dict[Key, _Node] = {}

    def node(key: Key, step: Step) -> Key:
        nodes.setdefault(key, _Node(step))
        return key

    for chain in flow.chains:
        last: list[Key] = []
        for at, step in enumerate(chain):
            if step.shape:
                here = [node((one.text, one.shape), one) for one in _parts(step, arrays)]
            else:
                made = next((after for after in chain[at + 1 :] if after.shape), None) or _made_by(step, flow)
                here = [node((step.text, "->", made.text, made.shape), step)]
            for key in last:
                nodes[key].into += [after for after in here if after not in nodes[key].into]
            last = here
    return nodes


def _made_by(step: Step, flow: Flow) -> Step:
    """The array that an operation makes in another chain, where a chain ends at the operation."""
    for chain in flow.chains:
        for at, other in enumerate(chain[:-1]):
            if other == step:
                return next(after for after in chain[at + 1 :] if after.shape)
    return step


def _parts(step: Step, arrays: Mapping[str, Step]) -> list[Step]:
    """The arrays that a step names: `a, b (N,)` is two, if each is made by itself; it may be a part of one of more names."""
    names = [name.strip() for name in step.text.split(",")]
    apart = [arrays[text] for name in names if (text := f"{name} {step.shape}") in arrays]
    if len(names) > 1 and len(apart) == len(names):
        return apart
    for other in arrays.values():
        more = {name.strip() for name in other.text.split(",")}
        whole = any(f"{name} {other.shape}" not in arrays for name in more - {*names})
        if other.shape == step.shape and {*names} < more and whole:
            return [other]
    return [step]


def _placed(nodes: dict[Key, _Node], before: Mapping[Key, Sequence[Key]], order: Sequence[Key]) -> list[list[Key]]:
    """Give each node its row and its place in it. Edges that pass a row get a bend there. Returns the rows."""
    for key in order:
        nodes[key].row = 1 + max((nodes[one].row for one in before[key]), default=-1)
    for key in reversed(order):
        if not before[key]:  # what is only read stands just above its first reader
            nodes[key].row = min((nodes[one].row for one in nodes[key].into), default=1) - 1
    for key in list(order):
        _bend(nodes, key)
    rows: list[list[Key]] = [[] for _ in range(1 + max(node.row for node in nodes.values()))]
    for key, node in nodes.items():
        rows[node.row].append(key)
    above: dict[Key, list[Key]] = {key: [] for key in nodes}
    for key, node in nodes.items():
        for after in node.into:
            above[after].append(key)
    for row in rows:
        _spread(row, nodes, {})
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for row in rows if down else rows[::-1]:
            near = above if down else {key: nodes[key].into for key in row}
            wanted = {key: fmean(nodes[one].x for one in near[key]) for key in row if near[key]}
            if sweep < SWEEPS - 2:
                row.sort(key=lambda key: wanted.get(key, nodes[key].x))
            _spread(row, nodes, wanted)
    left = min(node.x - node.width / 2 for node in nodes.values())
    for node in nodes.values():
        node.x += MARGIN - left
    return rows


def _bend(nodes: dict[Key, _Node], key: Key) -> None:
    for at, after in enumerate(nodes[key].into):
        here = key
        for row in range(nodes[key].row + 1, nodes[after].row):
            bend: Key = ("bend", *key, "->", *after, str(row))
            nodes[bend] = _Node(None, row)
            _lead(nodes, here, at if here == key else 0, bend)
            here = bend
        if here != key:
            _lead(nodes, here, 0, after)


def _lead(nodes: Mapping[Key, _Node], key: Key, at: int, after: Key) -> None:
    into = nodes[key].into
    if at < len(into):
        into[at] = after
    else:
        into.append(after)


def _spread(row: Sequence[Key], nodes: Mapping[Key, _Node], wanted: Mapping[Key, float]) -> None:
    """Put the nodes of a row near the places wanted, in their order, with room between them."""
    for key in row:
        nodes[key].x = wanted.get(key, nodes[key].x)
    for _ in range(2):
        for one, other in pairwise(row):
            apart = (nodes[one].width + nodes[other].width) / 2 + GAP_X
            if (lack := apart - (nodes[other].x - nodes[one].x)) > 0:
                nodes[one].x -= lack / 2
                nodes[other].x += lack / 2
    for one, other in pairwise(row):
        apart = (nodes[one].width + nodes[other].width) / 2 + GAP_X
        nodes[other].x = max(nodes[other].x, nodes[one].x + apart)


def _tops(rows: Sequence[Sequence[Key]], nodes: Mapping[Key, _Node]) -> list[float]:
    tops, top = list[float](), float(MARGIN)
    for row in rows:
        tops.append(top)
        top += max(nodes[key].height for key in row) + GAP_Y
    return tops


def _edges(nodes: Mapping[Key, _Node], middles: Sequence[float]) -> Iterator[Markup]:
    for node in nodes.values():
        if node.step is None:
            continue
        for after in node.into:
            path = [(node.x, middles[node.row] + node.height / 2)]
            while nodes[after].step is None:
                path.append((nodes[after].x, middles[nodes[after].row]))
                after = nodes[after].into[0]
            end = nodes[after]
            path.append((end.x, middles[end.row] - end.height / 2))
            yield _arrow(path)


def _arrow(path: Sequence[tuple[float, float]]) -> Markup:
    """A curve through points, with a head at its end."""
    (x, y), *others = path
    drawn = f"M{x:.0f} {y:.0f}"
    for to_x, to_y in others:
        middle = (y + to_y) / 2
        drawn += f"C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}"
        x, y = to_x, to_y
    head = f"M{x - 4:.0f} {y - 6:.0f}L{x:.0f} {y:.0f}L{x + 4:.0f} {y - 6:.0f}"
    return Markup('<path d="{}{}"/>\n').format(drawn, head)


def _drawn(node: _Node, middle: float) -> Markup:
    assert node.step is not None
    left, top = node.x - node.width / 2, middle - node.height / 2
    if not node.step.shape:
        box = Markup('<rect class="step" x="{:.0f}" y="{:.0f}" width="{:.0f}" height="{}"/>').format(
            left, top, node.width, node.height
        )
        return box + Markup('<text class="step" x="{:.0f}" y="{:.0f}">{}</text>\n').format(
            node.x, middle + 4, node.step.text
        )
    box = Markup('<rect x="{:.0f}" y="{:.0f}" width="{:.0f}" height="{}" rx="5"/>').format(
        left, top, node.width, node.height
    )
    return box + Markup('<text x="{:.0f}" y="{:.0f}">{} <tspan>{}</tspan></text>\n').format(
        node.x, middle + 4, node.step.text, node.step.shape
    )
