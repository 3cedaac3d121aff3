"""Every word of the page that is the page's own. A second language is a second value of `Words`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class InBrowser:
    """What scripts say. `{n}` and the like are put in there."""

    search: str = "Search the lessons"
    none: str = "No lesson has these words."
    one: str = "1 lesson found."
    many: str = "{n} lessons found."
    only: str = "{n} lessons found. The first {shown} are shown."
    drawing: str = "This figure cannot be drawn here: {why}"


@dataclass(frozen=True)
class Words:
    """The words of one language. `lang` and `direction` are what HTML calls `lang` and `dir`."""

    lang: str
    direction: str
    site: str
    intro: str
    skip: str
    on_this_page: str
    tracks: str
    elsewhere: str
    track: str
    easy: str
    medium: str
    hard: str
    builds_on: str
    leads_to: str
    difficulty: str
    topics: str
    start: str
    output: str
    hint: str
    hints_first: str
    hints_on_page: str
    your_file: str
    your_file_intro: str
    then: str
    previous: str
    next: str
    neighbours: str
    table: str
    table_of: str
    interactive: str
    without_script: str
    offline: str
    browser: InBrowser = field(default_factory=InBrowser)

    def difficulty_of(self, name: str) -> str:
        """The word for a difficulty of the front matter."""
        return {"easy": self.easy, "medium": self.medium, "hard": self.hard}.get(name, name)

    def for_scripts(self) -> dict[str, Any]:
        """What scripts say, as a document."""
        return asdict(self.browser)


ENGLISH = Words(
    lang="en",
    direction="ltr",
    site="Lessons in JAX and Flax",
    intro="Read a lesson, fill in its stub, and let the grader say which mistake an answer makes, and where.",
    skip="Skip to the text",
    on_this_page="On this page",
    tracks="Tracks",
    track="Track {name}",
    elsewhere="A dashed box is a lesson of another track.",
    easy="easy",
    medium="medium",
    hard="hard",
    builds_on="Builds on",
    leads_to="Leads to",
    difficulty="Difficulty",
    topics="Topics",
    start="Start with {lesson}",
    output="prints",
    hint="Hint {n} of {all}",
    hints_first="Open one hint at a time, and try again after each.",
    hints_on_page="The hints are on the page. They are not printed.",
    your_file="Your file",
    your_file_intro="This is the stub that you fill in:",
    then="Save it, then grade it:",
    previous="Previous",
    next="Next",
    neighbours="Previous and next lesson",
    table="The numbers as a table",
    table_of="{title}, for {of}. The controls of the figure do not change this table.",
    interactive="Figures to try",
    without_script="This figure needs JavaScript. The sentence and the table below say what it shows.",
    offline="This site needs no network: every file of it is in one folder.",
)
