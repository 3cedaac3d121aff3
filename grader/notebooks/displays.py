"""What the functions for notebooks return: values that show themselves, as HTML, else as in a terminal."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from grader.marking.verdict import Status, Verdict
from grader.report.places import messages
from grader.report.table import ProblemRow, problems_table
from grader.report.terminal import Terminal

HTML, PLAIN = "text/html", "text/plain"


class Display(ABC):
    """A value that shows itself. `print` and a prompt show its text."""

    @property
    @abstractmethod
    def text(self) -> str:
        """What a terminal shows."""

    @abstractmethod
    def _repr_html_(self) -> str:
        """What a notebook shows."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """For Jupyter, Colab and VS Code."""
        return {HTML: self._repr_html_(), PLAIN: self.text}

    def _mime_(self) -> tuple[str, str]:
        """For marimo."""
        return HTML, self._repr_html_()

    def __repr__(self) -> str:
        return self.text


class PlaceDisplay(NamedTuple):
    """A place of a mistake: its line in its cell (0 outside a notebook), the text from there, and what is said of it."""

    cell: int
    line: int
    text: str
    message: str


@dataclass(frozen=True, repr=False)
class VerdictDisplay(Display):
    """The verdict on an answer. It is true if the answer is right, so that `assert grader.check("rope")` means what it says.

    Attributes:
        verdict: all that is known, as far as the level of feedback shows it.
        device: what a report shows in its corner.
        below: lines at the end: what to do now.
        picture: of a wrong answer, as SVG; empty if there is none.
    """

    verdict: Verdict
    device: str
    below: tuple[str, ...]
    picture: str = ""

    @property
    def problem(self) -> str:
        return self.verdict.problem

    @property
    def status(self) -> str:
        """One of `correct`, `wrong`, `error`, `timeout`, `memory`, `crash`, `unattempted`."""
        return self.verdict.status.value

    @property
    def correct(self) -> bool:
        return self.verdict.status is Status.CORRECT

    @property
    def message(self) -> str:
        return str(self.verdict.message)

    @property
    def pitfalls(self) -> tuple[str, ...]:
        """The names of the mistakes, as `grader/verdict/2` has them."""
        return self.verdict.diagnosis.names

    @property
    def where(self) -> tuple[PlaceDisplay, ...]:
        """The places of a mistake, in the order in which they were found."""
        places = self.verdict.where
        return tuple(
            PlaceDisplay(place.span.cell, place.span.line, "\n".join(place.span.text), str(said))
            for place, said in zip(places, messages(places), strict=True)
        )

    @property
    def seconds(self) -> float:
        """Of the clock, for the process of the answer."""
        return self.verdict.run.seconds

    def __bool__(self) -> bool:
        return self.correct

    @property
    def text(self) -> str:
        def print_it(terminal: Terminal) -> None:
            terminal.verdict(self.verdict, device=self.device, following=self.below[0] if self.below else "")
            for said in self.below[1:]:
                terminal.line()
                terminal.line(said)

        return _printed(print_it)

    def _repr_html_(self) -> str:
        from grader.report.html import report

        return report(self.verdict, device=self.device, below=self.below, picture=self.picture)


@dataclass(frozen=True, repr=False)
class TextDisplay(Display):
    """A text in Markdown, with formulas between dollar signs."""

    markdown: str

    @property
    def text(self) -> str:
        from grader.report.markdown import render

        return _printed(lambda terminal: render(terminal, self.markdown))

    def _repr_html_(self) -> str:
        from grader.page.body import fragment
        from grader.page.words import page_words

        # Not as Markdown: a notebook shows the HTML in that, and runs its scripts.
        return str(fragment(self.markdown, page_words()))


@dataclass(frozen=True, repr=False)
class ProblemsDisplay(Display):
    """The table of problems."""

    rows: tuple[ProblemRow, ...]

    @property
    def text(self) -> str:
        return _printed(lambda terminal: problems_table(terminal, self.rows))

    def _repr_html_(self) -> str:
        from grader.report.html import problems

        return problems(self.rows)


def _printed(print_it: Callable[[Terminal], None]) -> str:
    stream = io.StringIO()
    print_it(Terminal.into(stream))
    return "\n".join(line.rstrip() for line in stream.getvalue().split("\n")).rstrip("\n")
