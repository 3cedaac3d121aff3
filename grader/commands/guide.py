"""The guides of the package: Markdown for people, read by `guide` in a terminal and by everybody on the web."""

from __future__ import annotations

import difflib
from importlib.resources import files

from grader.kit.kit import KitError


def topics() -> dict[str, str]:
    """The title of each guide by its topic, in order of the alphabet."""
    folder = files("grader") / "guides"
    pages = sorted((page for page in folder.iterdir() if page.name.endswith(".md")), key=lambda page: page.name)
    return {page.name.removesuffix(".md"): page.read_text(encoding="utf-8").splitlines()[0][2:] for page in pages}


def text(topic: str) -> str:
    """The Markdown of a guide.

    Raises:
        KitError: where there is no guide of that topic.
    """
    known = topics()
    if topic not in known:
        close = difflib.get_close_matches(topic, known, 1)
        meant = f" Did you mean {close[0]}?" if close else ""
        raise KitError(f"There is no guide '{topic}'.{meant} Choose one of {', '.join(known)}.")
    return (files("grader") / "guides" / f"{topic}.md").read_text(encoding="utf-8")
