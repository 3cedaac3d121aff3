"""The pages are the site's, with an editor beside a lesson: without its hints, with ids of their own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

pytest.importorskip("starlette")

from grader.commands.stub_grading import WatchSession
from grader.kit import progress, statement
from grader.kit.kit import Kit
from grader.options import Options
from grader.serve.live_lessons import LiveLessons
from grader.serve.pages import OWN, ServedPages
from grader.serve.reconnection import Reconnection
from tests.conftest import FLAGSHIP, ROOT, Command, copy_kit
from tests.page.reading import Read

T = TypeVar("T")


def made(kit: Path, what: Callable[[ServedPages], T]) -> T:
    async def run() -> T:
        options = Options(Kit(kit))
        with WatchSession(options.kit) as session:
            return what(
                ServedPages(options.kit, LiveLessons(options, session), "proof", Reconnection(options.kit, 8642))
            )

    return asyncio.run(run())


def test_a_lesson_holds_no_hint_and_no_id_twice() -> None:
    html = made(ROOT, lambda pages: pages.lesson(FLAGSHIP))
    shown = Read(html)
    assert len(set(shown.ids)) == len(shown.ids)
    assert {"page-work", "page-hint", "page-text", "hints"} <= {*shown.ids}
    for hint in statement.read(Kit(ROOT).statement(FLAGSHIP)).hints:
        words = re.findall(r"[A-Za-z ]{25,}", hint)
        assert words
        assert words[0] not in html
    assert "Skip to the code" in html


def test_one_lesson_has_the_links_of_the_whole_site() -> None:
    html = made(ROOT, lambda pages: pages.lesson("rope"))
    assert '<a href="sinusoidal_pos.html">' in html
    assert 'rel="next"' in html


def test_the_track_of_a_lesson_leads_to_its_place_on_the_list() -> None:
    lesson, start = made(ROOT, lambda pages: (pages.lesson("rope"), pages.start()))
    assert lesson.count('<a href="../index.html#track-2">Track 2 Position encoding</a>') == 2
    assert "track-2" in Read(start).ids
    assert "tracks/" not in lesson + start


def test_the_list_leads_a_newcomer_to_the_first_lesson(own_kit: Command) -> None:
    html = made(own_kit.kit, ServedPages.start)
    assert f'New to JAX? Begin with Track 2 Position encoding: <a href="lessons/{FLAGSHIP}.html">' in html
    assert "Go on with" not in html
    assert f'<li data-lesson="{FLAGSHIP}">' in html
    assert '<progress data-done="track-1" max="1" value="0"' in html


def test_the_list_leads_to_the_lesson_to_go_on_with_once_one_is_solved(tmp_path: Path) -> None:
    kit = Kit(copy_kit(tmp_path / "kit", FLAGSHIP, "layer_norm"))
    progress.update(kit, lambda kept: kept.solved.update({FLAGSHIP: "2026-11-29"}))
    html = made(kit.root, ServedPages.start)
    assert 'Go on with <a href="lessons/layer_norm.html">' in html
    assert "New to JAX?" not in html
    progress.update(kit, lambda kept: kept.solved.update({"layer_norm": "2026-11-29"}))
    html = made(kit.root, ServedPages.start)
    assert "Go on with" not in html
    assert "New to JAX?" not in html


def test_only_files_of_the_page_are_assets(own_kit: Command) -> None:
    for file in (*OWN, "style.css", "theme.js", "search.js", "page.js", "figures.js"):
        assert made(own_kit.kit, lambda pages: pages.asset(file)), file  # noqa: B023
    for file in ("command.py", "../command.py", "main.js", ""):
        assert made(own_kit.kit, lambda pages: pages.asset(file)) is None, file  # noqa: B023


def test_a_worked_answer_comes_with_what_differs(own_kit: Command) -> None:
    Kit(own_kit.kit).stub(FLAGSHIP).write_text("import numpy as np\n# <mine>\n")
    found = made(own_kit.kit, lambda pages: pages.solution(FLAGSHIP))
    assert "<del>- # &lt;mine&gt;</del>" in found["difference"]
    assert "<ins>+ def sinusoidal_pos" in found["difference"]
