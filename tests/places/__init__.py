"""Wrong answers whose one mistake is known: its line is marked, and the mark holds the line that would be right.

    scores = q @ k.T / d_model  # <- scores = q @ k.T / d_model**0.5

A file has the answers to the problem of its name, each under `--- ` and a title. Where each of several lines could be
changed alone, each is marked. The marks are no part of an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from grader.program.data import Place
from tests.answers import Written

HERE = Path(__file__).parent
NAMES = sorted(path.stem for path in HERE.glob("*.txt"))
MARK = "  # <- "


@dataclass(frozen=True)
class Known:
    """A wrong answer, and for each line that is wrong, by its number from 1, what would be right there."""

    written: Written
    right: dict[int, str]

    def with_right(self, line: int) -> Written:
        """The answer with one of its wrong lines made right."""
        lines = self.written.text.splitlines()
        lines[line - 1] = self.right[line]
        return Written(f"{self.written.title}, right", "\n".join(lines) + "\n")

    def has(self, place: Place) -> bool:
        """Whether a marked line is among the lines of a place."""
        return any(place.line <= line <= place.end_line for line in self.right)

    def at_the_change(self, place: Place) -> bool:
        """Whether a place overlaps the columns in which a line of its own and the right line differ."""
        line = self.written.text.splitlines()[place.line - 1]
        right = self.right.get(place.line)
        if right is None or place.end_line != place.line:
            return self.has(place)
        start = _alike(line, right)
        end = len(line) - min(_alike(line[::-1], right[::-1]), len(line) - start)
        return place.column <= end and start <= place.end_column


def _alike(one: str, other: str) -> int:
    """How many characters are the same from the beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def read(problem: str) -> list[Known]:
    """The answers to a problem, in order."""
    parts = re.split(r"^--- (.*)$", (HERE / f"{problem}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [_known(title, text) for title, text in zip(parts[1::2], parts[2::2], strict=True)]


def _known(title: str, text: str) -> Known:
    lines, right = list[str](), dict[int, str]()
    for number, line in enumerate(text.strip().splitlines(), 1):
        kept, mark, other = line.partition(MARK)
        lines.append(kept)
        if mark:
            right[number] = kept[: len(kept) - len(kept.lstrip())] + other
    return Known(Written(title, "\n".join(lines) + "\n"), right)
