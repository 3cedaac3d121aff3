"""The parts of the page that are files of this package: templates, styles, scripts."""

from __future__ import annotations

from importlib.resources import files


def part(name: str) -> str:
    """The text of a file of this package."""
    return (files("grader.page") / name).read_text(encoding="utf-8")


def base_style() -> str:
    """What every page of the grader looks like: colours on light and dark paper, tables, code, print."""
    return part("base.css")
