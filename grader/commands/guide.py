"""The guides of the package: the Markdown files in `guides/`. The command `guide` shows them."""

from __future__ import annotations

import difflib
from importlib.resources import files

from grader.kit.kit import KitError


def topics() -> dict[str, str]:
    """The title of each guide, by its topic, in alphabetical order. The topic is the name of the file."""
    pages = sorted((files("grader") / "guides").iterdir(), key=lambda page: page.name)
    return {
        page.name.removesuffix(".md"): page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        for page in pages
        if page.name.endswith(".md")
    }


def text(topic: str) -> str:
    """The Markdown of a guide.

    Raises:
        KitError: if no guide has this topic.
    """
    known = topics()
    if topic not in known:
        close = difflib.get_close_matches(topic, known, 1)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise KitError(f"There is no guide '{topic}'.{meant} Choose one of {', '.join(known)}.")
    return (files("grader") / "guides" / f"{topic}.md").read_text(encoding="utf-8")
