"""Pieces of a formula on one line: where spaces and brackets go, and sub- and superscripts in Unicode."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum, auto
from functools import cache
from typing import NamedTuple


class Kind(Enum):
    """What a piece is. The kinds of neighbours decide on the spaces and brackets between them."""

    FACTOR = auto()  # x, 10, √(a + b)
    NAME = auto()  # sin, softmax, ∑: applies to what follows
    FRACTION = auto()
    LOOSE = auto()  # several factors or terms, not in brackets
    OPERATOR = auto()
    OPEN = auto()
    CLOSE = auto()
    TEXT = auto()
    SPACE = auto()
    QUAD = auto()  # a wide space, or a new line


class Piece(NamedTuple):
    text: str
    kind: Kind


SPACE = Piece(" ", Kind.SPACE)
QUAD = Piece("", Kind.QUAD)
_START, _END = Piece("", Kind.OPEN), Piece("", Kind.CLOSE)
_FACTORS = (Kind.FACTOR, Kind.NAME, Kind.FRACTION, Kind.LOOSE)


def joined(pieces: Sequence[Piece]) -> str:
    """The text of pieces. Spaces and brackets are added where the text would be read as another formula without them."""
    text, before = "", _START
    for at, piece in enumerate(pieces):
        after = next((one for one in pieces[at + 1 :] if one.kind is not Kind.SPACE), _END)
        if piece.kind is Kind.SPACE:
            text += "" if before.kind is Kind.OPEN or after.kind is Kind.CLOSE else " "
            continue
        if piece.kind is Kind.QUAD:
            separated = before.text in ("", *",;:") or Kind.TEXT in (before.kind, after.kind) or after is _END
            text += " " if separated else " ; "
        else:
            shown = (
                f"({piece.text})" if piece.kind is Kind.FRACTION and _ambiguous(before, piece, after) else piece.text
            )
            text += f" {shown}" if _apart(before, piece) else shown
        before = piece
    return " ".join(text.split())


def _ambiguous(before: Piece, fraction: Piece, after: Piece) -> bool:
    """Whether a fraction would be read as another one beside its neighbours, as 1/d x is read as 1/(d x)."""
    return (
        after.kind in (*_FACTORS, Kind.OPEN)
        or before.kind is Kind.NAME
        or (before.kind in (*_FACTORS, Kind.CLOSE) and fraction.text[0].isdecimal())
        or "/" in (before.text, after.text)
    )


def _apart(before: Piece, piece: Piece) -> bool:
    """Whether two pieces need a space between them: `a cos φ`, `W_Q x`; and not `sin(p)`, `2π`."""
    if before.kind is Kind.NAME:
        return piece.kind in _FACTORS
    if before.kind in (*_FACTORS, Kind.CLOSE):
        scripted = "_" in before.text or "^" in before.text
        return piece.kind in (Kind.NAME, Kind.FRACTION) or (scripted and piece.kind is Kind.FACTOR)
    return False


def as_one(pieces: Sequence[Piece]) -> Piece:
    """Several pieces as one. It is a factor if brackets enclose all of it, or if it is a differential such as dx."""
    core = [piece for piece in pieces if piece.kind is not Kind.SPACE]
    if len(core) == 1:
        return core[0]
    differential = len(core) == len(pieces) == 2 and core[0].text[:1] in ("d", "∂") and core[1].kind is Kind.FACTOR
    called = core[1:] if core and core[0].kind is Kind.NAME else core
    return Piece(joined(pieces), Kind.FACTOR if differential or _enclosed(called) else Kind.LOOSE)


def _enclosed(pieces: Sequence[Piece]) -> bool:
    """Whether the first piece is a bracket that the last one closes."""
    depth = 0
    for at, piece in enumerate(pieces):
        depth += (piece.kind is Kind.OPEN) - (piece.kind is Kind.CLOSE)
        if depth == 0:
            return at == len(pieces) - 1 > 0
    return False


def _bracketed(piece: Piece) -> str:
    return piece.text if piece.kind in (Kind.FACTOR, Kind.NAME) else f"({piece.text})"


def fraction(above: Sequence[Piece], below: Sequence[Piece]) -> Piece:
    """A fraction: `a/b`, `(a + b)/(c d)`, `2k/d`."""
    tight = all(piece.kind is Kind.FACTOR for piece in above)
    numerator = joined(above) if tight else _bracketed(as_one(above))
    return Piece(f"{numerator}/{_bracketed(as_one(below))}", Kind.FRACTION)


def root(inner: Sequence[Piece], degree: Sequence[Piece]) -> Piece:
    """A root: `√d`, `√(a + b)`, `³√x`. A square root has no pieces in its degree."""
    whole = as_one(inner)
    short = whole.kind is Kind.FACTOR and whole.text.isalnum()
    mark = script("^", joined(degree)) if degree else ""
    return Piece(f"{mark}√{whole.text}" if short else f"{mark}√({whole.text})", Kind.FACTOR)


def accented(text: str, mark: str) -> str:
    """The text with a combining mark over each letter; not over sub- and superscripts."""
    letters = (one + mark if unicodedata.category(one) in ("Lu", "Ll") else one for one in text)
    return unicodedata.normalize("NFC", "".join(letters))


def script(mark: str, text: str) -> str:
    """A superscript (`^`) or a subscript (`_`) in Unicode; `^(a/b)`, `_model` or `_Q` if Unicode lacks a character of it."""
    tight = re.sub(r" ?([=+−]) ?", r"\1", text)
    known = _scripts()[mark]
    if all(one in known for one in tight):
        return "".join(known[one] for one in tight)
    word = mark == "_" and text.isascii() and text.isalnum()
    return f"{mark}{text}" if word or len(text) == 1 else f"{mark}({text})"


@cache
def _scripts() -> dict[str, dict[str, str]]:
    """By mark: the characters that Unicode has in this place, by the plain ones."""
    found: dict[str, dict[str, str]] = {"<super>": {"⊤": "ᵀ", "′": "′"}, "<sub>": {}}
    for code in range(0x3000):
        form, _, plain = unicodedata.decomposition(chr(code)).partition(" ")
        if form in found and " " not in plain:
            found[form][chr(int(plain, 16))] = chr(code)
    return {"^": found["<super>"], "_": found["<sub>"]}


def scripted(base: Piece, mark: str) -> Piece:
    """A piece with a script, a prime or a factorial after it; in brackets if it is not one factor or name."""
    if base.kind in (Kind.LOOSE, Kind.FRACTION):
        return Piece(f"({base.text}){mark}", Kind.FACTOR)
    return Piece(base.text + mark, base.kind)
