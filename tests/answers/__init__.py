"""Answers as people write them, kept as text: each problem has a `right.txt` and a `wrong.txt`.

Some have a `raises.txt`, of answers that raise an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Written:
    """One answer: its title, its text, and the mistakes that must be named (`?` among them: not explained)."""

    title: str
    text: str
    mistakes: tuple[str, ...] = ()

    @property
    def explained(self) -> bool:
        return "?" not in self.mistakes

    @property
    def names(self) -> list[str]:
        return [name for name in self.mistakes if name != "?"]


def read(problem: str, kind: str) -> list[Written]:
    """The answers of a file, in order; none if a problem has no answer that raises an error."""
    file = HERE / problem / f"{kind}.txt"
    if kind == "raises" and not file.exists():
        return []
    parts = re.split(r"^--- (.*)$", file.read_text(), flags=re.MULTILINE)
    written: list[Written] = []
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        title, _, mistakes = heading.rpartition(": ") if kind == "wrong" else (heading, "", "")
        written.append(Written(title, text.strip() + "\n", tuple(re.findall(r"[a-z0-9_-]+|\?", mistakes))))
    return written
