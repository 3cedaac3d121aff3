"""Formulas of LaTeX as MathML, which browsers set without a script, and screen readers read."""

from __future__ import annotations

import html
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element
from markupsafe import Markup

from grader.kit import latex

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_ELEMENTS = frozenset(
    (
        *("math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "msub", "msup", "msubsup", "mfrac", "msqrt"),
        *("mroot", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "mfenced"),
    )
)
_ATTRIBUTES = frozenset(
    (
        *(
            "display",
            "displaystyle",
            "scriptlevel",
            "stretchy",
            "fence",
            "form",
            "separator",
            "width",
            "height",
            "depth",
        ),
        *("accent", "accentunder", "linethickness", "mathvariant", "columnalign", "rowspacing", "columnspacing"),
        *("movablelimits", "minsize", "maxsize", "lspace", "rspace", "symmetric", "largeop", "notation", "voffset"),
    )
)
"""What may stand in a formula. A link or a style may not: it would be more than a formula."""


class Unconvertible(Exception):
    """A formula that is shown as it is written. The message says why."""


@lru_cache(maxsize=4096)
def mathml(tex: str, *, display: bool) -> Markup:
    r"""A formula as a `<math>` element.

    Args:
        tex: its LaTeX, without dollar signs.
        display: whether it stands on a line of its own.

    Raises:
        Unconvertible: it is no LaTeX, has a macro that is not known, or would be more than a formula.
    """
    if fault := latex.fault(tex):
        raise Unconvertible(fault)
    try:
        made = convert_to_element(tex, display="block" if display else "inline")
    except Exception as error:  # the library raises many kinds of its own
        raise Unconvertible(f"{type(error).__name__}: {error}") from error
    for element in made.iter():
        _check(element)
        if element.tag == "mrow":
            _join_letters(element)
        if element.tag == "mo" and element.text in (
            "|",
            "‖",
        ):  # a bracket, which a browser takes for a sign between two
            element.attrib |= {"lspace": "0.06em", "rspace": "0.06em"}
    made.attrib.pop("xmlns", None)  # HTML knows the element
    return Markup(ElementTree.tostring(made, encoding="unicode", short_empty_elements=False))


def _check(element: ElementTree.Element) -> None:
    """Check one element, and make its text plain: the library writes signs as character references."""
    if element.tag not in _ELEMENTS:
        raise Unconvertible(f"it would hold the element {element.tag!r}")
    for name in element.attrib:
        if name not in _ATTRIBUTES and (name, element.attrib[name]) != ("xmlns", _NAMESPACE):
            raise Unconvertible(f"it would hold the attribute {name!r}")
    element.text = html.unescape(element.text) if element.text else element.text
    if element.tag != "mtext" and element.text and "\\" in element.text:
        raise Unconvertible(f"the macro {element.text} is not known")


def _join_letters(row: ElementTree.Element) -> None:
    """Make one name of upright letters that stand in a row: `softmax` is one word, for setting and for reading aloud."""
    letters = list(row)
    if len(letters) > 1 and all(one.tag == "mi" and one.get("mathvariant") == "normal" for one in letters):
        name = ElementTree.Element("mi")
        name.text = "".join(html.unescape(one.text or "") for one in letters)
        row[:] = [name]
