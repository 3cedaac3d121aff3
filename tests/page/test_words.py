"""The page's own words stand in one place: each is used, no template has another, and a second language replaces all."""

from __future__ import annotations

import dataclasses
import re

from grader.commands.site import lessons_of
from grader.kit.kit import Kit
from grader.page.files import page_file
from grader.page.site import TEMPLATES, files_of
from grader.page.words import ENGLISH, PageScriptWords, PageWords
from tests.conftest import ROOT


def test_each_word_stands_in_one_place_and_is_used() -> None:
    used = "".join(page_file(f"{name}.html.jinja") for name in TEMPLATES)
    python = "".join((ROOT / f"grader/page/{name}.py").read_text() for name in ("body", "site", "words"))
    for field in dataclasses.fields(PageWords):
        assert re.search(rf"(_?words)\.{field.name}\b", used + python) or f"self.{field.name}" in python, field.name
    scripts = page_file("page.js") + page_file("figures.js")
    for field in dataclasses.fields(PageScriptWords):
        assert re.search(rf"\bwords\.{field.name}\b", scripts), field.name
    # What is left of a template without its tags, its attributes and what it fills in is no word.
    for name in TEMPLATES:
        text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", "", page_file(f"{name}.html.jinja"), flags=re.DOTALL)
        assert set(re.findall(r"[A-Za-z]+", text)) <= {"python", "m", "grader", "problems", "stub", "py"}, name


def test_a_second_language_changes_every_word_of_the_pages_own() -> None:
    texts = {one.name: f"§{one.name}" for one in dataclasses.fields(PageWords) if one.name != "browser"}
    kept = {"track": "§{name}", "hint": "§{n}/{all}", "start": "§{track} {lesson}", "count": "§{n}"}
    other = PageWords(**{**texts, **kept, "lang": "es", "direction": "ltr"})
    lessons = lessons_of(Kit(ROOT), ["sinusoidal_pos", "compare_positions"], other)
    files = files_of(lessons, other)
    text = (files["index.html"] + files["lessons/sinusoidal_pos.html"]).decode()
    assert '<html lang="es" dir="ltr">' in text
    own = {getattr(ENGLISH, one.name) for one in dataclasses.fields(PageWords) if one.name not in ("browser", "lang")}
    for word in own - {"ltr", "easy", "medium", "hard"}:
        assert f">{word}<" not in text, word
