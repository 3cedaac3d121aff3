"""Verdicts for people: 80 columns, readable on light and dark terminals, with colour and without."""

from __future__ import annotations

import io
import os
import re
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.text import Text
from rich.theme import Theme

from grader.kit.software import installed_version
from grader.kit.text import clean, folded, number, plain, visible
from grader.locale.language import N_, gettext, ngettext, pgettext
from grader.marking.verdict import (
    Awaited,
    CaseResult,
    Diagnosis,
    Drawable,
    Excerpt,
    Frame,
    Named,
    Printed,
    Raised,
    Status,
    Verdict,
    Where,
)

if TYPE_CHECKING:
    from grader.report.ink import Ink  # it imports NumPy, which is not needed to print a statement

WIDTH = 80
PRINTED_LINES = 20

COLOURS = {
    Status.CORRECT: "green",
    Status.WRONG: "red",
    Status.ERROR: "red",
    Status.TIMEOUT: "red",
    Status.MEMORY: "red",
    Status.CRASH: "red",
    Status.UNATTEMPTED: "dim",
}

_COMMAND = re.compile(r"python -m grader(?: (?:'[^']*'|[^\s,'])+(?<!\.))*")
"""A command in a sentence: up to a comma, or to the end of the sentence."""
_JOINED = "\xa0"
"""Stands for a space at which a line may not end."""

WITHHELD = {
    "numbers": N_("Mistakes and places are not named (feedback: numbers)."),
    "diagnosis": N_("Expected values and errors are not shown (feedback: diagnosis)."),
    "verdict": N_("Only the status is shown (feedback: verdict)."),
}

# Rich's default is cyan on black, which is a black bar on a light terminal.
_THEME = Theme({"markdown.code": "bold cyan", "markdown.code_block": "cyan"})


PROVISIONAL: Mapping[Awaited, str] = {
    Awaited.VALUES: N_("Provisional: your program shows this. Its values are not judged yet, and may change it."),
    Awaited.VALUES_AND_PLACE: N_(
        "Provisional: your program shows this. Its values are not judged yet, and may change it. The place of the mistake "
        "may follow."
    ),
    Awaited.PLACE: N_("The place of the mistake may follow."),
}
"""What is said of a verdict of which not all is known."""


