"""The layout of pieces on one line; what formulas it makes is in `test_formula.py`."""

from __future__ import annotations

import unicodedata

import pytest

from grader.report.formula import (
    QUAD,
    SPACE,
    Piece,
    PieceKind,
    accented,
    as_one,
    fraction,
    joined_pieces,
    root,
    script,
    scripted,
)

A, B = Piece("a", PieceKind.FACTOR), Piece("b", PieceKind.FACTOR)
SIN, PLUS = Piece("sin", PieceKind.NAME), Piece("+", PieceKind.OPERATOR)
OPEN, CLOSE = Piece("(", PieceKind.OPEN), Piece(")", PieceKind.CLOSE)
SUM = [A, SPACE, PLUS, SPACE, B]


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([A, B], "ab"),
        ([A, SIN, B], "a sin b"),
        ([SIN, OPEN, SPACE, A, SPACE, CLOSE], "sin(a)"),
        ([Piece("W_Q", PieceKind.FACTOR), A], "W_Q a"),
        ([fraction([A], [B]), A], "(a/b)a"),
        ([SIN, fraction([A], [B])], "sin (a/b)"),
        ([A, QUAD, B, QUAD], "a ; b"),
        ([A, Piece(",", PieceKind.OPERATOR), QUAD, B], "a, b"),
    ],
)
def test_spaces_and_brackets_stand_where_they_are_needed(pieces: list[Piece], text: str) -> None:
    assert joined_pieces(pieces) == text


@pytest.mark.parametrize(
    ("pieces", "kind"),
    [
        ([OPEN, *SUM, CLOSE], PieceKind.FACTOR),
        ([SIN, OPEN, A, CLOSE], PieceKind.FACTOR),
        ([OPEN, A, CLOSE, OPEN, B, CLOSE], PieceKind.LOOSE),
        ([Piece("d", PieceKind.FACTOR), A], PieceKind.FACTOR),
        ([A, B], PieceKind.LOOSE),
        ([], PieceKind.LOOSE),
    ],
)
def test_only_what_is_enclosed_counts_as_one_factor(pieces: list[Piece], kind: PieceKind) -> None:
    assert as_one(pieces).kind is kind


def test_fractions_and_roots_bracket_sums() -> None:
    assert fraction(SUM, [A, B]).text == "(a + b)/(ab)"
    assert [root(inner, []).text for inner in ([A], SUM)] == ["√a", "√(a + b)"]
    assert scripted(as_one(SUM), "²").text == "(a + b)²"


@pytest.mark.parametrize(
    ("mark", "text", "shown"),
    [
        ("^", "n − 1", "ⁿ⁻¹"),
        ("^", "a/b", "^(a/b)"),
        ("^", "q", "^q"),
        ("^", "pq", "^(pq)"),
        ("_", "model", "_model"),
        ("_", "i,j", "_(i,j)"),
        ("_", "tᵢ", "_(tᵢ)"),
    ],
)
def test_a_script_without_characters_of_its_own_keeps_its_mark(mark: str, text: str, shown: str) -> None:
    assert script(mark, text) == shown


def test_an_accent_stands_over_letters_alone() -> None:
    assert unicodedata.normalize("NFD", accented("gᵢ₂", "\u0304")) == "g\u0304ᵢ₂"
