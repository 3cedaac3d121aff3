"""Text made safe and readable for a terminal, and numbers of things in words."""

from __future__ import annotations

import re
import textwrap
import unicodedata

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|.)?", re.DOTALL
)

_UNSAFE = ("Cc", "Cf", "Cs", "Co", "Cn")
"""Categories of characters that control a terminal, change the direction of a text, or are none."""

_BREAKS = "\u2028\u2029"

_PLAIN = {
    **str.maketrans("·–—−━─×•≈▌■“”«»‘’", '------x*~|#""""\'\'', "¿¡"),
    **str.maketrans("áéíóúüñÁÉÍÓÚÜÑ", "aeiouunAEIOUUN"),
    **str.maketrans({"…": "...", "→": "->", "≤": "<=", "≥": ">=", "≠": "!=", "√": "sqrt"}),
    **str.maketrans({"π": "pi", "ω": "omega", "Δ": "Delta", "δ": "delta"}),
}


def clean(text: str) -> str:
    """Untrusted text without escape sequences, control characters and changes of direction."""
    # Each character is looked at once, not each time: every command reads all statements.
    unsafe = {c for c in {*text} if c != "\n" and (c in _BREAKS or unicodedata.category(c) in _UNSAFE)}
    if not unsafe:
        return text
    text = _ESCAPES.sub("", re.sub("\r\n|[\u2028\u2029]", "\n", text))
    return text.translate(dict.fromkeys(map(ord, unsafe - {"\t"}))).expandtabs(4)


def visible(name: str) -> str:
    """An untrusted name on one line, with invisible characters written out: `al<U+200B>ice.py`.

    Two names that differ look different.
    """
    return "".join(
        f"<U+{ord(c):04X}>" if unicodedata.category(c)[0] in "CZ" and (c != " " or before == " ") else c
        for before, c in zip(f" {name}", name, strict=False)
    )


def visible_lines(text: str) -> list[str]:
    """The lines of an untrusted text, with invisible characters written out. Spaces stay, and tabs become spaces."""
    lines = text.replace("\r\n", "\n").removesuffix("\n").expandtabs(4).split("\n")
    return [" ".join(map(visible, line.split(" "))) for line in lines]


def folded(text: str) -> str:
    """A sentence that contains untrusted text, on one line: so that text cannot begin a line."""
    return " ".join(clean(text).split())


def beginning(text: str, most: int) -> str:
    """The first words of a line, with an ellipsis if some are left out; at most `most` characters."""
    text = folded(text)
    return textwrap.shorten(text, most, placeholder=" …", break_on_hyphens=False) if " " in text[:most] else text[:most]


def plain(text: str) -> str:
    """The nearest ASCII, for terminals without Unicode."""
    return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")


def number(value: float, digits: int = 4) -> str:
    """A number for a table: in fixed point below a million, else with an exponent."""
    return f"{value:.{digits}e}" if 1e6 <= abs(value) < float("inf") else f"{value:.{digits}f}"


def counted(count: int, noun: str) -> str:
    """A number of things in words: 1 value, 2 values."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
