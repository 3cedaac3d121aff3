"""Markdown in a terminal, with common formulas in Unicode."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from rich.markdown import Markdown
from rich.syntax import Syntax

from grader.report.terminal import Terminal
from grader.report.text import plain

_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$(?!\$)", re.DOTALL)

_WORDS = (
    (r"\\(?:mathrm|text|operatorname|mathbf|mathit)\{([^{}]*)\}", r"\1"),
    (r"\\(sin|cos|tan|exp|log|ln|max|min|arg)\b\s*", r"\1 "),
    (r"\\(?:left|right|big|Big|,|;|!)(?![a-z])", ""),
    (r"\\q?quad", "   "),
    (r"\\(?:dots|ldots|cdots)\b", "..."),
    (r"\\begin\{[a-z]*matrix\}", "["),
    (r"\\end\{[a-z]*matrix\}", "]"),
    (r"\s*\\\\\s*", " ; "),
    (r"\s*&\s*", "  "),
    (r"\\([{}])", r"\1"),
)


def render(terminal: Terminal, text: str) -> None:
    """Print Markdown. Formulas become Unicode; a terminal without Unicode shows them as they are written."""
    page = Markdown("", code_theme="ansi_dark", hyperlinks=False)
    page.parsed = _parser(formulas=terminal.unicode).parse(text)
    _print(terminal, page)
    terminal.console.print()


def code(terminal: Terminal, text: str) -> None:
    """Print Python."""
    _print(terminal, Syntax(text, "python", theme="ansi_dark", background_color="default"))


def _print(terminal: Terminal, what: Markdown | Syntax) -> None:
    if terminal.unicode:
        terminal.console.print(what)
        return
    # The renderer draws bullets and rules of its own, so its output is converted, not the text.
    with terminal.console.capture() as made:
        terminal.console.print(what)
    terminal.console.out(plain(made.get()), end="", highlight=False)


def _parser(*, formulas: bool) -> MarkdownIt:
    """What reads Markdown as rich does and, if `formulas` is set, `$...$` and `$$...$$` outside code as formulas."""
    parser = MarkdownIt().enable(["strikethrough", "table"])
    if formulas:
        parser.inline.ruler.after("escape", "formula", _read_formula)
        parser.core.ruler.after("inline", "display", _quote_displayed)
    return parser


def _read_formula(state: StateInline, silent: bool) -> bool:
    match = _FORMULA.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        token = state.push("text", "", 0)
        token.content, token.markup = formula(match[1] or match[2]), "$$" if match[1] else "$"
    state.pos = match.end()
    return True


def _quote_displayed(state: StateCore) -> None:
    """Make a block quote of each paragraph that is one `$$...$$`."""
    displayed = [
        at for at, token in enumerate(state.tokens) if [child.markup for child in token.children or ()] == ["$$"]
    ]
    for at in reversed(displayed):
        state.tokens.insert(at + 2, Token("blockquote_close", "blockquote", -1))
        state.tokens.insert(at - 1, Token("blockquote_open", "blockquote", 1))


def formula(tex: str) -> str:
    """One formula as a line of Unicode. What has no Unicode form stays as TeX, without its braces."""
    text = " ".join(tex.split())
    for _ in range(3):  # fractions and roots may be nested
        text = re.sub(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", _fraction, text)
        text = re.sub(r"\\sqrt\{([^{}]*)\}", lambda m: f"√{_grouped(m[1])}", text)
    for pattern, replacement in _WORDS:
        text = re.sub(pattern, replacement, text)
    scripts: list[str] = []

    def set_aside(match: re.Match[str]) -> str:
        scripts.append(_script(match[1], match[2]))
        return f"\x00{len(scripts) - 1}\x00"

    text = re.sub(r"([\^_])\{([^{}]*)\}", set_aside, text)
    text = _unicode(text)
    text = re.sub(r"\x00(\d+)\x00", lambda match: scripts[int(match[1])], text)
    return " ".join(text.replace("{", "").replace("}", "").split())


def _fraction(match: re.Match[str]) -> str:
    return f"{_grouped(match[1])}/{_grouped(match[2])}"


def _grouped(text: str) -> str:
    return text if re.fullmatch(r"\\?[\w.]+", text.strip()) else f"({text})"


def _script(mark: str, text: str) -> str:
    """A super- or subscript; in brackets, as in x^(a,b), if Unicode lacks one of its characters."""
    raised = _unicode(f"{mark}{{{text}}}")
    readable = not any(sign in raised for sign in ("^", "_", "{", "}", "\\", ","))
    return raised if readable else f"{mark}({_unicode(text)})"


def _unicode(tex: str) -> str:
    import unicodeit  # here, so that grading works without it

    return unicodeit.replace(tex)
