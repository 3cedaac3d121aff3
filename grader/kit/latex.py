"""The formulas of LaTeX that statements may hold: their grammar, the macros that are known, and what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from pylatexenc import latex2text, latexwalker
from pylatexenc.latexwalker import LatexMacroNode, LatexWalkerError
from pylatexenc.macrospec import LatexContextDb, std_environment, std_macro, std_specials

FRACTIONS = ("frac", "dfrac", "tfrac", "cfrac")
NAMES = ("mathrm", "operatorname", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "boldsymbol", "bm")
TEXTS = ("text", "textrm", "textit", "textbf", "texttt", "mbox")
ACCENTS = {
    **{"bar": "\u0304", "overline": "\u0304", "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303"},
    **{"widetilde": "\u0303", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308"},
}
SPACES = (",", ";", ":", ">", " ", "~")
QUADS = ("quad", "qquad", "\\")
INVISIBLE = re.compile(r"left|right|middle|[bB]igg?[lrm]?|(display|text|script)style|(no)?limits|!")
SIGNS = {
    **{"|": "‖", "prime": "′", "colon": ":", "epsilon": "ε", "phi": "φ", "bot": "⊥", "ne": "≠", "gets": "←"},
    **{"neg": "¬", "land": "∧", "lor": "∨", "implies": "⟹", "iff": "⟺", "bmod": "mod"},
}
"""Macros that the library does not know, or for which it has a rare character."""


def nodes(tex: str) -> list[Any]:
    """The parsed formula, as nodes of pylatexenc.

    Raises:
        LatexWalkerError: for a syntax error, or a macro that takes another one without braces: `\\sqrt\\frac{a}{b}`.
    """
    found = latexwalker.LatexWalker(tex, latex_context=grammar(), tolerant_parsing=False).get_latex_nodes()[0]
    _check_arguments(found)
    return found


def _check_arguments(found: Iterable[Any]) -> None:
    for node in found:
        given: Any = getattr(node, "nodeargd", None)
        if isinstance(node, LatexMacroNode) and given is None:
            spec: Any = grammar().get_macro_spec(node.macroname)
            if spec.args_parser.argspec:
                raise LatexWalkerError(f"\\{node.macroname} and its arguments need braces around them")
        inside = [*(getattr(node, "nodelist", None) or ()), *((given.argnlist or ()) if given else ())]
        _check_arguments([one for one in inside if one is not None])


def fault(tex: str) -> str:
    """Why a terminal shows a formula badly, and how it shows it. Empty if it shows the formula well."""
    try:
        nodes(tex)
    except LatexWalkerError as error:
        said = str(error).strip().splitlines()[0]
        return f"{said.rstrip('. ')}, so it stays as it is written"
    unknown = [name for name in re.findall(r"\\([A-Za-z]+)", tex) if not is_known(name)]
    return f"the macro \\{unknown[0]} is not known, so only its name is shown" if unknown else ""


def is_known(name: str) -> bool:
    """Whether a macro is shown as more than its name."""
    spec: Any = grammar().get_macro_spec(name)
    return (
        spec.macroname == name
        or name in (*SIGNS, *SPACES, *QUADS, "begin", "end")
        or INVISIBLE.fullmatch(name) is not None
        or shown_as().get_macro_spec(name) is not None
    )


@cache
def grammar() -> LatexContextDb:
    """Which macros and environments have arguments. Any other macro has none."""
    known = LatexContextDb()
    arguments = {
        **dict.fromkeys((*FRACTIONS, "overset", "underset", "stackrel"), "{{"),
        **dict.fromkeys(NAMES, "*{"),
        **dict.fromkeys((*TEXTS, *ACCENTS, "mathbb", "underbrace", "overbrace", "boxed"), "{"),
        **{"sqrt": "[{", "\\": "*["},
    }
    known.add_context_category(
        "formula",
        macros=[std_macro(name, form) for name, form in arguments.items()],
        environments=[std_environment("array", "[{")],
        specials=[std_specials(sign) for sign in "^_~&"],
    )
    known.set_unknown_macro_spec(std_macro("", ""))
    known.set_unknown_environment_spec(std_environment("", ""))
    return known


@cache
def shown_as() -> LatexContextDb:
    """What the library shows macros as."""
    return latex2text.get_default_latex_context_db()
