"""Pictures of values in a terminal: what is due, what an answer gave, and the difference, side by side."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.text import Text

from grader.kit.text import plain
from grader.locale.language import gettext, ngettext
from grader.marking.verdict import Drawable
from grader.pictures.view import (
    DIFFERENCE,
    EXPECTED,
    OF,
    YOURS,
    View,
    drawable_parts,
    left_out,
    most_telling_case,
    part_word,
    sampled,
    scale_of,
    scale_of_difference,
    view,
)
from grader.report import ink as braille
from grader.report.ink import (
    LARGER,
    SMALLER,
    CellLayout,
    Ink,
    bars,
    cells,
    difference_cells,
    grid_for,
    legend,
    letters_in,
    most,
)
from grader.values.arrays import Array

NARROWEST_TERMINAL = 60
"""In a terminal of fewer columns, a report has no picture."""
MOST_PICTURE_LINES = 12
"""The most lines of a picture in a report."""
INDENT, GAP = 3, 2
MOST_WAVES, LINES_OF_A_WAVE = 3, 3
"""The most waves that are drawn, and how many lines each has."""
LINES_OF_A_CURVE = 6


@dataclass(frozen=True)
class Pane:
    """One column of a picture: a title, lines, and what stands below them. Its width is that of the column."""

    width: int
    title: str
    lines: Sequence[Text]
    foot: Text


def in_report(drawable: Drawable, width: int, ink: Ink) -> list[Text]:
    """The lines of the picture in the report on a wrong answer; none if no picture shows more than the numbers do."""
    if width < NARROWEST_TERMINAL:
        return []
    room = (2 * MOST_PICTURE_LINES if ink.colour else MOST_PICTURE_LINES), (width - INDENT - 4) // 3 - GAP
    found = most_telling_case(drawable, *room, wrong=True)
    seen = view(*found) if found else None
    return list(drawn(seen, OF, width, MOST_PICTURE_LINES, ink)) if seen is not None else []


def drawn(view: View, of: Sequence[str], width: int, lines: int, ink: Ink) -> Iterator[Text]:
    """The lines of one picture, each in at most `width` columns.

    Args:
        of: what is drawn, of `OF`; what is not known is left out.
        lines: how high it may be, without its titles.
    """
    of = drawable_parts(view, of)
    beside, shown = _panes(view, of, width - INDENT, lines, ink)
    groups = [beside]
    if lines > MOST_PICTURE_LINES and shown.shape != view.shape:
        groups = []
        for part in of:
            panes, shown = _panes(view, [part], width - INDENT, lines, ink)
            groups.append(panes)
    title = _heading(view)
    for line in textwrap.wrap(title if ink.unicode else plain(title), width - INDENT):
        yield Text(f"{'':{INDENT}}{line}")
    for panes in groups:
        yield Text()
        for row in _beside(panes):
            yield Text(" " * INDENT).append_text(row)
    said = " ".join(_captions(shown, of, ink))
    for line in textwrap.wrap(said if ink.unicode else plain(said), width - INDENT):
        yield Text(f"{'':{INDENT}}{line}", "dim")


def _heading(view: View) -> str:
    """What the picture shows: `position down, dim across, at T=33, d_model=64`."""
    if view.kind in ("heatmap", "matrix"):
        said = gettext("{down} down, {across} across, at {case}")
    elif view.kind == "tokens":
        said = gettext("a bar for each {across}, at {case}")
    elif view.down:
        said = gettext("along {across}, for each {down}, at {case}")
    else:
        said = gettext("along {across}, at {case}")
    return said.format(down=view.down, across=view.across, case=", ".join(filter(None, (view.arguments, view.place))))


def _panes(view: View, of: Sequence[str], width: int, lines: int, ink: Ink) -> tuple[list[Pane], View]:
    """The columns of a picture, the first of which has the names of rows; and what is shown of the view."""
    match view.kind:
        case "heatmap" | "matrix":
            return _tables(view, of, width, lines, ink)
        case "tokens":
            return _bars(view, of, width, lines, ink)
        case _:
            return _lines(view, of, width, lines, ink)


def _tables(view: View, of: Sequence[str], width: int, lines: int, ink: Ink) -> tuple[list[Pane], View]:
    names = len(str(view.of[0] - 1))
    each = _each(width - names - GAP, len(of))
    finite = all(table is None or bool(np.isfinite(table).all()) for table in (view.due, view.given))
    room = (lines, each)
    view = sampled(view, *most(room, ink, finite=finite))
    grid = grid_for(*view.shape, room, ink, finite=finite)
    scale, panes = scale_of(view.due, view.given), [_names(view, grid, names)]
    for part in of:
        values = view.part(part)
        if part == DIFFERENCE:
            apart = scale_of_difference(view.apart)
            wrong = view.wrong if view.wrong is not None else values != 0
            drawn, foot = difference_cells(values, wrong, apart, grid, ink), Text()
            if np.any(view.apart[np.isfinite(view.apart)]):  # where there is no difference, there is no scale
                foot = legend(apart, ink, each, apart=True)
        else:
            marked = view.wrong if part == YOURS else None
            drawn, foot = cells(values, scale, grid, ink, marked), legend(scale, ink, each)
        across = _ends(view.columns, view.shape[1] * grid.width)
        panes.append(Pane(each, _title(part, ink), [Text(across, "dim"), *drawn], foot))
    return panes, view


def _title(part: str, ink: Ink) -> str:
    """What stands above a part of a picture."""
    return part_word(part) if ink.unicode else plain(part_word(part))


def _names(view: View, grid: CellLayout, width: int) -> Pane:
    """The indices of the rows, at the first and the last line and at some between."""
    count = grid.lines(view.shape[0])
    step = max(1, (count + 3) // 4)
    rows = [view.rows[min(line * (1 + grid.half), view.rows.size - 1)] for line in range(count)]
    shown = [f"{row:>{width}}" if at % step == 0 else "" for at, row in enumerate(rows)]
    return Pane(width, "", [Text(), *(Text(index, "dim") for index in shown)], Text())


def _ends(columns: Array, width: int) -> str:
    first, last = str(columns[0]), str(columns[-1])
    return first + f"{last:>{width - len(first)}}" if len(first) + len(last) < width else first


def _each(width: int, count: int) -> int:
    return max(1, (width - GAP * (count - 1)) // max(1, count))


def _bars(view: View, of: Sequence[str], width: int, lines: int, ink: Ink) -> tuple[list[Pane], View]:
    view = sampled(view, 1, lines)
    labels = [f"{view.across} {index}" for index in view.columns]
    names = max(map(len, labels))
    each, scale = _each(width - names - GAP, len(of)), scale_of(view.due, view.given)
    panes = [Pane(names, "", [Text(label, "dim") for label in labels], Text())]
    for part in of:
        values = view.part(part)
        shared = scale_of_difference(values) if part == DIFFERENCE else scale
        wrong = view.wrong[0] if part != EXPECTED and view.wrong is not None else None
        drawn = bars(values[0], shared, each, wrong, unicode=ink.unicode)
        panes.append(Pane(each, _title(part, ink), [Text(line) for line in drawn], Text()))
    return panes, view


def _lines(view: View, of: Sequence[str], width: int, lines: int, ink: Ink) -> tuple[list[Pane], View]:
    view = sampled(view, MOST_WAVES if lines <= MOST_PICTURE_LINES else 2 * MOST_WAVES, view.of[1])
    labels = [f"{view.down} {index}" for index in view.rows] if view.down else [""]
    names = max(map(len, labels))
    each, scale = _each(width - names - GAP, len(of)), scale_of(view.due, view.given)
    high = LINES_OF_A_CURVE if len(labels) == 1 else LINES_OF_A_WAVE
    panes = [
        Pane(names, "", [Text(label if not at else "", "dim") for label in labels for at in range(high + 1)], Text())
    ]
    for part in of:
        values = view.part(part)
        shared = scale_of_difference(values) if part == DIFFERENCE else scale
        drawn: list[Text] = []
        for at, row in enumerate(values):
            drawn += [Text(line) for line in braille.braille_line(row, shared, each, high, unicode=ink.unicode)]
            wrong = view.wrong[at] if part != EXPECTED and view.wrong is not None else None
            drawn.append(Text(braille.braille_marks(row, wrong, each), "red"))
        foot = Text(_ends(view.columns, each), "dim")
        panes.append(Pane(each, _title(part, ink), drawn, foot))
    return panes, view


def _beside(panes: Sequence[Pane]) -> Iterator[Text]:
    """The lines of all panes, side by side."""
    count = max(len(pane.lines) for pane in panes)
    blank = Text()
    for at in range(-1, count + 1):
        row = Text()
        for pane in panes:
            lines = [Text(pane.title), *pane.lines, *[blank] * (count - len(pane.lines)), pane.foot]
            cell = lines[at + 1].copy()
            cell.truncate(pane.width, pad=True)
            row.append_text(cell).append(" " * GAP)
        row.rstrip()
        if row.plain or at < count:
            yield row


def _captions(view: View, of: Sequence[str], ink: Ink) -> Iterator[str]:
    """What has to be said of a picture below it."""
    tables = view.kind in ("heatmap", "matrix")
    if view.wrong is not None and of != [EXPECTED]:
        yield _judged(view, of, ink)
    if view.kind in ("curve", "waves"):
        ends = scale_of_difference(view.part(DIFFERENCE)) if of == [DIFFERENCE] else scale_of(view.due, view.given)
        said = gettext("Lines go from {low} at the bottom to {high} at the top.")
        yield said.format(low=f"{ends.low:.3g}", high=f"{ends.high:.3g}")
    if said := left_out(view):
        yield said
    if said := letters_in(view.due, view.given, view.difference if tables else None):
        yield f"{said}."
    if scale_of(view.due, view.given).beyond:
        yield gettext("Some of your values lie beyond this scale: they are drawn as its nearer end.")


def _judged(view: View, of: Sequence[str], ink: Ink) -> str:
    """How many of the values are wrong, and how they can be told from the others."""
    wrong, count = view.count
    signs = ""
    if not wrong:
        return gettext("No value that is drawn is wrong.")
    if view.kind not in ("heatmap", "matrix"):
        said = ngettext(
            "{wrong} of the {values} drawn is wrong: the one with a mark.",
            "{wrong} of the {values} drawn are wrong: those with a mark.",
            wrong,
        )
    elif DIFFERENCE in of:
        signs = _signs(view, ink)
        said = ngettext(
            "{wrong} of the {values} drawn is wrong: the one with {signs} in the difference.",
            "{wrong} of the {values} drawn are wrong: those with {signs} in the difference.",
            wrong,
        )
    else:
        said = ngettext("{wrong} of the {values} drawn is wrong.", "{wrong} of the {values} drawn are wrong.", wrong)
    values = ngettext("{count} value", "{count} values", count).format(count=count)
    return said.format(wrong=wrong, values=values, signs=signs)


def _signs(view: View, ink: Ink) -> str:
    """What a wrong value has in a table of differences."""
    apart = view.apart
    signs: list[str] = []
    if ink.colour and np.isfinite(apart).any():
        signs.append(gettext("a block"))
    if not ink.colour and np.isfinite(apart[apart > 0]).any():
        signs.append(gettext("{sign} (too large)").format(sign=LARGER))
    if not ink.colour and np.isfinite(apart[apart < 0]).any():
        signs.append(gettext("{sign} (too small)").format(sign=SMALLER))
    if not np.isfinite(apart).all():
        signs.append(gettext("a letter"))
    if len(signs) < 2:
        return "".join(signs)
    return gettext("{listed} or {last}").format(listed=", ".join(signs[:-1]), last=signs[-1])
