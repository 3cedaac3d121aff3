"""The statement of a problem: front matter, sections and hints out of its README.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

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


@dataclass(frozen=True)
class Statement:
    """What the learner reads. `sections` maps each `##` heading to its text, in order."""

    title: str
    track: str
    difficulty: str
    tags: tuple[str, ...]
    after: tuple[str, ...]
    body: str
    sections: Mapping[str, str]

    @property
    def hints(self) -> list[str]:
        """The items of the section "Hints", from a nudge to nearly there."""
        text = self.sections.get("Hints", "")
        items = re.split(r"^\d+\.\s+", text, flags=re.MULTILINE)[1:]
        return [re.sub(r"\s*\n\s+", " ", item).strip() for item in items]

    @property
    def without_hints(self) -> str:
        """The body as `show` prints it: hints are asked for one at a time."""
        return re.sub(r"^## Hints\n.*?(?=^## |\Z)", "", self.body, flags=re.MULTILINE | re.DOTALL)


def read(path: Path) -> Statement:
    """A statement from its file.

    Raises:
        ProblemError: where the file is not there, is not text, or its front matter is missing or wrong.
    """
    try:
        text = read_text(path)
    except Missing:
        raise ProblemError(f"{path}: there is no such file: write the statement there") from None
    except Unreadable as error:
        raise ProblemError(f"{path}: {str(error).rstrip('.')}") from None
    match = re.match(r"---\n(.*?)\n---\n(.*)", text, re.DOTALL)
    if not match:
        raise ProblemError(f"{path}: begin it with front matter between two lines of ---")
    try:
        front = yaml.safe_load(match[1])
    except yaml.YAMLError as error:
        raise ProblemError(f"{path}: its front matter is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(front, dict):
        raise ProblemError(f"{path}: its front matter should be `name: value` lines")
    return _statement(path, front, match[2].strip() + "\n")


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
        sections=_sections(body),
    )


def _sections(body: str) -> dict[str, str]:
    """`##` headings and their text; a heading inside a code block is none."""
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    fenced = False
    for line in body.splitlines():
        fenced ^= line.startswith("```")
        if not fenced and line.startswith("## "):
            current = sections.setdefault(line[3:].strip(), [])
        elif current is not None:
            current.append(line)
    return {heading: "\n".join(lines).strip() for heading, lines in sections.items()}
