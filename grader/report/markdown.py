"""A statement in a terminal: Markdown, with the common formulas in Unicode."""

from __future__ import annotations

import re

from rich.markdown import Markdown
from rich.syntax import Syntax

from grader.report.terminal import Terminal
from grader.report.text import plain

_FENCE = re.compile(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_INLINE = re.compile(r"(?<![\\$])\$([^$\n]+?)\$(?!\$)")

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
    """Print Markdown. Formulas are set in Unicode, or left as they are written where the terminal has none."""
    _print(terminal, Markdown(formulas(text) if terminal.unicode else text, code_theme="ansi_dark", hyperlinks=False))
    terminal.console.print()


def code(terminal: Terminal, text: str) -> None:
    """Print Python."""
    _print(terminal, Syntax(text, "python", theme="ansi_dark", background_color="default"))


def _print(terminal: Terminal, what: Markdown | Syntax) -> None:
    if terminal.unicode:
        terminal.console.print(what)
        return
    # Bullets and rules are the renderer's own, so what it has made is turned into ASCII.
    with terminal.console.capture() as made:
        terminal.console.print(what)
    terminal.console.out(plain(made.get()), end="", highlight=False)


def formulas(text: str) -> str:
    """Every `$...$` and `$$...$$` outside code as Unicode."""
    parts = _FENCE.split(text)
    for index in range(0, len(parts), 2):
        prose = _DISPLAY.sub(lambda match: "\n\n> " + _shield(formula(match[1])) + "\n\n", parts[index])
        parts[index] = _INLINE.sub(lambda match: _shield(formula(match[1])), prose)
    return "".join(parts)


def formula(tex: str) -> str:
    """One formula in a line of Unicode; what has no Unicode form stays readable."""
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
    """A super- or subscript where Unicode has all its characters, else in brackets."""
    raised = _unicode(f"{mark}{{{text}}}")
    readable = not any(sign in raised for sign in ("^", "_", "{", "}", "\\", ","))
    return raised if readable else f"{mark}({_unicode(text)})"


def _unicode(tex: str) -> str:
    import unicodeit  # here, so that answers are graded where it is missing

    return unicodeit.replace(tex)


def _shield(text: str) -> str:
    """Keep Markdown from reading marks in a formula."""
    return re.sub(r"([*_\[\]<>])", r"\\\1", text)
