"""The statement of a problem, read from its README.md: front matter, sections and hints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from grader.kit import markdown
from grader.kit.files import Missing, Unreadable, read_text
from grader.kit.problem import ProblemError

DIFFICULTIES = ("easy", "medium", "hard")
FRONT_MATTER = ("title", "track", "difficulty", "tags", "after")
SECTIONS = (
    "Why it matters",
    "The idea and the formula",
    "A worked example",
    "Common pitfalls",
    "The task",
    "Inputs",
    "Output",
    "Hints",
    "References",
)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader of YAML. That in C takes a fifth of the time: every command reads the front matter of all statements."""
OPTIONAL = ("In real use",)
"""Sections that a statement may have, after the others. "In real use" shows the line of a library that does the same."""


@dataclass(frozen=True)
class Statement:
    """What the learner reads: the fields of its front matter, and its body in Markdown."""

    title: str
    track: str
    difficulty: str
    tags: tuple[str, ...]
    after: tuple[str, ...]
    body: str

    @cached_property
    def sections(self) -> dict[str, markdown.Section]:
        """The `##` headings of the body in order, each with what stands below it."""
        return markdown.sections(self.body)

    @property
    def hints(self) -> list[str]:
        """The items of the section "Hints", from a nudge to nearly there."""
        return markdown.numbered(self.sections["Hints"].text) if "Hints" in self.sections else []

    @property
    def without_hints(self) -> str:
        """The body as `show` prints it, without the section "Hints": learners ask for one hint at a time."""
        if "Hints" not in self.sections:
            return self.body
        lines, hints = self.body.split("\n"), self.sections["Hints"]
        return "\n".join(lines[: hints.start] + lines[hints.end :])


def read(path: Path) -> Statement:
    """A statement from its file.

    Raises:
        ProblemError: where the file is missing, is not text, or has no valid front matter.
    """
    try:
        text = read_text(path)
    except Missing:
        raise ProblemError(f"{path}: there is no such file: write the statement there") from None
    except Unreadable as error:
        raise ProblemError(f"{path}: {str(error).rstrip('.')}") from None
    head, end, body = text.partition("\n---\n")
    if not head.startswith("---\n") or not end:
        raise ProblemError(f"{path}: begin it with front matter between two lines of ---")
    try:
        front = yaml.load(head.removeprefix("---\n"), Loader=LOADER)
    except yaml.YAMLError as error:
        raise ProblemError(f"{path}: its front matter is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(front, dict):
        raise ProblemError(f"{path}: its front matter should be `name: value` lines")
    return _statement(path, front, body.strip() + "\n")


def _statement(path: Path, front: Mapping[str, Any], body: str) -> Statement:
    for field in ("title", "track", "difficulty"):
        if not isinstance(front.get(field), str):
            raise ProblemError(f"{path}: its front matter needs a line `{field}: ...`")
    if front["difficulty"] not in DIFFICULTIES:
        raise ProblemError(f"{path}: difficulty is {front['difficulty']!r}: choose one of {', '.join(DIFFICULTIES)}")
    for field in ("tags", "after"):
        values: Any = front.get(field) or []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ProblemError(f"{path}: `{field}` should be a list, as in `{field}: [one, two]`")
    return Statement(
        title=front["title"],
        track=front["track"],
        difficulty=front["difficulty"],
        tags=tuple(front.get("tags") or ()),
        after=tuple(front.get("after") or ()),
        body=body,
    )
