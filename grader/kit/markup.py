"""The markup of statements: the structure of Markdown, the formulas of LaTeX, diagrams as data."""

from __future__ import annotations

import ast
import functools
import re
import textwrap
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pylatexenc import latex2text, latexwalker
from pylatexenc.latexwalker import LatexMacroNode, LatexWalkerError
from pylatexenc.macrospec import LatexContextDb, std_environment, std_macro, std_specials

from grader.values.places import parsed_expression

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token


_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$(?!\$)", re.DOTALL)


@dataclass(frozen=True)
class Section:
    """What stands below a `##` heading. Lines count from 0: `start` is the heading's, `end` the one after its text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Fence:
    """A fenced block of code, with the line of its opening fence, counted from 1."""

    language: str
    line: int
    code: str


def sections(text: str) -> dict[str, Section]:
    """The `##` headings of a text in order, each with what stands below it."""
    tokens, lines = _parse(text), text.split("\n")
    headings = [
        (content.content, *token.map)
        for token, content in pairwise(tokens)
        if token.type == "heading_open" and token.tag == "h2" and token.level == 0 and token.map
    ]
    ends = [start for _, start, _ in headings[1:]] + [len(lines)]
    return {
        title: Section("\n".join(lines[below:end]).strip(), start, end)
        for (title, start, below), end in zip(headings, ends, strict=False)
    }


def fences(text: str) -> list[Fence]:
    """The fenced blocks of code, in order."""
    return [
        Fence(token.info.partition(" ")[0], token.map[0] + 1, token.content)
        for token in _parse(text)
        if token.type == "fence" and token.map
    ]


def numbered(text: str) -> list[str]:
    """The items of the numbered lists as Markdown: each on one line, unless it has more than one paragraph, such as code."""
    lines = text.split("\n")
    found: list[str] = []
    for token in _parse(text):
        if token.type == "list_item_open" and token.level == 1 and token.info and token.map:
            first, *rest = lines[slice(*token.map)]
            first = first.strip().removeprefix(token.info + token.markup).strip()
            rest = textwrap.dedent("\n".join(rest)).rstrip().split("\n")
            if "" in rest and len(rest) > 1:
                found.append("\n".join((first, *rest)))
            else:
                found.append(" ".join(line.strip() for line in (first, *rest)).strip())
    return found


def links(text: str) -> Iterator[tuple[int, str]]:
    """The target of each link and image, with its line, counted from 1."""
    for line, token in _in_lines(_parse(text)):
        if target := token.attrGet("href") or token.attrGet("src"):
            yield line, str(target)


def formulas(text: str) -> Iterator[tuple[int, str]]:
    """The LaTeX of each formula outside code, with the line where it begins, counted from 1."""
    parser = formula_parser()
    for line, token in _in_lines(parser.parse(text)):
        if token.markup.startswith("$"):
            yield line, token.content


def markdown_parser() -> MarkdownIt:
    """The parser of statements, in a terminal and on the page."""
    from markdown_it import MarkdownIt  # here, so that commands that read no Markdown do not wait for it

    with _FIRST:
        _prepare()
    return MarkdownIt().enable(["strikethrough", "table"])


_FIRST = threading.Lock()


@functools.cache
def _prepare() -> None:
    """Read a link of each sort once: the library fills tables at the first ones, and threads would read half a table."""
    from markdown_it import MarkdownIt

    MarkdownIt().parse("[a](b) <https://example.org>")


def formula_parser() -> MarkdownIt:
    """The parser of statements that keeps each formula as a token of its own, with its LaTeX (see `read_formulas`)."""
    found = markdown_parser().disable(["text_join", "fragments_join"])  # they put formulas into the text
    read_formulas(found, lambda tex: tex)
    return found


def read_formulas(parser: MarkdownIt, shown: Callable[[str], str]) -> None:
    """Have a parser read `$...$` and `$$...$$` outside code as formulas: tokens of text, whose markup is the dollar signs.

    Args:
        shown: the content of the token for the LaTeX of a formula.
    """

    def read(state: StateInline, silent: bool) -> bool:
        match = _FORMULA.match(state.src, state.pos)
        if match is None:
            return False
        if not silent:
            token = state.push("text", "", 0)
            token.content, token.markup = shown(match[1] or match[2]), "$$" if match[1] else "$"
            token.meta = {"lines": match[0].count("\n")}
        state.pos = match.end()
        return True

    parser.inline.ruler.after("escape", "formula", read)


def _in_lines(blocks: list[Token]) -> Iterator[tuple[int, Token]]:
    """The inline tokens, each with its line, counted from 1."""
    line = 0
    for block in blocks:
        line = block.map[0] + 1 if block.map else line
        for token in block.children or ():
            line += token.type in ("softbreak", "hardbreak")
            yield line, token
            line += token.meta.get("lines", 0)


def _parse(text: str) -> list[Token]:
    return markdown_parser().parse(text)


FRACTION_MACROS = ("frac", "dfrac", "tfrac", "cfrac")
MACRO_NAMES = ("mathrm", "operatorname", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "boldsymbol", "bm")
TEXT_MACROS = ("text", "textrm", "textit", "textbf", "texttt", "mbox")

ACCENT_MACROS = {
    **{"bar": "\u0304", "overline": "\u0304", "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303"},
    **{"widetilde": "\u0303", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308"},
}

SPACE_MACROS = (",", ";", ":", ">", " ", "~")
QUAD_MACROS = ("quad", "qquad", "\\")
INVISIBLE_MACROS = re.compile(r"left|right|middle|[bB]igg?[lrm]?|(display|text|script)style|(no)?limits|!")

MACRO_SIGNS = {
    **{"|": "‖", "prime": "′", "colon": ":", "epsilon": "ε", "phi": "φ", "bot": "⊥", "ne": "≠", "gets": "←"},
    **{"neg": "¬", "land": "∧", "lor": "∨", "implies": "⟹", "iff": "⟺", "bmod": "mod"},
}
"""Macros that the library does not know, or for which it has a rare character."""


def formula_nodes(tex: str) -> list[Any]:
    """The parsed formula, as nodes of pylatexenc.

    Raises:
        LatexWalkerError: for a syntax error, or a macro that takes another one without braces: `\\sqrt\\frac{a}{b}`.
    """
    found = latexwalker.LatexWalker(tex, latex_context=formula_grammar(), tolerant_parsing=False).get_latex_nodes()[0]
    _check_arguments(found)
    return found


def _check_arguments(found: Iterable[Any]) -> None:
    for node in found:
        given: Any = getattr(node, "nodeargd", None)
        if isinstance(node, LatexMacroNode) and given is None:
            spec: Any = formula_grammar().get_macro_spec(node.macroname)
            if spec.args_parser.argspec:
                raise LatexWalkerError(f"\\{node.macroname} and its arguments need braces around them")
        inside = [*(getattr(node, "nodelist", None) or ()), *((given.argnlist or ()) if given else ())]
        _check_arguments([node for node in inside if node is not None])


def fault_of_formula(tex: str) -> str:
    """Why a terminal shows a formula badly, and how it shows it. Empty if it shows the formula well."""
    try:
        formula_nodes(tex)
    except LatexWalkerError as error:
        said = str(error).strip().splitlines()[0]
        return f"{said.rstrip('. ')}, so it stays as it is written"
    unknown = [name for name in re.findall(r"\\([A-Za-z]+)", tex) if not is_known_macro(name)]
    return f"the macro \\{unknown[0]} is not known, so only its name is shown" if unknown else ""


def is_known_macro(name: str) -> bool:
    """Whether a macro is shown as more than its name."""
    spec: Any = formula_grammar().get_macro_spec(name)
    return (
        spec.macroname == name
        or name in (*MACRO_SIGNS, *SPACE_MACROS, *QUAD_MACROS, "begin", "end")
        or INVISIBLE_MACROS.fullmatch(name) is not None
        or macro_shown_as().get_macro_spec(name) is not None
    )


@cache
def formula_grammar() -> LatexContextDb:
    """Which macros and environments have arguments. Any other macro has none."""
    known = LatexContextDb()
    arguments = {
        **dict.fromkeys((*FRACTION_MACROS, "overset", "underset", "stackrel"), "{{"),
        **dict.fromkeys(MACRO_NAMES, "*{"),
        **dict.fromkeys((*TEXT_MACROS, *ACCENT_MACROS, "mathbb", "underbrace", "overbrace", "boxed"), "{"),
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
def macro_shown_as() -> LatexContextDb:
    """What the library shows macros as."""
    return latex2text.get_default_latex_context_db()


ARROW = "->"
FLOW, GRID = "flow", "grid"

DIAGRAM_KINDS = (FLOW, GRID)
"""The languages of fenced blocks that hold a diagram."""

FILLED, EMPTY = "#", "."
"""The cells of a grid that are a mark and no text."""

_ARRAY = re.compile(r"(.*\S)\s+(\([^()]*\))")


class DiagramError(ValueError):
    """The text of a diagram cannot be read. The message says why, and how to write it."""


@dataclass(frozen=True)
class Step:
    """An array with its shape, such as `(T, d)`, or an operation, which has no shape: `shape` is empty then."""

    text: str
    shape: str = ""


@dataclass(frozen=True)
class Flow:
    """Chains of arrays and of the operations between them. An array may be in several chains.

    The last step may be an operation that stands between the arrays of another chain: the arrow leads there.
    """

    chains: tuple[tuple[Step, ...], ...]

    @property
    def names(self) -> frozenset[str]:
        """The names in its shapes."""
        return frozenset[str]().union(*(names_of_shape(step.shape) or () for chain in self.chains for step in chain))


@dataclass(frozen=True)
class DiagramGrid:
    """A table of cells: text, `FILLED` or `EMPTY`. `head` is the heading of each column, with that of the rows first."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_diagram(kind: str, text: str) -> Flow | DiagramGrid:
    """A diagram from the text of its fenced block.

    Args:
        kind: `FLOW` or `GRID`.

    Raises:
        DiagramError: where the text is no such diagram.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise DiagramError("the diagram is empty")
    return _flow(lines) if kind == FLOW else _grid(lines)


def names_of_shape(text: str) -> frozenset[str] | None:
    """The names in a shape such as `(T, 2 * d)`; None if the text is no tuple."""
    try:
        tree = parsed_expression(text).body
    except SyntaxError:
        return None
    if not isinstance(tree, ast.Tuple):
        return None
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _flow(lines: list[str]) -> Flow:
    chains: list[tuple[Step, ...]] = []
    for line in lines:
        steps = [_step(piece.strip()) for piece in line.split(ARROW)]
        if len(steps) < 2 or not all(step.text for step in steps):
            raise DiagramError(
                f"{line!r}: put `{ARROW}` between arrays and operations, as in `x (T, d) {ARROW} sum {ARROW} y (T,)`"
            )
        if not steps[0].shape:
            raise DiagramError(f"{line!r}: begin with an array and its shape, as in `x (T, d)`")
        chains.append(tuple(steps))
    for line, chain in zip(lines, chains, strict=True):
        inside = [step for other in chains for step in other[:-1] if step == chain[-1]]
        if not chain[-1].shape and len(inside) != 1:
            raise DiagramError(
                f"{line!r}: end with an array and its shape, as in `y (T,)`, or with the name of an operation that stands "
                f"once between the arrays of another line ({chain[-1].text!r} stands {len(inside)} times)"
            )
    return Flow(tuple(chains))


def _step(piece: str) -> Step:
    found = _ARRAY.fullmatch(piece)
    if found and names_of_shape(found[2]) is not None:
        return Step(found[1], found[2])
    return Step(piece)


def _grid(lines: list[str]) -> DiagramGrid:
    head, *rows = [tuple(cell.strip() for cell in line.split("|")) for line in lines]
    if len(head) < 2 or not rows:
        raise DiagramError(
            "put `|` between its cells, the headings of the columns first, and a row on each line after them"
        )
    for line, row in zip(lines[1:], rows, strict=True):
        if len(row) != len(head):
            raise DiagramError(
                f"{line!r} has {len(row)} cells, and the first line has {len(head)}: give each row as many"
            )
    return DiagramGrid(head, tuple(rows))
