"""The guides of the package, the Markdown files in `guides/`, and the command that shows them."""

from __future__ import annotations

import difflib
from importlib.resources import files
from importlib.resources.abc import Traversable

import click

from grader.commands.parameters import Given, shared, spoken
from grader.kit import translation
from grader.kit.kit import KitError, command
from grader.locale.language import ENGLISH, gettext, language
from grader.report.markdown import render
from grader.report.terminal import Terminal


def topics() -> dict[str, str]:
    """The title of each guide, by its topic, in alphabetical order. The topic is the name of the file."""
    return {
        topic: page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        for topic, page in sorted(_pages().items())
    }


def _pages() -> dict[str, Traversable]:
    """The page of each guide, by its topic: in the language that is spoken if it is translated, else in English."""
    folder = files("grader") / "guides"
    pages = [*folder.iterdir()]
    if (folder / language()).is_dir():
        pages += (folder / language()).iterdir()
    return {page.name.removesuffix(".md"): page for page in pages if page.name.endswith(".md")}


def text(topic: str) -> str:
    """The Markdown of a guide.

    Raises:
        KitError: if no guide has this topic.
    """
    known = topics()
    if topic not in known:
        close = difflib.get_close_matches(topic, known, 1)
        said = [gettext("There is no guide {topic}.").format(topic=repr(topic))]
        said += [gettext("Did you mean {topic}?").format(topic=one) for one in close]
        raise KitError(" ".join([*said, gettext("Choose one of {topics}.").format(topics=", ".join(known))]))
    page = translation.without_marks(_pages()[topic].read_text(encoding="utf-8"))
    if language() == ENGLISH or (files("grader") / "guides" / language() / f"{topic}.md").is_file():
        return page
    untranslated = gettext("This guide is not translated yet: it is in English.")
    title, _, rest = page.partition("\n")
    return f"{title}\n\n*{untranslated}*\n{rest}"


@click.command()
@click.argument("topic", metavar="[TOPIC]", required=False)
@spoken
@shared
def guide(given: Given, topic: str | None) -> int:
    """Show a guide; without a topic, list all of them."""
    terminal = Terminal.make(colour=given.colour)
    if topic is not None:
        render(terminal, text(topic))
        return 0
    known = topics()
    width = max(map(len, known))
    for name, title in known.items():
        terminal.row(name, title, width + 2)
    terminal.line()
    terminal.to_do(gettext("To read one: {command}").format(command=command("guide", "TOPIC")))
    return 0
