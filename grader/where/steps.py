"""The steps of a reference: what its operations give on one case, by names that are the same in all cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grader.marking.judge import Array

Steps = Mapping[str, Array]
"""For each name, the values each time that the operation was evaluated: the first axis counts them.

A name is `line:column:operation:output:form`, where `form` counts the shapes that the operation gave.
"""

MOST_ROWS = 12
"""Of an operation that is evaluated more often, the values are taken all at once, and the last one by itself."""


@dataclass(frozen=True)
class Pick:
    """A choice of values of one step.

    `how` is the number of one row; "all" for the rows as one array; "each" for one row for each evaluation of the place;
    "cut" for one row whose first axis is shared out among the evaluations; or "same" for one row in all evaluations.
    """

    step: str
    how: int | str

    def of(self, steps: Steps, count: int | None) -> list[Array] | None:
        """The values on a case, one for each of `count` evaluations (None: only one changes); None if there are none."""
        rows = steps.get(self.step)
        if rows is None:
            return None
        times = len(rows)
        match self.how:
            case int(row):
                return [rows[row]] if -times <= row < times and count is None else None
            case "all":
                return [rows] if count is None else None
            case "each":
                return list(rows) if times == count else None
            case "cut":
                return list(rows[0]) if times == 1 and rows.ndim > 1 and rows.shape[1] == count else None
            case _:
                return [rows[0]] * count if times == 1 and count is not None else None


def picks_of_one(steps: Steps) -> Iterator[Pick]:
    """The choices where one value changes."""
    for name, rows in steps.items():
        if len(rows) <= MOST_ROWS:
            yield from (Pick(name, row) for row in range(len(rows)))
        else:
            yield Pick(name, -1)
        if len(rows) > 1:
            yield Pick(name, "all")


def picks_of_many(steps: Steps, count: int) -> Iterator[Pick]:
    """The choices where `count` values change at once."""
    for name, rows in steps.items():
        if len(rows) == count:
            yield Pick(name, "each")
        if len(rows) == 1:
            if rows.ndim > 1 and rows.shape[1] == count:
                yield Pick(name, "cut")
            yield Pick(name, "same")


def fingerprint(value: Array) -> tuple[object, ...]:
    """What two arrays share if one is the other with its axes in another order, up to rounding."""
    wide = value.astype(np.float64) if value.dtype.kind in "fiub" else np.abs(value).astype(np.float64)
    finite = np.isfinite(wide)
    clean = wide if finite.all() else np.where(finite, wide, 0.0)
    return value.size, int(finite.sum()), _short(float(clean.sum())), _short(float((clean * clean).sum()))


def _short(number: float) -> str:
    return f"{number:.7e}" if abs(number) > 1e-12 else "0"


def occurring(steps: Steps) -> set[tuple[object, ...]]:
    """The fingerprints of all values of the steps."""
    found: set[tuple[object, ...]] = set()
    for rows in steps.values():
        found.add(fingerprint(rows))
        found.update(fingerprint(row) for row in rows[:64])
    return found


def size_of(steps: Sequence[Steps]) -> int:
    """The bytes of the steps of all cases."""
    return sum(rows.nbytes for one in steps for rows in one.values())
