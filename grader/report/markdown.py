"""Markdown and code in a terminal. Formulas are shown in Unicode, and code is never cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.containers import Renderables
from rich.markdown import BlockQuote, CodeBlock, ListItem, Markdown, MarkdownElement
from rich.segment import Segment
from rich.style import Style
from rich.syntax import Syntax
from rich.text import Text

from grader.kit import markup
from grader.kit.markup import markdown_parser, read_formulas
from grader.kit.text import plain
from grader.report.terminal import Terminal

_THEME = "ansi_dark"


class _Code(CodeBlock):
    """A code block that is neither wrapped nor padded, so that a learner can copy it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        drawn = _drawn(self.lexer_name, str(self.text), options.max_width)
        yield drawn or _highlighted(str(self.text), self.lexer_name)


class _Quote(BlockQuote):
    """A block quote that does not cut the code in it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from _beside("▌ ", "▌ ", self.style, self.elements, console, options)


class _Item(ListItem):
    """An item of a list that does not cut the code in it."""

    def render_bullet(self, console: Console, options: ConsoleOptions) -> RenderResult:
        style = console.get_style("markdown.item.bullet")
        yield from _beside(" • ", "   ", style, self.elements, console, options)

    def render_number(self, console: Console, options: ConsoleOptions, number: int, last_number: int) -> RenderResult:
        width = len(str(last_number)) + 2
        style, mark = console.get_style("markdown.item.number"), f"{number} ".rjust(width)
        yield from _beside(mark, " " * width, style, self.elements, console, options)


class _Page(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        **{"fence": _Code, "code_block": _Code, "blockquote_open": _Quote, "list_item_open": _Item},
    }


def _beside(
    first: str, rest: str, style: Style, content: Renderables, console: Console, options: ConsoleOptions
) -> RenderResult:
    """The lines of the content, each with a mark before it. Text is wrapped to the width, code is not."""
    inner = console.render(content, options.update(width=options.max_width - len(rest)))
    for index, line in enumerate(Segment.split_lines(inner)):
        yield Segment(rest if index else first, style)
        yield from line
        yield Segment.line()


def _highlighted(text: str, language: str) -> Text:
    """Code in colour, each line whole."""
    shown = Syntax("", language, theme=_THEME, background_color="default").highlight(text.rstrip())
    shown.no_wrap, shown.overflow = True, "ignore"
    shown.rstrip()
    return shown


def _drawn(kind: str, text: str, width: int) -> Text | None:
    """A diagram of a statement as lines of text; None if this is none."""
    if kind not in markup.DIAGRAM_KINDS:
        return None
    try:
        read = markup.read_diagram(kind, text)
    except markup.DiagramError:
        return None
    lines = _flow(read, width) if isinstance(read, markup.Flow) else _grid(read)
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def _flow(flow: markup.Flow, width: int) -> Iterator[Text]:
    """A line for each chain. One that is too long goes on below, after an arrow."""
    for chain in flow.chains:
        line = Text()
        for step in chain:
            shown = Text(f"{step.text} {step.shape}".strip(), "bold" if step.shape else "")
            if line and line.cell_len + len(" → ") + shown.cell_len > width - len(" →"):
                yield line + Text(" →", "cyan")
                line = Text("    ") + shown
            else:
                line = line + Text(" → ", "cyan") + shown if line else shown
        yield line


def _grid(grid: markup.DiagramGrid) -> Iterator[Text]:
    marks = {markup.FILLED: "■", markup.EMPTY: "·"}
    table = [grid.head, *((row[0], *(marks.get(cell, cell) for cell in row[1:])) for row in grid.rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for number, (first, *cells) in enumerate(table):
        line = Text(f"{first:<{widths[0]}}", "bold")
        line.append(
            "".join(f"  {cell:>{wide}}" for cell, wide in zip(cells, widths[1:], strict=True)), "" if number else "bold"
        )
        yield line


def render(terminal: Terminal, text: str) -> None:
    """Print Markdown. Formulas become Unicode; a terminal without Unicode shows them as they are written."""
    page = _Page("", code_theme=_THEME, hyperlinks=False)
    page.parsed = _parser(formulas=terminal.unicode).parse(text)
    _print(terminal, page)
    terminal.console.print()


def code(terminal: Terminal, text: str) -> None:
    """Print Python, each line whole."""
    _print(terminal, Group(_highlighted(text, "python")))  # a bare Text would lose that it is not wrapped


def _print(terminal: Terminal, what: Markdown | Group) -> None:
    if terminal.unicode:
        terminal.console.print(what, crop=False)
        return
    # The renderer draws bullets and rules of its own, so its output is converted, not the text.
    with terminal.console.capture() as made:
        terminal.console.print(what, crop=False)
    terminal.console.out(plain(made.get()), end="", highlight=False)


def _parser(*, formulas: bool) -> MarkdownIt:
    """A parser that reads Markdown as rich does. If `formulas` is set, `$...$` and `$$...$$` outside code are formulas."""
    made = markdown_parser()
    if formulas:
        read_formulas(made, _on_one_line)
        made.core.ruler.after("inline", "display", _quote_displayed)
    return made


def _on_one_line(tex: str) -> str:
    from grader.report.formula import formula  # here, so that grading works without pylatexenc

    return formula(tex)


def _quote_displayed(state: StateCore) -> None:
    """Make a block quote of each paragraph that is one `$$...$$`."""
    displayed = [
        at for at, token in enumerate(state.tokens) if [child.markup for child in token.children or ()] == ["$$"]
    ]
    for at in reversed(displayed):
        state.tokens.insert(at + 2, Token("blockquote_close", "blockquote", -1))
        state.tokens.insert(at - 1, Token("blockquote_open", "blockquote", 1))