@dataclass
class Terminal:
    """Where reports are printed. If its encoding is not Unicode, text is converted to ASCII.

    `pictures` says whether reports on wrong answers have a picture: in a pipe they have none.
    """

    console: Console
    pictures: bool = False

    @classmethod
    def make(cls, *, colour: bool = True, stderr: bool = False, pictures: bool = False) -> Terminal:
        stream = sys.stderr if stderr else sys.stdout
        console = _console(stream, no_color=not colour or None)
        known = stream.isatty() or "COLUMNS" in os.environ
        console.width = min(console.width, WIDTH) if known else WIDTH
        return cls(console, pictures and stream.isatty())

    @classmethod
    def into(cls, stream: IO[str], width: int = WIDTH) -> Terminal:
        """A terminal that writes plain text to a stream: without colour, and of so many columns."""
        console = _console(stream, color_system=None)
        console.width = width
        return cls(console)

    @property
    def unicode(self) -> bool:
        return self.console.encoding.lower().startswith("utf")

    @property
    def ink(self) -> Ink:
        """What pictures may use here."""
        from grader.report.ink import Ink

        # 16 colours are too few for a scale with two sides: shades and signs say more there.
        system = None if self.console.no_color or not self.unicode else self.console.color_system
        return Ink(system in ("256", "truecolor"), self.unicode, fine=system == "truecolor")

    def line(self, text: str = "", style: str = "", indent: int = 1, hanging: int = 0) -> None:
        """Print one paragraph, wrapped and indented. Lines after the first are indented by `hanging` more."""
        self.text(Text(text, style), indent, hanging)

    def text(self, text: Text, indent: int = 1, hanging: int = 0) -> None:
        """Print one paragraph with styles of its own, wrapped and indented as by `line`."""
        if not self.unicode:
            text = Text(plain(text.plain), text.style)
        lines = text.wrap(self.console, max(20, self.console.width - indent - hanging))
        for index, line in enumerate(lines or [Text()]):
            line.rstrip()
            margin = " " * (indent + hanging if index else indent)
            self.console.print(Text(margin if line.plain else "").append_text(line), no_wrap=True, crop=False)

    def row(self, name: str, text: str, width: int) -> None:
        """Print a name, and beside it a text that is wrapped in a column of its own. The name takes `width` columns."""
        room = max(20, self.console.width - 1 - width)
        for at, line in enumerate(textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False)):
            beside = f" {'' if at else name:{width}}{line}"
            shown = Text(beside if self.unicode else plain(beside))
            self.console.print(shown, no_wrap=True, overflow="ignore", crop=False)

    def to_do(self, text: str, style: str = "") -> None:
        """Print one paragraph, wrapped, in which commands and paths are whole, so that they can be copied."""
        kept = _COMMAND.sub(lambda found: found[0].replace(" ", _JOINED), text if self.unicode else plain(text))
        width = max(20, self.console.width - 1)
        for line in textwrap.wrap(kept, width, break_long_words=False, break_on_hyphens=False):
            shown = Text(f" {line.replace(_JOINED, ' ')}", style)
            self.console.print(shown, no_wrap=True, overflow="ignore", crop=False)

    def verdict(self, verdict: Verdict, *, device: str, following: str = "", withheld: bool = True) -> None:
        """Print one verdict: what was printed, the values, the mistake with a hint, and the line `following`.

        Args:
            withheld: whether a line says what the level of feedback hides.
        """
        self._title(verdict, device)
        self.line()
        if verdict.awaited is not None:
            self.line(gettext(PROVISIONAL[verdict.awaited]), "dim")
            self.line()
        for printed in verdict.printed:  # first, so that the end of a long report is what the grader says
            self.printed(printed)
            self.line()
        # The message for a judged answer holds no text of the answer. Others may, so their later lines are indented more.
        own = verdict.status in (Status.CORRECT, Status.WRONG, Status.TIMEOUT, Status.UNATTEMPTED)
        self.line(folded(str(verdict.message)), hanging=0 if own else 2)
        if verdict.raised is not None:
            self.raised(verdict.raised, verdict.file)
        if verdict.stopped_at is not None:
            self.line()
            self.frame(verdict.stopped_at, verdict.file)
        if verdict.excerpt is not None:
            self.line()
            self._excerpt(verdict.excerpt)
        if self.pictures and verdict.drawable is not None and verdict.status is Status.WRONG:
            self._picture(verdict.drawable)
        hidden = verdict.withheld == "verdict" or (verdict.withheld and verdict.status is Status.WRONG)
        if withheld and hidden:
            self.line()
            self.line(gettext(WITHHELD[verdict.withheld]), "dim")
        if verdict.diagnosed:
            self.line()
            self._diagnosis(verdict.diagnosis, verdict.where, verdict.cases)
        for insight in verdict.insights:
            self.line()
            self.line(gettext("Note: {message}").format(message=folded(str(insight.message))), hanging=2)
        if following:
            self.line()
            self.to_do(following)

    def raised(self, raised: Raised, file: str) -> None:
        """Print an exception: the lines of the answer's file, the message, and advice."""
        self.line()
        for frame in raised.frames:
            self.frame(frame, file)
        # Its later lines are indented more: a message of an answer may look like words of the grader.
        self.line(clean(f"{raised.kind}: {raised.message}" if raised.message else raised.kind), indent=3, hanging=2)
        if raised.advice:
            self.line()
            self.line(str(raised.advice))

    def printed(self, printed: Printed) -> None:
        """Print what an answer printed, with a bar before each line."""
        lines, mark = clean(str(printed)).rstrip().splitlines(), "   | "
        first = "\n".join(lines[:PRINTED_LINES])
        self.line(heading_of(printed), "dim")
        if not lines:
            return
        rows = Text(first if self.unicode else plain(first)).wrap(self.console, max(20, self.console.width - len(mark)))
        for row in rows[:PRINTED_LINES]:
            row.rstrip()
            self.console.print(Text(mark, "dim").append_text(row), no_wrap=True, crop=False)
        if more := len(rows[PRINTED_LINES:]) + len(lines[PRINTED_LINES:]):
            self.line(ngettext("({count} more line)", "({count} more lines)", more).format(count=more), "dim", indent=3)

    def _title(self, verdict: Verdict, device: str) -> None:
        word, colour = (
            self._encodable(outcome_word(verdict)),
            "yellow" if right_so_far(verdict) else COLOURS[verdict.status],
        )
        left = Text.assemble((verdict.problem, "bold"), "   ", (word, f"bold {colour}"))
        gap = self.console.width - 2 - left.cell_len - len(device)
        right = self._encodable(device)
        space = " " * gap if gap >= 2 else "\n "
        self.console.print(Text(" ").append_text(left).append(space).append(right, "dim"), no_wrap=True, crop=False)

    def _excerpt(self, excerpt: Excerpt) -> None:
        expected, yours = aligned(excerpt)
        due_row, own_row = (f"  {name}" for name in (pgettext("values", "expected"), pgettext("values", "yours")))
        place, columns = str(excerpt.place), [*map(str, excerpt.columns)]
        width = max(9, *(len(cell) + 2 for cell in (*expected, *yours, *columns)))
        label = max(12, *(len(name) + 1 for name in (place, due_row, own_row)))
        shown = max(1, (self.console.width - 3 - max(label, 13)) // width)

        def row(name: str, cells: Sequence[str], style: str = "") -> None:
            title = "   " + self._encodable(name).ljust(label)
            padded = "".join(self._encodable(cell).rjust(width) for cell in cells[:shown])
            self.console.print(Text(title).append(padded, style), no_wrap=True, crop=False)

        row(place, columns, "dim")
        row(due_row, expected)
        row(own_row, yours)
        row("", ["^" * len(cell) if wrong else "" for cell, wrong in zip(yours, excerpt.wrong, strict=True)], "red")

    def _picture(self, drawable: Drawable) -> None:
        from grader.report.picture import in_report

        for at, row in enumerate(in_report(drawable, self.console.width, self.ink)):
            if not at:
                self.line()
            self.console.print(row, no_wrap=True, overflow="ignore", crop=False)

    def _diagnosis(self, diagnosis: Diagnosis, where: Sequence[Where], cases: Sequence[CaseResult]) -> None:
        for mistake in diagnosis.named:
            self._mistake(mistake)
        for said in beyond(diagnosis, where):
            self.line(said)
        if where:
            self._where(where, cases)

    def _where(self, where: Sequence[Where], cases: Sequence[CaseResult]) -> None:
        from grader.report.places import messages, question, rows

        for place, message in zip(where, messages(where), strict=True):
            self.line()
            for row in rows(place, cases, self.console.width, unicode=self.unicode):
                self.console.print(row, no_wrap=True, overflow="ignore", crop=False)
            if message:
                self.line()
                self.line(folded(str(message)), indent=3)
            if asked := question(place):
                self.line(gettext("Hint: {hint}").format(hint=asked), indent=3)

    def _mistake(self, mistake: Named) -> None:
        self.line(mistake.name, "bold")
        if mistake.why:
            self.line(folded(str(mistake.why)), indent=3)
        self.line(gettext("Hint: {hint}").format(hint=mistake.hint), indent=3)

    def frame(self, frame: Frame, file: str) -> None:
        """Print a line of an answer's file, with a mark below the part that is meant."""
        self.line(line_of(frame, file), "dim", indent=3)
        self.line(clean(frame.text).replace("\n", " "), indent=5)  # its indentation may be the fault
        if frame.start < frame.end and frame.text.isascii() and len(frame.text) <= self.console.width - 5:
            self.line(" " * frame.start + "^" * (frame.end - frame.start), "red", indent=5)

    def fault(self, text: str) -> None:
        """Print one line for a fault of usage or of the kit."""
        self.console.print(Text(self._encodable(folded(text))), soft_wrap=True)

    def _encodable(self, text: str) -> str:
        return text if self.unicode else plain(text)


def as_text(show: Callable[[Terminal], None], width: int = WIDTH) -> str:
    """What a function prints on a terminal, as plain text of so many columns."""
    stream = io.StringIO()
    show(Terminal.into(stream, width))
    return stream.getvalue()


def _console(stream: IO[str], **options: Any) -> Console:
    # Rich would write to a notebook's display in place of the stream.
    plain_text = {"highlight": False, "emoji": False, "markup": False, "force_jupyter": False}
    console = Console(file=stream, theme=_THEME, **plain_text, **options)
    console.push_render_hook(_Clean())
    return console


class _Clean(RenderHook):
    """Lets no text order the terminal to do something, whoever wrote it: a kit, an answer, the name of a folder."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Cleaned(renderable) for renderable in renderables]


@dataclass
class _Cleaned:
    """What is printed, with each of its texts cleaned. Orders of Rich itself, such as those of a spinner, are none."""

    what: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.what, options):
            yield (
                segment
                if segment.control or segment.text.isprintable()
                else Segment(clean(segment.text), segment.style)
            )


def heading_of(printed: Printed) -> str:
    """The line above what an answer printed: which call that was."""
    if not printed.call:
        return gettext("It printed:")
    some = bool(clean(str(printed)).strip())
    said = gettext("For {call}, it printed:") if some else gettext("For {call}, it printed nothing.")
    return said.format(call=printed.call)


def line_of(frame: Frame, file: str) -> str:
    """Where a line of an answer stands: `rope.py, line 9`."""
    said = gettext("{file}, cell {cell}, line {line}") if frame.cell else gettext("{file}, line {line}")
    return said.format(file=visible(file), cell=frame.cell, line=frame.line)


def status_word(status: str) -> str:
    """A status as a learner reads it: the `Status` of a verdict, or another one of a table of problems."""
    return {
        "correct": pgettext("status", "correct"),
        "wrong": pgettext("status", "wrong"),
        "error": pgettext("status", "error"),
        "timeout": pgettext("status", "timeout"),
        "memory": pgettext("status", "memory"),
        "crash": pgettext("status", "crash"),
        "unattempted": pgettext("status", "unattempted"),
        "changed": pgettext("status", "changed"),
        "kit fault": pgettext("status", "kit fault"),
        "solved": pgettext("status", "solved"),
        "fault": pgettext("status", "fault"),
        "due": pgettext("status", "due"),
        "none": pgettext("status", "none"),
    }.get(status, status)


def right_so_far(verdict: Verdict) -> bool:
    """Whether an answer is right as far as its program shows, and its values are not judged yet."""
    return verdict.status is Status.CORRECT and verdict.awaited is not None


def outcome_word(verdict: Verdict) -> str:
    """The status of a verdict as a learner reads it. A right answer whose values are awaited is not called correct."""
    return pgettext("status", "right so far") if right_so_far(verdict) else status_word(verdict.status)


def beyond(diagnosis: Diagnosis, where: Sequence[Where]) -> list[str]:
    """What is said below the named mistakes: what else gives these numbers, what nothing explains, that places follow."""
    said: list[str] = []
    if not diagnosis.explained and diagnosis.named:
        said.append(gettext("Beyond that, none of the mistakes that this problem knows gives this answer."))
    elif not diagnosis.explained:
        said.append(gettext("None of the mistakes that this problem knows gives this answer."))
    if where:
        from grader.report.places import heading

        said.append(heading(where, explained=diagnosis.explained))
    others = [
        gettext("The same numbers would come from {mistakes}.").format(mistakes=" + ".join(names))
        for names in diagnosis.alternatives[:3]
    ]
    return [*others, " ".join(said)] if said else others


def aligned(excerpt: Excerpt) -> tuple[list[str], list[str]]:
    """Both rows of numbers, with the fewest digits that show every difference; integers without a point."""
    if excerpt.whole:
        return [f"{value:.0f}" for value in excerpt.expected], [f"{value:.0f}" for value in excerpt.yours]
    for digits in range(4, 10):
        expected = [number(value, digits) for value in excerpt.expected]
        yours = [number(value, digits) for value in excerpt.yours]
        if all(a != b for a, b, wrong in zip(expected, yours, excerpt.wrong, strict=True) if wrong):
            return expected, yours
    return [f"{value:.9g}" for value in excerpt.expected], [f"{value:.9g}" for value in excerpt.yours]


def device_text(device: str) -> str:
    """The text in the corner of a verdict: cpu · jax 0.10.2."""
    return f"{device} · jax {installed_version('jax')}"
