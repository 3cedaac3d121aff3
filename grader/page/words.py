"""Every word of the page that is the page's own: in English here, and in other languages by `spoken`."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, TypeVar

from grader.locale.language import N_, gettext, language

Table = TypeVar("Table", bound=Any)
"""A dataclass whose fields are words."""


@dataclass(frozen=True)
class PageScriptWords:
    """What scripts say. `{n}` and the like are put in there."""

    search: str = N_("Search the lessons")
    none: str = N_("No lesson has these words.")
    one: str = N_("1 lesson found.")
    many: str = N_("{n} lessons found.")
    only: str = N_("{n} lessons found. The first {shown} are shown.")
    near: str = N_("No lesson has these words. Close to them:")
    copy: str = N_("Copy the code")
    copied: str = N_("Copied")
    selected: str = N_("Selected: copy it with your keyboard")
    drawing: str = N_("This figure cannot be drawn here: {why}")


@dataclass(frozen=True)
class PageWords:
    """The words of one language. `lang` and `direction` are what HTML calls `lang` and `dir`."""

    lang: str
    direction: str
    locale: str
    site: str
    intro: str
    skip: str
    on_this_page: str
    tracks: str
    this_track_alone: str
    lessons: str
    stands_below: str
    about: str
    aim: str
    track: str
    easy: str
    medium: str
    hard: str
    builds_on: str
    leads_to: str
    difficulty: str
    topics: str
    start: str
    count: str
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
    untranslated: str
    translated: str
    languages: str
    theme_system: str
    theme_light: str
    theme_dark: str
    table: str
    table_of: str
    interactive: str
    without_script: str
    offline: str
    browser: PageScriptWords = field(default_factory=PageScriptWords)

    def difficulty_of(self, name: str) -> str:
        """The word for a difficulty of the front matter."""
        return {"easy": self.easy, "medium": self.medium, "hard": self.hard}.get(name, name)

    def for_scripts(self) -> dict[str, Any]:
        """What scripts say, as a document."""
        return asdict(self.browser)


ENGLISH = PageWords(
    lang="en",
    # Translators: "rtl" for a language that is written from right to left.
    direction=N_("ltr"),
    # Translators: the language with a country, as other sites that show a preview of a page want it: "es_ES".
    locale=N_("en_US"),
    site=N_("Lessons in JAX and Flax"),
    intro=N_("Read a lesson, fill in its stub, and let the grader say which mistake an answer makes, and where."),
    skip=N_("Skip to the text"),
    on_this_page=N_("On this page"),
    tracks=N_("Tracks"),
    track=N_("Track {name}"),
    this_track_alone=N_("The map shows this track alone. The list says what a lesson builds on in other tracks, too."),
    lessons=N_("Lessons"),
    stands_below=N_("Below each title stands what you can do after the lesson."),
    about=N_("about {time}"),
    aim=N_("After this lesson you can {aim}."),
    easy=N_("easy"),
    medium=N_("medium"),
    hard=N_("hard"),
    builds_on=N_("Builds on"),
    leads_to=N_("Leads to"),
    difficulty=N_("Difficulty"),
    topics=N_("Topics"),
    start=N_("New to JAX? Begin with {track}: {lesson}"),
    count=N_("Lessons: {n}"),
    output=N_("prints"),
    hint=N_("Hint {n} of {all}"),
    hints_first=N_("Open one hint at a time, and try again after each."),
    hints_on_page=N_("The hints are on the page. They are not printed."),
    your_file=N_("Your file"),
    your_file_intro=N_("This is the stub that you fill in:"),
    then=N_("Save it, then grade it:"),
    previous=N_("Previous"),
    next=N_("Next"),
    neighbours=N_("Previous and next lesson"),
    languages=N_("Language"),
    theme_system=N_("Theme: system"),
    theme_light=N_("Theme: light"),
    theme_dark=N_("Theme: dark"),
    translated=N_("{count} of {all} lessons are translated. The others are in English."),
    untranslated=N_("This lesson is not translated yet: it is in English."),
    table=N_("The numbers as a table"),
    table_of=N_("{title}, for {of}. The controls of the figure do not change this table."),
    interactive=N_("Figures to try"),
    without_script=N_("This figure needs JavaScript. The sentence and the table below say what it shows."),
    offline=N_("This site needs no network: every file of it is in one folder."),
)


def page_words() -> PageWords:
    """The words in the language that is spoken."""
    return replace(translated(ENGLISH), lang=language(), browser=translated(ENGLISH.browser))


def translated(words: Table) -> Table:
    """The words of a table in the language that is spoken."""
    texts = {attribute.name: getattr(words, attribute.name) for attribute in fields(words)}
    return replace(words, **{name: gettext(text) for name, text in texts.items() if isinstance(text, str)})
