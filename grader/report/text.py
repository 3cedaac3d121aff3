"""Text that is safe and looks right wherever it is printed."""

from __future__ import annotations

import re
import unicodedata

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|.)?", re.DOTALL)

_PLAIN = str.maketrans(
    {
        "·": "-",
        "–": "-",
        "—": "-",
        "−": "-",
        "×": "x",
        "…": "...",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "•": "*",
        "→": "->",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "≈": "~",
        "π": "pi",
        "ω": "omega",
        "√": "sqrt",
        "Δ": "Delta",
        "δ": "delta",
    }
)


def clean(text: str) -> str:
    """Text of somebody else's without what steers a terminal: escape sequences, control and direction characters."""
    text = _ESCAPES.sub("", text.replace("\r\n", "\n"))
    kept = (c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return "".join(kept).expandtabs(4)


def plain(text: str) -> str:
    """The nearest ASCII, for terminals without Unicode."""
    return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")


def number(value: float, digits: int = 4) -> str:
    """A number for a table: fixed point where that is readable."""
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if value and not 10.0**-digits / 2 <= abs(value) < 1e6:
        return f"{value:.2e}" if abs(value) >= 1e6 or digits > 4 else f"{value:.{digits}f}"
    return f"{value:.{digits}f}"
