"""Text for other programs: cells that no spreadsheet takes for a formula, and text that XML can hold."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet may run a cell that begins so."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def without_control(text: str) -> str:
    """The text without what neither XML nor a terminal should get."""
    return _CONTROL.sub("�", text)


def cell(text: str) -> str:
    """A cell of text. What could be a formula begins with an apostrophe."""
    plain = without_control(text)
    return f"'{plain}" if plain.startswith(FORMULA) else plain


def number(points: Decimal | None) -> str:
    """A number of points without zeros at its end; empty for none."""
    return "" if points is None else f"{points.normalize():f}"


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV (RFC 4180)."""
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()
