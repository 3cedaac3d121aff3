"""Wrong answers whose one mistake is known: its line is marked, and the mark holds the line that would be right.

    scores = k @ q.T / d**0.5  # <- scores = q @ k.T / d**0.5
    weights = softmax(scores)  # <~ weights = softmax(scores.T)

A file has the answers to the problem of its name, each under `--- ` and a title. `<-` marks the mistake; where it could
stand in either of two lines, it marks both. `<~` marks a line that is right as it stands, and could make up for the
mistake alone. The marks are no part of an answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.program.data import Place
from tests.answers import Written

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("*.txt"))
MARK = re.compile(r"  # (<[-~]) ")
MISTAKE = "<-"

Lines = Mapping[int, str]
"""For a line, by its number from 1, another that makes the answer right alone."""


@dataclass(frozen=True)
class Known:
    """A wrong answer, with the lines that are wrong, and those that could make up for it."""

    written: Written
    wrong: Lines
    also: Lines

    def with_line(self, number: int) -> Written:
        """The answer with one of its marked lines as the mark has it."""
        lines = self.written.text.splitlines()
        lines[number - 1] = {**self.wrong, **self.also}[number]
        return Written(f"{self.written.title}, right", "\n".join(lines) + "\n")

    def at_the_change(self, place: Place) -> bool:
        """Whether a place overlaps the columns in which a wrong line and the right one differ."""
        if place.line not in self.wrong or place.end_line != place.line:
            return touches(place, self.wrong)
        line, right = self.written.text.splitlines()[place.line - 1], self.wrong[place.line]
        start = _alike(line, right)
        end = len(line) - min(_alike(line[::-1], right[::-1]), len(line) - start)
        return place.column <= end and start <= place.end_column


def touches(place: Place, lines: Lines) -> bool:
    """Whether one of some lines is among those of a place."""
    return any(place.line <= number <= place.end_line for number in lines)


def _alike(one: str, other: str) -> int:
    """How many characters are the same from the beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def read(problem: str) -> list[Known]:
    """The answers to a problem, in order."""
    parts = re.split(r"^--- (.*)$", (HERE / f"{problem}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [_known(title, text) for title, text in zip(parts[1::2], parts[2::2], strict=True)]


def _known(title: str, text: str) -> Known:
    lines, wrong, also = list[str](), dict[int, str](), dict[int, str]()
    for number, line in enumerate(text.strip().splitlines(), 1):
        kept, *marks = MARK.split(line)
        lines.append(kept)
        for mark, other in zip(marks[::2], marks[1::2], strict=True):
            (wrong if mark == MISTAKE else also)[number] = kept[: len(kept) - len(kept.lstrip())] + other
    return Known(Written(title, "\n".join(lines) + "\n"), wrong, also)
