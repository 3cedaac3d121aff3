"""A formula of LaTeX as one line of Unicode: parsed by pylatexenc, and set with spaces, brackets and scripts."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from functools import cache
from typing import Any, NamedTuple

from pylatexenc import latex2text
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexSpecialsNode,
    LatexWalkerError,
)

from grader.kit import markup


class PieceKind(Enum):
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
    kind: PieceKind


SPACE = Piece(" ", PieceKind.SPACE)
QUAD = Piece("", PieceKind.QUAD)
_START, _END = Piece("", PieceKind.OPEN), Piece("", PieceKind.CLOSE)
_FACTORS = (PieceKind.FACTOR, PieceKind.NAME, PieceKind.FRACTION, PieceKind.LOOSE)


def joined_pieces(pieces: Sequence[Piece]) -> str:
    """The text of pieces. Spaces and brackets are added where the text would be read as another formula without them."""
    text, before = "", _START
    for at, piece in enumerate(pieces):
        after = next((piece for piece in pieces[at + 1 :] if piece.kind is not PieceKind.SPACE), _END)
        if piece.kind is PieceKind.SPACE:
            text += "" if before.kind is PieceKind.OPEN or after.kind is PieceKind.CLOSE else " "
            continue
        if piece.kind is PieceKind.QUAD:
            separated = before.text in ("", *",;:") or PieceKind.TEXT in (before.kind, after.kind) or after is _END
            text += " " if separated else " ; "
        else:
            shown = (
                f"({piece.text})"
                if piece.kind is PieceKind.FRACTION and _ambiguous(before, piece, after)
                else piece.text
            )
            text += f" {shown}" if _apart(before, piece) else shown
        before = piece
    return " ".join(text.split())


def _ambiguous(before: Piece, fraction: Piece, after: Piece) -> bool:
    """Whether a fraction would be read as another one beside its neighbours, as 1/d x is read as 1/(d x)."""
    return (
        after.kind in (*_FACTORS, PieceKind.OPEN)
        or before.kind is PieceKind.NAME
        or (before.kind in (*_FACTORS, PieceKind.CLOSE) and fraction.text[0].isdecimal())
        or "/" in (before.text, after.text)
    )


def _apart(before: Piece, piece: Piece) -> bool:
    """Whether two pieces need a space between them: `a cos φ`, `W_Q x`; and not `sin(p)`, `2π`."""
    if before.kind is PieceKind.NAME:
        return piece.kind in _FACTORS
    if before.kind in (*_FACTORS, PieceKind.CLOSE):
        scripted = "_" in before.text or "^" in before.text
        return piece.kind in (PieceKind.NAME, PieceKind.FRACTION) or (scripted and piece.kind is PieceKind.FACTOR)
    return False


def as_one(pieces: Sequence[Piece]) -> Piece:
    """Several pieces as one. It is a factor if brackets enclose all of it, or if it is a differential such as dx."""
    core = [piece for piece in pieces if piece.kind is not PieceKind.SPACE]
    if len(core) == 1:
        return core[0]
    differential = len(core) == len(pieces) == 2 and core[0].text[:1] in ("d", "∂") and core[1].kind is PieceKind.FACTOR
    called = core[1:] if core and core[0].kind is PieceKind.NAME else core
    return Piece(joined_pieces(pieces), PieceKind.FACTOR if differential or _enclosed(called) else PieceKind.LOOSE)


def _enclosed(pieces: Sequence[Piece]) -> bool:
    """Whether the first piece is a bracket that the last one closes."""
    depth = 0
    for at, piece in enumerate(pieces):
        depth += (piece.kind is PieceKind.OPEN) - (piece.kind is PieceKind.CLOSE)
        if depth == 0:
            return at == len(pieces) - 1 > 0
    return False


def _bracketed(piece: Piece) -> str:
    return piece.text if piece.kind in (PieceKind.FACTOR, PieceKind.NAME) else f"({piece.text})"


def fraction(above: Sequence[Piece], below: Sequence[Piece]) -> Piece:
    """A fraction: `a/b`, `(a + b)/(c d)`, `2k/d`."""
    tight = all(piece.kind is PieceKind.FACTOR for piece in above)
    numerator = joined_pieces(above) if tight else _bracketed(as_one(above))
    return Piece(f"{numerator}/{_bracketed(as_one(below))}", PieceKind.FRACTION)


def root(inner: Sequence[Piece], degree: Sequence[Piece]) -> Piece:
    """A root: `√d`, `√(a + b)`, `³√x`. A square root has no pieces in its degree."""
    whole = as_one(inner)
    short = whole.kind is PieceKind.FACTOR and whole.text.isalnum()
    mark = script("^", joined_pieces(degree)) if degree else ""
    return Piece(f"{mark}√{whole.text}" if short else f"{mark}√({whole.text})", PieceKind.FACTOR)


def accented(text: str, mark: str) -> str:
    """The text with a combining mark over each letter; not over sub- and superscripts."""
    letters = (character + mark if unicodedata.category(character) in ("Lu", "Ll") else character for character in text)
    return unicodedata.normalize("NFC", "".join(letters))


def script(mark: str, text: str) -> str:
    """A superscript (`^`) or a subscript (`_`) in Unicode; `^(a/b)`, `_model` or `_Q` if Unicode lacks a character of it."""
    tight = re.sub(r" ?([=+−]) ?", r"\1", text)
    known = _scripts()[mark]
    if all(character in known for character in tight):
        return "".join(known[character] for character in tight)
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
    if base.kind in (PieceKind.LOOSE, PieceKind.FRACTION):
        return Piece(f"({base.text}){mark}", PieceKind.FACTOR)
    return Piece(base.text + mark, base.kind)


_BIG = "∑∏∐∫∬∭∮"

_VALUES = "∞∇∂∅⊤⊥…⋯.|‖%"
"""Signs that are read as a factor, not as an operator."""

_MATRICES = {
    **{"pmatrix": "()", "bmatrix": "[]", "Bmatrix": "{}", "vmatrix": "||", "Vmatrix": "‖‖", "cases": "{}"},
    **{"matrix": "[]", "smallmatrix": "[]", "array": ("", "")},
}
"""The brackets of each environment whose columns are set apart."""


def formula(tex: str) -> str:
    r"""One formula as a line of Unicode: `\frac{a + b}{c_i}` becomes `(a + b)/cᵢ`.

    An unknown macro is shown as its name. A formula with a syntax error stays as it is written.
    """
    tex = " ".join(tex.split())
    try:
        return joined_pieces(_pieces(markup.formula_nodes(tex)))
    except LatexWalkerError:
        return tex


def _pieces(nodes: Iterable[Any]) -> list[Piece]:
    """The pieces of a list of nodes, in order. A script takes the next node, or the next character."""
    left: deque[Any] = deque()
    for node in nodes:
        left.extend(node.chars if isinstance(node, LatexCharsNode) else [node])
    pieces: list[Piece] = []
    while left:
        item = left.popleft()
        if isinstance(item, str):
            while item[-1].isdecimal() and _starts(left, r"[\d.]"):
                item += left.popleft()
            if item in ("'", "!"):
                _attach(pieces, "′" if item == "'" else item)
            else:
                pieces.append(_of_sign(item))
        elif isinstance(item, LatexSpecialsNode) and item.specials_chars in ("^", "_"):
            while _starts(left, " "):
                left.popleft()
            raised = left.popleft() if left else ""
            _attach(pieces, script(item.specials_chars, joined_pieces(_of_argument(raised))))
            pieces += _space_after(raised)
        elif isinstance(item, LatexMacroNode):
            if item.macroname in ("left", "right") and _starts(left, r"\."):
                left.popleft()
            added = _of_macro(item)
            spaced = _space_after(item) if added and added[-1].text not in ("∂", "∇", "Δ") else []
            before = spaced if added and added[-1].kind is PieceKind.OPERATOR else []
            pieces += [*before, *added, *spaced]
        elif isinstance(item, LatexGroupNode):
            pieces.append(as_one(_pieces(item.nodelist)))
        elif isinstance(item, LatexEnvironmentNode):
            pieces.append(_of_environment(item))
        else:  # `~`, and `&` outside an environment
            pieces.append(SPACE)
    return pieces


def _starts(left: deque[Any], pattern: str) -> bool:
    """Whether the next one is a character that matches a pattern."""
    return bool(left) and isinstance(left[0], str) and re.match(pattern, left[0]) is not None


def _space_after(node: Any) -> list[Piece]:
    return [SPACE] if isinstance(node, LatexMacroNode) and node.macro_post_space else []


def _attach(pieces: list[Piece], mark: str) -> None:
    """Put a script, a prime or a factorial after the last piece."""
    while pieces and pieces[-1].kind is PieceKind.SPACE:
        pieces.pop()
    pieces.append(scripted(pieces.pop() if pieces else Piece("", PieceKind.FACTOR), mark))


def _of_argument(node: Any) -> list[Piece]:
    """The pieces of an argument: a group without its braces, a node, or one character."""
    if isinstance(node, str):
        return [_of_sign(node)] if node else []
    return _pieces(node.nodelist if isinstance(node, LatexGroupNode) else [node])


def _of_sign(sign: str) -> Piece:
    """The piece of a number or of one character."""
    if sign.isspace():
        return SPACE
    if sign in _BIG:
        return Piece(sign, PieceKind.NAME)
    if sign[0].isalnum() or sign in _VALUES:
        return Piece(sign, PieceKind.FACTOR)
    brackets = {"Ps": PieceKind.OPEN, "Pe": PieceKind.CLOSE}
    return Piece("−" if sign == "-" else sign, brackets.get(unicodedata.category(sign), PieceKind.OPERATOR))


def _of_macro(node: Any) -> list[Piece]:
    """The pieces of a macro with its arguments."""
    name: str = node.macroname
    given = [argument for argument in (node.nodeargd.argnlist if node.nodeargd else []) if argument is not None]
    arguments = [_of_argument(argument) for argument in given]
    if name in markup.FRACTION_MACROS:
        return [fraction(*arguments)]
    if name == "sqrt":
        return [root(arguments[-1], arguments[0] if arguments[1:] else [])]
    if name in markup.ACCENT_MACROS:
        return [Piece(accented(joined_pieces(arguments[0]), markup.ACCENT_MACROS[name]), PieceKind.FACTOR)]
    if name in markup.MACRO_NAMES:  # the last argument: a star may stand before it
        return [
            Piece(
                joined_pieces(arguments[-1]), PieceKind.NAME if len(arguments[-1]) > 1 else as_one(arguments[-1]).kind
            )
        ]
    if name in markup.TEXT_MACROS:
        return [Piece(_words(given[0]), PieceKind.TEXT)]
    if name in markup.QUAD_MACROS:
        return [QUAD]
    if name in markup.SPACE_MACROS:
        return [SPACE]
    if markup.INVISIBLE_MACROS.fullmatch(name):
        return []
    if name == "mathbb":
        return [Piece(latex2text.fmt_math_text_style(joined_pieces(arguments[0]), "doublestruck"), PieceKind.FACTOR)]
    if arguments:
        return [as_one([piece for argument in arguments for piece in argument])]
    text = _sign(name)
    if text in ("‖", "|") and name[0] in "lr":
        return [Piece(text, PieceKind.OPEN if name[0] == "l" else PieceKind.CLOSE)]
    return [_of_sign(text) if len(text) == 1 else Piece(text, PieceKind.NAME)]


def _words(node: Any) -> str:
    """The text of an argument, with its spaces and hyphens as they are written."""
    if isinstance(node, LatexCharsNode):
        return node.chars
    return "".join(map(_words, node.nodelist)) if isinstance(node, LatexGroupNode) else joined_pieces(_pieces([node]))


def _sign(name: str) -> str:
    """What a macro without arguments is shown as: a character, a few letters such as `sin`, or else its name."""
    known: Any = markup.macro_shown_as().get_macro_spec(name)
    shown = known.simplify_repl if known else ""
    return markup.MACRO_SIGNS.get(name) or (shown if isinstance(shown, str) and "%" not in shown else "") or name


def _of_environment(node: Any) -> Piece:
    """The rows of an environment with ` ; ` between them; of a matrix or cases in brackets: `[a, b ; c, d]`."""
    rows: list[list[list[Any]]] = [[[]]]
    for inner in node.nodelist:
        if isinstance(inner, LatexMacroNode) and inner.macroname == "\\":
            rows.append([[]])
        elif isinstance(inner, LatexSpecialsNode) and inner.specials_chars == "&":
            rows[-1].append([])
        else:
            rows[-1][-1].append(inner)
    brackets = _MATRICES.get(node.environmentname)
    cells = [[joined_pieces(_pieces(cell)).rstrip(", ") for cell in row] for row in rows]
    lines = [(", " if brackets else " ").join(filter(None, row)) for row in cells]
    left, right = brackets or ("", "")
    return Piece(left + " ; ".join(filter(None, lines)) + right, PieceKind.FACTOR if left else PieceKind.LOOSE)
