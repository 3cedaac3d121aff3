"""A walk through an answer's program: each line, and what it makes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from grader.kit.text import clean, number, plain
from grader.locale.language import gettext, ngettext
from grader.report.source import fitted, margin, source
from grader.report.terminal import Terminal
from grader.run.questions import Made
from grader.values.places import Expressions

SAME, OTHER, UNKNOWN = "=", "?", " "
"""Marks of values: the reference computes them too; it does not; nothing is known of them."""

NAME, COLUMNS_OF_A_REMARK = 14, 32
"""The most columns of a name, and of the values of a remark."""

MORE = " ..."
"""Stands for the values that are left out."""


@dataclass(frozen=True)
class ProgramWalk:
    """What an answer makes on one case.

    Attributes:
        number: of the case, from 1; `of` is how many there are.
        arguments: those of the case, in words.
        made: what each expression makes, in the order of the first evaluation.
        right: whether the result is right on this case; None if that is not told.
        compared: whether the values were compared with those of the reference.
        cells: of a notebook, the cell of each line, and the number of the line in it.
    """

    problem: str
    number: int
    of: int
    arguments: str
    text: str
    made: tuple[Made, ...]
    right: bool | None
    compared: bool
    cells: tuple[tuple[int, int], ...] = ()

    def number_of(self, line: int) -> str:
        """A line of the text as it is told: `12`, or `3:2` for the second line of cell 3."""
        return ":".join(map(str, self.cells[line - 1])) if self.cells else str(line)


def print_trace(terminal: Terminal, walk: ProgramWalk) -> None:
    """Print each line that makes something, what it makes, what the marks mean, and the first doubt."""
    lines = walk.text.encode("utf-8", "replace").splitlines()
    names, width = Expressions(walk.text), terminal.console.width
    rows = list(_outermost(walk.made))
    pad = max(len(walk.number_of(row.place.line)) for row in rows)
    case = gettext("case {number} of {count}: {arguments}")
    case = case.format(number=walk.number, count=walk.of, arguments=walk.arguments)
    terminal.text(Text.assemble((walk.problem, "bold"), f"   {case}"))
    if walk.cells:
        terminal.line(gettext("Of the notebook, 3:2 is line 2 of the third code cell."), "dim")
    terminal.line()
    before = margin("", pad, unicode=terminal.unicode)
    shown = 0
    for row in rows:
        line = lines[row.place.line - 1].decode(errors="replace")
        if row.place.line != shown:
            start = len(line) - len(line.lstrip())
            text, _ = fitted(line, start, start, width - len(before), unicode=terminal.unicode)
            _print(
                terminal, margin(walk.number_of(row.place.line), pad, unicode=terminal.unicode) + text.rstrip(), "dim"
            )
            shown = row.place.line
        found = names.at(row.place)
        returned = lines[row.place.line - 1][: row.place.column].strip() == b"return"
        name = clean(found.name) if found and found.name else "return" if returned else ""
        for told in _told(row, name, width - len(before), compared=walk.compared):
            _print(terminal, before + (told if terminal.unicode else plain(told)))
    terminal.line()
    _print_doubt(terminal, walk, lines, {row.occurs for row in rows})


def remarks(walk: ProgramWalk) -> list[tuple[int, str]]:
    """For each line that makes something: its number, and what it makes in a few words."""
    by_line: dict[int, list[str]] = {}
    for row in _outermost(walk.made):
        said = f"{row.dtype}{row.shape} {_strip(row, COLUMNS_OF_A_REMARK, fewest=1)}".rstrip()
        by_line.setdefault(row.place.line, []).append(said)
    return [(line, "; ".join(said)) for line, said in by_line.items()]


def _outermost(made: Sequence[Made]) -> Iterator[Made]:
    """The expressions that stand inside no other one, in the order of their lines."""
    for expression in sorted(made, key=lambda expression: (expression.place.line, expression.place.column)):
        if not any(other is not expression and other.place.contains(expression.place) for other in made):
            yield expression


def _told(made: Made, name: str, width: int, *, compared: bool) -> Iterator[str]:
    """What an expression makes: its form and its range, and its values behind them or, if there is no room, below."""
    mark = {True: SAME, False: OTHER, None: UNKNOWN}[made.occurs] + " " if compared else ""
    often = ""
    if made.count > 1 and made.values:
        often = ngettext("{count} time, the last:", "{count} times, the last:", made.count)
    elif made.count > 1:
        often = ngettext("{count} time", "{count} times", made.count)
    often = often and f"  {often.format(count=made.count)}"
    named = name + " " * max(0, NAME - cell_len(name))
    form = f"{mark}{named} {made.dtype} {made.shape}{_range(made)}{often}"
    # All of a small array, and at least three values of a larger one.
    strip = _strip(made, width - cell_len(form) - 2, fewest=len(made.values) if _is_whole(made) else 3)
    yield f"{form}  {strip}".rstrip()
    if made.values and not strip:
        margin = " " * (len(mark) + NAME + 1)
        yield from (f"{margin}{row}" for row in _rows(made, width - len(margin)))


def _range(made: Made) -> str:
    if made.low is None or made.high is None or made.low == made.high or made.dtype == "bool":
        return ""
    return "  " + gettext("{low} to {high}").format(low=_short(made.low, made), high=_short(made.high, made))


def _strip(made: Made, width: int, fewest: int) -> str:
    """The first values in one line, as many as fit; empty if these are fewer than `fewest`."""
    cells = [_short(value, made) for value in made.values]
    for count in range(len(cells), min(fewest, len(cells)) - 1, -1):
        more = "" if _is_whole(made) and count == len(cells) else MORE
        if len(text := " ".join(cells[:count]) + more) <= width:
            return text
    return ""


def _rows(made: Made, width: int) -> Iterator[str]:
    """The values below each other: all of a small array, by its own rows where one fits; one line of a larger one."""
    cells = [_short(value, made) for value in made.values]
    widest = max(map(len, cells))
    if not _is_whole(made):
        yield " ".join(cells[: max(1, (width - len(MORE) + 1) // (widest + 1))]) + MORE
        return
    fit = max(1, (width + 1) // (widest + 1))
    of_a_row = fit - fit % made.shape[-1] if made.shape and fit >= made.shape[-1] else fit
    for start in range(0, len(cells), of_a_row):
        yield " ".join(cell.rjust(widest) for cell in cells[start : start + of_a_row])


def _is_whole(made: Made) -> bool:
    """Whether all values are known: those of a large array are not sent."""
    return len(made.values) == math.prod(made.shape)


def _short(value: float, made: Made) -> str:
    if made.dtype == "bool" or made.dtype.startswith(("int", "uint")):
        return f"{value:.0f}"
    return number(value + 0.0, 3)


def _print_doubt(terminal: Terminal, walk: ProgramWalk, lines: Sequence[bytes], marks: Set[bool | None]) -> None:
    """Print whether the result is right, what the marks that were printed mean, and the first doubt."""
    if walk.right is not None:
        right, wrong = gettext("On this case, the result is right."), gettext("On this case, the result is wrong.")
        terminal.line(right if walk.right else wrong)
    if not walk.compared:
        return
    legend: list[str] = []
    if True in marks:
        said = gettext("{mark}: the reference has these values too, in any order and with any sign.")
        legend.append(said.format(mark=SAME))
    if False in marks:
        said = gettext("{mark}: not in the reference. They are wrong, or you compute in another way.")
        legend.append(said.format(mark=OTHER))
    if None in marks:
        none = gettext("No mark means that nothing was compared: all values are equal, or they are no real numbers.")
        legend.append(none)
    if legend:
        terminal.line(" ".join(legend))
    doubt = next((expression.place for expression in walk.made if expression.doubted), None)
    if doubt is None or walk.right:
        return
    terminal.line()
    terminal.line(gettext("The first doubt: the reference computes all that goes in here, and not what comes out."))
    terminal.line()
    first, last = lines[doubt.line - 1], lines[doubt.end_line - 1]
    spanned = [line.decode(errors="replace") for line in lines[doubt.line - 1 : doubt.end_line]]
    start, end = (
        len(line[:at].decode(errors="replace")) for line, at in ((first, doubt.column), (last, doubt.end_column))
    )
    cell, number = walk.cells[doubt.line - 1] if walk.cells else (0, doubt.line)
    if cell:
        terminal.line(gettext("cell {cell}").format(cell=cell), "dim", indent=3)
    for shown in source(spanned, number, start, end, terminal.console.width, unicode=terminal.unicode):
        _print(terminal, shown.line)
        if shown.carets:
            _print(terminal, shown.carets, "red")


def _print(terminal: Terminal, line: str, style: str = "") -> None:
    terminal.console.print(Text(line, style), no_wrap=True, overflow="ignore", crop=False)
