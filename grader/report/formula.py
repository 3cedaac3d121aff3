"""A formula of LaTeX as one line of Unicode: parsed by pylatexenc, set on the line by `one_line`."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterable
from typing import Any

from pylatexenc import latex2text
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexSpecialsNode,
    LatexWalkerError,
)

from grader.kit import latex
from grader.report.one_line import QUAD, SPACE, Kind, Piece, accented, as_one, fraction, joined, root, script, scripted

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
        return joined(_pieces(latex.nodes(tex)))
    except LatexWalkerError:
        return tex


def _pieces(nodes: Iterable[Any]) -> list[Piece]:
    """The pieces of a list of nodes, in order. A script takes the next node, or the next character."""
    left: deque[Any] = deque()
    for node in nodes:
        left.extend(node.chars if isinstance(node, LatexCharsNode) else [node])
    pieces: list[Piece] = []
    while left:
        one = left.popleft()
        if isinstance(one, str):
            while one[-1].isdecimal() and _starts(left, r"[\d.]"):
                one += left.popleft()
            if one in ("'", "!"):
                _attach(pieces, "′" if one == "'" else one)
            else:
                pieces.append(_of_sign(one))
        elif isinstance(one, LatexSpecialsNode) and one.specials_chars in ("^", "_"):
            while _starts(left, " "):
                left.popleft()
            raised = left.popleft() if left else ""
            _attach(pieces, script(one.specials_chars, joined(_of_argument(raised))))
            pieces += _space_after(raised)
        elif isinstance(one, LatexMacroNode):
            if one.macroname in ("left", "right") and _starts(left, r"\."):
                left.popleft()
            added = _of_macro(one)
            spaced = _space_after(one) if added and added[-1].text not in ("∂", "∇", "Δ") else []
            before = spaced if added and added[-1].kind is Kind.OPERATOR else []
            pieces += [*before, *added, *spaced]
        elif isinstance(one, LatexGroupNode):
            pieces.append(as_one(_pieces(one.nodelist)))
        elif isinstance(one, LatexEnvironmentNode):
            pieces.append(_of_environment(one))
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
    while pieces and pieces[-1].kind is Kind.SPACE:
        pieces.pop()
    pieces.append(scripted(pieces.pop() if pieces else Piece("", Kind.FACTOR), mark))


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
        return Piece(sign, Kind.NAME)
    if sign[0].isalnum() or sign in _VALUES:
        return Piece(sign, Kind.FACTOR)
    brackets = {"Ps": Kind.OPEN, "Pe": Kind.CLOSE}
    return Piece("−" if sign == "-" else sign, brackets.get(unicodedata.category(sign), Kind.OPERATOR))


def _of_macro(node: Any) -> list[Piece]:
    """The pieces of a macro with its arguments."""
    name: str = node.macroname
    given = [one for one in (node.nodeargd.argnlist if node.nodeargd else []) if one is not None]
    arguments = [_of_argument(one) for one in given]
    if name in latex.FRACTIONS:
        return [fraction(*arguments)]
    if name == "sqrt":
        return [root(arguments[-1], arguments[0] if arguments[1:] else [])]
    if name in latex.ACCENTS:
        return [Piece(accented(joined(arguments[0]), latex.ACCENTS[name]), Kind.FACTOR)]
    if name in latex.NAMES:  # the last argument: a star may stand before it
        return [Piece(joined(arguments[-1]), Kind.NAME if len(arguments[-1]) > 1 else as_one(arguments[-1]).kind)]
    if name in latex.TEXTS:
        return [Piece(_words(given[0]), Kind.TEXT)]
    if name in latex.QUADS:
        return [QUAD]
    if name in latex.SPACES:
        return [SPACE]
    if latex.INVISIBLE.fullmatch(name):
        return []
    if name == "mathbb":
        return [Piece(latex2text.fmt_math_text_style(joined(arguments[0]), "doublestruck"), Kind.FACTOR)]
    if arguments:
        return [as_one([piece for argument in arguments for piece in argument])]
    text = _sign(name)
    if text in ("‖", "|") and name[0] in "lr":
        return [Piece(text, Kind.OPEN if name[0] == "l" else Kind.CLOSE)]
    return [_of_sign(text) if len(text) == 1 else Piece(text, Kind.NAME)]


def _words(node: Any) -> str:
    """The text of an argument, with its spaces and hyphens as they are written."""
    if isinstance(node, LatexCharsNode):
        return node.chars
    return "".join(map(_words, node.nodelist)) if isinstance(node, LatexGroupNode) else joined(_pieces([node]))


def _sign(name: str) -> str:
    """What a macro without arguments is shown as: a character, a few letters such as `sin`, or else its name."""
    known: Any = latex.shown_as().get_macro_spec(name)
    shown = known.simplify_repl if known else ""
    return latex.SIGNS.get(name) or (shown if isinstance(shown, str) and "%" not in shown else "") or name


def _of_environment(node: Any) -> Piece:
    """The rows of an environment with ` ; ` between them; of a matrix or cases in brackets: `[a, b ; c, d]`."""
    rows: list[list[list[Any]]] = [[[]]]
    for one in node.nodelist:
        if isinstance(one, LatexMacroNode) and one.macroname == "\\":
            rows.append([[]])
        elif isinstance(one, LatexSpecialsNode) and one.specials_chars == "&":
            rows[-1].append([])
        else:
            rows[-1][-1].append(one)
    brackets = _MATRICES.get(node.environmentname)
    cells = [[joined(_pieces(cell)).rstrip(", ") for cell in row] for row in rows]
    lines = [(", " if brackets else " ").join(filter(None, row)) for row in cells]
    left, right = brackets or ("", "")
    return Piece(left + " ; ".join(filter(None, lines)) + right, Kind.FACTOR if left else Kind.LOOSE)
