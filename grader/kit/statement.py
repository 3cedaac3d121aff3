"""The statement of a problem, read from its README.md, or from its translation: front matter, sections and hints."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.kit.files import Missing, Unreadable, read_text
from grader.kit.problem_error import ProblemError
from grader.kit.text import clean, folded
from grader.locale.language import ENGLISH, N_, gettext, language, ngettext, speaking

if TYPE_CHECKING:
    from grader.kit import markup

MARK = re.compile(r"<!-- en (?P<hash>[0-9a-f]{8}) -->\n*")
"""The hash of an English section, below the heading of its translation."""


def translation_path(english: Path, language: str) -> Path:
    """Where the translation of a file stands."""
    return english.with_name(f"{english.stem}.{language}{english.suffix}")


def text_digest(section: str) -> str:
    """The hash of an English section: of its words, so that other line breaks change nothing."""
    return hashlib.sha256(" ".join(section.split()).encode()).hexdigest()[:8]


def translation_mark(section: str) -> str:
    """The line that stands below the heading of a translation of this English section."""
    return f"<!-- en {text_digest(section)} -->"


def without_marks(text: str) -> str:
    """A translation as its readers see it."""
    return MARK.sub("", text)


TRACKS = (
    N_("1 First steps in JAX"),
    N_("2 Position encoding"),
    N_("3 The transformer"),
    N_("4 Flax NNX"),
    N_("5 Training and models in use"),
    N_("6 Many devices"),
)
"""The tracks of the kit that comes with the grader: their names are translated with the messages."""

DIFFICULTIES = ("easy", "medium", "hard")
FRONT_MATTER = ("title", "track", "difficulty", "minutes", "aim", "tags", "after")


class Heading(StrEnum):
    """The `##` headings of a statement, in their order. The values are those of English."""

    WHY = N_("Why it matters")
    IDEA = N_("The idea and the formula")
    EXAMPLE = N_("A worked example")
    QUESTION = N_("Before you code")
    PITFALLS = N_("Common pitfalls")
    TASK = N_("The task")
    INPUTS = N_("Inputs")
    OUTPUT = N_("Output")
    HINTS = N_("Hints")
    IN_REAL_USE = N_("In real use")
    END = N_("When it passes")
    REFERENCES = N_("References")


_LINK = re.compile(r"\[([^\]]+)\]\(\.\./(\w+)/README\.md\)")
"""A link to another lesson."""


@dataclass(frozen=True)
class Statement:
    """What the learner reads: the fields of its front matter, and its body in Markdown.

    Attributes:
        aim: the end of a sentence that begins "After this lesson you can"; empty if the author gave none.
        minutes: how long the lesson takes about; 0 if the author did not say.
        language: in which title, aim and body are.
    """

    title: str
    track: str
    difficulty: str
    tags: tuple[str, ...]
    after: tuple[str, ...]
    body: str
    aim: str = ""
    minutes: int = 0
    language: str = ENGLISH

    @cached_property
    def sections(self) -> dict[str, markup.Section]:
        """The `##` headings of the body in order, each with what stands below it."""
        from grader.kit import markup  # here and not above, as PyYAML below: most commands read no statement

        return markup.sections(self.body)

    @property
    def hints(self) -> list[str]:
        """The items of the section of hints, from a nudge to nearly there."""
        from grader.kit import markup

        section = self.section(Heading.HINTS)
        return markup.numbered(section.text) if section else []

    def heading(self, of: Heading) -> str:
        """A heading in the language of this statement."""
        with speaking(self.language):
            return gettext(of.value)

    def section(self, of: Heading) -> markup.Section | None:
        """What stands below a heading; None if the statement does not have it."""
        return self.sections.get(self.heading(of))

    @property
    def shown(self) -> str:
        """The body as a learner reads it: with the aim and the minutes below the title, and the aim again at the end."""
        return self._with_below_the_title([])

    def _with_below_the_title(self, more: list[str]) -> str:
        lines = self.body.split("\n")
        with speaking(self.language):
            if self.aim and (end := self.section(Heading.END)):
                lines[end.start + 1 : end.start + 1] = ["", gettext("You can now {aim}.").format(aim=self.aim)]
            said = [gettext("After this lesson you can {aim}.").format(aim=self.aim)] if self.aim else []
            if self.minutes:
                about = ngettext("It takes about {count} minute.", "It takes about {count} minutes.", self.minutes)
                said.append(about.format(count=self.minutes))
        said += more
        at = 1 if lines[0].startswith("# ") else 0
        if said:
            lines[at:at] = ["", " ".join(said), ""]
        if self.language != language():
            lines[at:at] = ["", "*" + gettext("This lesson is not translated yet: it is in English.") + "*", ""]
        return "\n".join(lines)

    @property
    def without_hints(self) -> str:
        """What is shown in a terminal and in a notebook: learners ask for one hint at a time."""
        return self.without(Heading.HINTS)

    def without(self, *hidden: Heading) -> str:
        """The body without some sections, and with the name of a lesson in place of a link."""
        names = ", ".join(f"`{name}`" for name in self.after)
        from grader.kit import markup

        with speaking(self.language):
            before = [gettext("It builds on {lessons}.").format(lessons=names)] if names else []
        text = _LINK.sub(_named, self._with_below_the_title(before))
        lines, sections = text.split("\n"), markup.sections(text)
        found = [section for heading in hidden if (section := sections.get(self.heading(heading)))]
        for section in sorted(found, key=lambda section: section.start, reverse=True):
            del lines[section.start : section.end]
        return "\n".join(lines)


def _named(link: re.Match[str]) -> str:
    return f"`{link[2]}`" if link[1].strip("`") == link[2] else f"{link[1]} (`{link[2]}`)"


def read(path: Path) -> Statement:
    """A statement from its file, in the language that is spoken if it is translated.

    Raises:
        ProblemError: where the file, or its translation, is missing, is not text, or has no valid front matter.
    """
    front, body = parts(path)
    english = _statement(path, front, body)
    if language() == ENGLISH:
        return english
    english = replace(english, track=gettext(english.track))
    translated = translation_path(path, language())
    if not translated.is_file():
        return english
    front, body = parts(translated)
    title, aim = (_text(translated, front, field) for field in ("title", "aim"))
    body = without_marks(body)
    # Tags are words that help to search, in English.
    return replace(english, title=title, aim=aim, tags=(), body=body, language=language())


def parts(path: Path) -> tuple[Mapping[str, Any], str]:
    """The front matter of a file, and what stands below it, both cleaned as what an answer prints is: others wrote them.

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
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # that in C takes a fifth of the time
    try:
        front = yaml.load(head.removeprefix("---\n"), Loader=loader)
    except yaml.YAMLError as error:
        raise ProblemError(f"{path}: its front matter is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(front, dict):
        raise ProblemError(f"{path}: its front matter should be `name: value` lines")
    return {name: _cleaned(value) for name, value in front.items()}, clean(body.strip()) + "\n"


def _cleaned(value: Any) -> Any:
    """A value of front matter without what could order a terminal to do something: YAML can write that as `\\e`."""
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    if isinstance(value, dict):
        return {_cleaned(name): _cleaned(item) for name, item in value.items()}
    return folded(value) if isinstance(value, str) else value


def _statement(path: Path, front: Mapping[str, Any], body: str) -> Statement:
    for field in ("title", "track", "difficulty"):
        _text(path, front, field)
    if front["difficulty"] not in DIFFICULTIES:
        raise ProblemError(f"{path}: difficulty is {front['difficulty']!r}: choose one of {', '.join(DIFFICULTIES)}")
    for field in ("tags", "after"):
        values: Any = front.get(field) or []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ProblemError(f"{path}: `{field}` should be a list, as in `{field}: [one, two]`")
    minutes = front.get("minutes", 0)
    if not isinstance(minutes, int) or isinstance(minutes, bool) or minutes < 0:
        raise ProblemError(f"{path}: `minutes` should be a whole number, as in `minutes: 15`")
    aim = front.get("aim", "")
    if not isinstance(aim, str):
        raise ProblemError(f'{path}: `aim` should be text, as in `aim: "write a table of pairs"`')
    return Statement(
        title=front["title"],
        track=front["track"],
        difficulty=front["difficulty"],
        tags=tuple(front.get("tags") or ()),
        after=tuple(front.get("after") or ()),
        body=body,
        aim=aim,
        minutes=minutes,
    )


def _text(path: Path, front: Mapping[str, Any], field: str) -> str:
    if not isinstance(front.get(field), str):
        raise ProblemError(f"{path}: its front matter needs a line `{field}: ...`")
    return front[field]
