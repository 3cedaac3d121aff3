"""The words of the page stand in one place: each is used, and no template has another."""

from __future__ import annotations

import dataclasses
import re

from grader.serve.words import ServeScriptWords, ServeWords
from tests.conftest import ROOT

HERE = ROOT / "grader" / "serve"


def test_each_word_is_used_and_no_template_has_another() -> None:
    templates = "".join(path.read_text() for path in HERE.glob("*.jinja"))
    used = templates + (HERE / "pages.py").read_text()
    for field in dataclasses.fields(ServeWords):
        assert re.search(rf"\b(?:work|WORK)\.{field.name}\b", used), field.name
    scripts = "".join(
        (HERE / "assets" / name).read_text() for name in ("work.js", "results.js", "practice.js", "list.js")
    )
    for field in dataclasses.fields(ServeScriptWords):
        assert re.search(rf"\b(?:says|said)\.{field.name}\b", scripts + templates), field.name
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", "", templates, flags=re.DOTALL)
    assert re.findall(r"[A-Za-z]+", text) == []


def test_the_words_of_the_script_fill_in_only_what_it_has() -> None:
    words = ServeWords().for_script()
    assert all(words.pop("editor").values())
    for name, text in words.items():
        assert {*re.findall(r"\{(\w+)\}", text)} <= {
            "n",
            "all",
            "solved",
            "phase",
            "why",
            "file",
            "time",
            "title",
            "status",
            "says",
            "track",
        }, name
