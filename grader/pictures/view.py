"""One picture of one case: which case, which values as a table, on which scale. NumPy only."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.locale.language import gettext, pgettext
from grader.marking.excerpt import axis_word
from grader.marking.verdict import ComparedCase, Drawable, Pictured
from grader.values.arrays import Array

FAR, SOME = 1.0, 0.25
"""What was given widens the scale of what is due at each end by up to FAR times its width. If it needs more, by SOME."""


@dataclass(frozen=True)
class Scale:
    """The ends of a scale. `diverging` says that zero is in its middle, and that both sides are told apart.

    `beyond` says that some values lie outside: they are drawn as the nearer end.
    """

    low: float
    high: float
    diverging: bool
    beyond: bool = False

    def places(self, values: Array) -> Array:
        """Where values lie, from 0 at the low end to 1 at the high end; those outside are clipped. NaN stays NaN."""
        # Everything is halved and then divided by the largest end first, since the width itself may overflow.
        largest = max(abs(self.low), abs(self.high))
        if not largest or self.low == self.high:
            return np.where(np.isnan(values), np.nan, np.clip(np.sign(values - self.low) / 2 + 0.5, 0.0, 1.0))
        low, high = self.low / largest, self.high / largest
        with np.errstate(all="ignore"):
            return np.clip((values / largest - low) / (high - low), 0.0, 1.0)


def scale_of(due: Array | None, given: Array | None) -> Scale:
    """The scale that two tables share: that of what is due, and wider where what was given needs it, within reason.

    One wrong value may be a billion times too large: everything else would have one colour then.
    """
    ends = [_ends(table) for table in (due, given) if table is not None]
    found = [end for end in ends if end is not None]
    if not found:
        return Scale(0.0, 1.0, False)
    low, high = found[0]
    beyond = False
    for other_low, other_high in found[1:]:
        width = (high - low) or abs(high) or 1.0
        below, above = low - other_low > FAR * width, other_high - high > FAR * width
        low = low - SOME * width if below else min(low, other_low)
        high = high + SOME * width if above else max(high, other_high)
        beyond = below or above
    if low < 0 < high:
        return Scale(-max(-low, high), max(-low, high), True, beyond)
    return Scale(low, high, False, beyond)


def scale_of_difference(difference: Array) -> Scale:
    """The scale of a difference: zero is in its middle."""
    ends = _ends(difference)
    largest = max(map(abs, ends)) if ends else 0.0
    return Scale(-(largest or 1.0), largest or 1.0, True)


def _ends(table: Array) -> tuple[float, float] | None:
    finite = table[np.isfinite(table)]
    if not finite.size:
        return None
    most = float(np.finfo(np.float64).max) / 4  # so that no width overflows
    return max(-most, float(finite.min())), min(most, float(finite.max()))


FEWEST_VALUES_DRAWN = 6
"""With fewer values than this, their numbers say more than a picture."""


def most_telling_case(
    drawable: Drawable, rows: int, columns: int, *, wrong: bool
) -> tuple[Pictured, ComparedCase] | None:
    """The first picture that shows something, and the case to draw it of, in so many rows and columns.

    Args:
        wrong: whether only cases count on which the answer is wrong.

    Returns:
        None if no picture shows more than the numbers do.
    """
    for picture in drawable.pictures:
        best = max(
            (case for case in drawable.cases if not wrong or (case.wrong is not None and bool(np.any(case.wrong)))),
            key=lambda case: _seen(picture, case, rows, columns),
            default=None,
        )
        if best is not None and _seen(picture, best, rows, columns) > 0:
            return picture, best
    return None


def _seen(picture: Pictured, compared_case: ComparedCase, rows: int, columns: int) -> float:
    """How much there is to see: the values that fit, less where many are left out; 0 for a single line or a few values."""
    if not set(picture.axes) <= set(compared_case.axes) or len(compared_case.axes) + bool(compared_case.parts) > len(
        compared_case.shape
    ):
        return 0.0
    sizes = [compared_case.shape[compared_case.axes.index(axis) + bool(compared_case.parts)] for axis in picture.axes]
    if math.prod(sizes) < (FEWEST_VALUES_DRAWN if len(sizes) > 1 else 3) or min(sizes) < 2:
        return 0.0
    room = (rows, columns) if len(sizes) > 1 else (columns,)
    parts = [math.ceil(size / most) for size, most in zip(sizes, room, strict=True)]
    return math.prod(map(min, sizes, room)) / math.sqrt(math.prod(parts))


EXPECTED, YOURS, DIFFERENCE = "expected", "yours", "difference"

OF = (EXPECTED, YOURS, DIFFERENCE)
"""What can be drawn of one case."""

FEWEST_COLUMNS_PAIRED = 8
"""Where at least so many columns of a larger table are shown, they are pairs."""


@dataclass(frozen=True, eq=False)
class View:
    """The values that one picture shows. All tables are of one shape, `(rows, columns)`; the values are float64.

    Waves have a row for each line. A curve, or the bars of tokens, are one row.

    Attributes:
        kind: of the picture: heatmap, matrix, waves, curve or tokens.
        down, across: the names of the axes; `down` is empty if there is one row without a name.
        arguments: those of the case, in words.
        place: the index along the axes that are not shown, in words; empty if all are shown.
        due: the expected values; None where they are withheld or not asked for.
        given: those of the answer; None if there are none that can be compared.
        wrong: whether each is wrong; None where that is withheld or not known.
        rows, columns: the indices along the axes that are shown; all of them, unless the view was sampled.
        of: how many rows and columns there are in all.
    """

    kind: str
    down: str
    across: str
    arguments: str
    place: str
    due: Array | None
    given: Array | None
    wrong: Array | None
    rows: Array
    columns: Array
    of: tuple[int, int]

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows.size, self.columns.size

    @property
    def count(self) -> tuple[int, int]:
        """How many of the values that are shown are wrong, and how many are shown."""
        return 0 if self.wrong is None else int(self.wrong.sum()), self.rows.size * self.columns.size

    def part(self, part: str) -> Array:
        """The table of one of `OF`, which must be known (see `known`)."""
        table = {EXPECTED: self.due, YOURS: self.given, DIFFERENCE: self.difference}[part]
        assert table is not None
        return table

    @property
    def difference(self) -> Array | None:
        """What was given less what is due. Equal infinities and two NaN differ by 0; None if one of both is not known."""
        if self.due is None or self.given is None:
            return None
        with np.errstate(all="ignore"):
            alike = (self.due == self.given) | (np.isnan(self.due) & np.isnan(self.given))
            return np.where(alike, 0.0, self.given - self.due)

    @property
    def apart(self) -> Array:
        """The differences that a table has cells for, of shape `(n,)`: what is right may differ by rounding."""
        values = self.part(DIFFERENCE)
        return values[values != 0 if self.wrong is None else self.wrong]


def view(picture: Pictured, case: ComparedCase) -> View | None:
    """One picture of one case. Of the other axes, it shows the index of the first wrong value, else the first index.

    Returns:
        None if nothing was given and nothing is due, or if the array has another form.
    """
    stacked = bool(case.parts)
    places = [case.axes.index(axis) + stacked for axis in picture.axes if axis in case.axes]
    some = next((array for array in (case.due, case.given) if array is not None), None)
    if some is None or len(places) < len(picture.axes) or max(places) >= len(case.shape):
        return None
    if some.size != int(np.prod(case.shape, dtype=object)) or not some.size:
        return None
    first = int(np.argmax(case.wrong)) if case.wrong is not None else 0
    at = [int(index) for index in np.unravel_index(first, case.shape)]
    if picture.kind == "waves":
        places.reverse()  # a row for each line
    chosen = tuple(slice(None) if axis in places else index for axis, index in enumerate(at))

    def table(array: Array | None, kind: type) -> Array | None:
        if array is None or array.size != some.size:
            return None
        cut = np.asarray(array).reshape(case.shape)[chosen].astype(kind)
        return cut.reshape(1, -1) if cut.ndim == 1 else cut if places == sorted(places) else cut.T

    across = case.shape[places[-1]]
    down = case.shape[places[0]] if len(places) > 1 else 1
    names = [picture.axes[-1], picture.axes[0]] if picture.kind == "waves" else [*picture.axes]
    return View(
        picture.kind,
        str(axis_word(names[0])) if len(places) > 1 else "",
        str(axis_word(names[-1])),
        case.arguments,
        _place(case, [axis for axis in range(len(case.shape)) if axis not in places], at),
        table(case.due, float),
        table(case.given, float),
        table(case.wrong, bool),
        np.arange(down),
        np.arange(across),
        (down, across),
    )


def part_word(part: str) -> str:
    """One of `OF` as a learner reads it."""
    return {
        EXPECTED: pgettext("values", "expected"),
        YOURS: pgettext("values", "yours"),
        DIFFERENCE: pgettext("values", "difference"),
    }[part]


def _place(compared_case: ComparedCase, hidden: list[int], at: list[int]) -> str:
    said: list[str] = []
    for axis in hidden:
        number = axis - bool(compared_case.parts)
        name = axis_word(compared_case.axes[number]) if number < len(compared_case.axes) else gettext("axis")
        if number < 0:
            said.append(str(compared_case.parts[at[axis]]))
        elif compared_case.shape[axis] > 1:
            said.append(f"{name} {at[axis]}")
    return ", ".join(said)


def drawable_parts(view: View, of: Sequence[str]) -> list[str]:
    """The parts, of those asked for, that can be drawn. Lines and bars have no difference, unless it is asked for alone."""
    there = {EXPECTED: view.due is not None, YOURS: view.given is not None, DIFFERENCE: view.difference is not None}
    found = [part for part in of if there[part]]
    lines = view.kind in ("curve", "waves", "tokens")
    return [part for part in found if part != DIFFERENCE] if lines and len(found) > 1 else found


def sampled(view: View, rows: int, columns: int) -> View:
    """The view with at most so many rows and columns, spread evenly. Where one of several is shown, a wrong one is."""
    wrong: Array = np.zeros(view.shape, np.bool_) if view.wrong is None else view.wrong
    down = _spread(np.any(wrong, axis=1), rows)
    across = _paired(np.any(wrong[down], axis=0), columns)

    def cut(table: Array | None) -> Array | None:
        return None if table is None else table[np.ix_(down, across)]

    return replace(
        view,
        due=cut(view.due),
        given=cut(view.given),
        wrong=cut(view.wrong),
        rows=view.rows[down],
        columns=view.columns[across],
    )


def _paired(wrong: Array, most: int) -> Array:
    """As `_spread`; but of many columns, pairs of neighbours are shown: an even index and the next.

    Sine and cosine often alternate along them: single ones would show a pattern that is not there.
    """
    if wrong.size <= most or most < FEWEST_COLUMNS_PAIRED:
        return _spread(wrong, most)
    pairs = np.resize(np.append(wrong, False), (wrong.size + 1) // 2 * 2).reshape(-1, 2)
    first = 2 * _spread(np.any(pairs, axis=1), most // 2)
    both = np.stack([first, first + 1], axis=1).reshape(-1)
    return both[both < wrong.size]


def _spread(wrong: Array, most: int) -> Array:
    """The indices that are shown of an axis: one of each of `most` parts, and a wrong one if there is one.

    The first and the last index are among them where that leaves the choice. A fixed step would show every other wave alone.
    """
    if wrong.size <= most:
        return np.arange(wrong.size)
    bounds = np.linspace(0, wrong.size, most + 1).astype(np.int64)
    wanted = np.linspace(0, wrong.size - 1, most).round().astype(np.int64)
    chosen: list[int] = []
    for (start, end), middle in zip(itertools.pairwise(bounds.tolist()), wanted.tolist(), strict=True):
        found = start + np.flatnonzero(wrong[start:end])
        chosen.append(int(found[np.argmin(np.abs(found - middle))]) if found.size else middle)
    return np.array(chosen)


def left_out(view: View) -> str:
    """A sentence on what a sampled view leaves out; empty if it shows all."""
    (rows, columns), (all_rows, all_columns) = view.shape, view.of
    if rows < all_rows and columns < all_columns:
        said = gettext("Drawn: {rows} of {all_rows} along {down} and {columns} of {all_columns} along {across}.")
        fields = {"rows": rows, "all_rows": all_rows, "columns": columns, "all_columns": all_columns}
        return said.format(**fields, down=view.down, across=view.across)
    some = gettext("Drawn: {shown} of {all} along {axis}.")
    if rows < all_rows:
        return some.format(shown=rows, all=all_rows, axis=view.down)
    return some.format(shown=columns, all=all_columns, axis=view.across) if columns < all_columns else ""
