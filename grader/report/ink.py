"""How values look in a terminal: as colours, or as shades where there is no colour or no Unicode."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from grader.kit.text import plain
from grader.locale.language import gettext, pgettext
from grader.marking.comparison import Array
from grader.pictures.scale import Scale

STEPS = 32
"""A colour scale has this many steps, so that few styles are made."""
FAINT = 0.4
"""How far from the middle of its scale the colour of the smallest difference lies: white would not be seen on white."""

_RISING = ("440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725")
_DIVERGING = ("2166ac", "4393c3", "92c5de", "d1e5f0", "f7f7f7", "fddbc7", "f4a582", "d6604d", "b2182b")
"""Viridis, and blue to red with white at zero: both can be told apart with every form of colour blindness."""
_RISING_OF_256 = (53, 54, 24, 30, 36, 41, 112, 148, 190, 227)
_DIVERGING_OF_256 = (25, 68, 110, 153, 255, 224, 217, 167, 124)
"""The same in a terminal of 256 colours. The nearest of them to each step would wander through other hues."""

_SHADES = {True: " ░▒▓█", False: " .:-=+*#%@"}
LETTERS = {"N": "NaN", "I": "inf", "i": "-inf"}


@dataclass(frozen=True)
class Ink:
    """What a terminal can show.

    Attributes:
        colour: at least 256 colours, and blocks to fill with them.
        unicode: signs beyond ASCII.
        fine: any colour, and not 256 alone.
    """

    colour: bool
    unicode: bool
    fine: bool = True

    def shade(self, place: float) -> str:
        """The sign for a place on a scale, from 0 to 1."""
        shades = _SHADES[self.unicode]
        return shades[min(len(shades) - 1, int(place * len(shades)))]


def letter(value: float) -> str:
    """The letter for a value that is not finite; empty for others."""
    if math.isfinite(value):
        return ""
    return "N" if math.isnan(value) else "I" if value > 0 else "i"


def letters_in(*tables: Array | None) -> str:
    """What the letters in pictures of these tables mean, as `N is NaN, I is inf`; empty if there are none."""
    found: set[str] = set()
    for table in tables:
        if table is not None:
            found |= {letter(float(value)) for value in np.unique(table[~np.isfinite(table)])}
    meaning = gettext("{letter} is {value}")
    return ", ".join(meaning.format(letter=sign, value=name) for sign, name in LETTERS.items() if sign in found)


def steps(values: Array, scale: Scale) -> Array:
    """The step of each value on a colour scale, as integers from 0 to `STEPS`; -1 for NaN."""
    places = scale.places(values)
    return np.where(np.isnan(places), -1, np.nan_to_num(places) * STEPS + 0.5).astype(np.int64)


def steps_apart(values: Array, scale: Scale) -> Array:
    """The same for differences, of which even the smallest is not white."""
    places = 2 * scale.places(values) - 1
    away = np.sign(values) * (FAINT + (1 - FAINT) * np.abs(places))
    return np.where(np.isnan(away), -1, np.nan_to_num(away / 2 + 0.5) * STEPS + 0.5).astype(np.int64)


@functools.cache
def style(diverging: bool, foreground: int, background: int = -1, *, fine: bool = True) -> Style:
    """The style of a block with a step of a scale as its colour, and another as the colour behind it (-1: none)."""
    behind = None if background < 0 else _colour(diverging, background, fine)
    return Style(color=_colour(diverging, foreground, fine), bgcolor=behind)


@functools.cache
def style_behind(diverging: bool, background: int, *, fine: bool = True) -> Style:
    """The style of text on a step of a scale."""
    colour = _colour(diverging, background, fine)
    red, green, blue = colour.get_truecolor()
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 140
    return Style(color=Color.from_rgb(255, 255, 255) if dark else Color.from_rgb(0, 0, 0), bgcolor=colour)


@functools.cache
def _colour(diverging: bool, step: int, fine: bool) -> Color:
    if not fine:
        known = _DIVERGING_OF_256 if diverging else _RISING_OF_256
        return Color.from_ansi(known[round(step / STEPS * (len(known) - 1))])
    anchors = _DIVERGING if diverging else _RISING
    place = step / STEPS * (len(anchors) - 1)
    at = min(int(place), len(anchors) - 2)
    low, high = (np.array([int(one[i : i + 2], 16) for i in (0, 2, 4)]) for one in anchors[at : at + 2])
    red, green, blue = np.round(low + (high - low) * (place - at))
    return Color.from_rgb(red, green, blue)


def legend(scale: Scale, ink: Ink, width: int, *, apart: bool = False) -> Text:
    """The ends of a scale with their colours, and its zero if that fits.

    Args:
        apart: whether it is the scale of a difference.
    """
    values = [scale.low, 0.0, scale.high] if scale.diverging else [scale.low, scale.high]
    texts = [f"{value:.3g}" for value in values]
    if apart and not ink.colour:
        return _within(pgettext("difference", "up to {value}").format(value=texts[-1]), ink, width)
    each = 4 if ink.colour else 6
    if sum(map(len, texts)) + each * len(texts) - 2 > width:
        values, texts = [values[0], values[-1]], [texts[0], texts[-1]]
    if sum(map(len, texts)) + each * len(texts) - 2 > width:
        short = gettext("up to {value}") if scale.diverging else gettext("{low} to {high}")
        return _within(short.format(value=texts[-1], low=texts[0], high=texts[-1]), ink, width)
    line = Text()
    for value, text in zip(values, texts, strict=True):
        place = float(scale.places(np.array([value]))[0])
        if not ink.colour:
            line.append(f"[{ink.shade(place)}] {text}  ")
        elif apart and value == 0.0:
            line.append("· ", "dim").append(f"{text}  ")
        else:
            line.append("█", style(scale.diverging, int(place * STEPS + 0.5), fine=ink.fine)).append(f" {text}  ")
    line.rstrip()
    return line


def _within(text: str, ink: Ink, width: int) -> Text:
    """A text; empty if it is wider than this."""
    text = text if ink.unicode else plain(text)
    return Text(text if len(text) <= width else "")
