"""The README is short and keeps its word: the map is the kit's, options and links are there."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from grader.commands.learner import catalogue
from grader.kit import statement
from grader.kit.kit import Kit
from grader.locale.language import language, speaking
from grader.page.words import page_words
from tests.commands.test_check import HALF_AND_STACKED
from tests.conftest import FLAGSHIP, ROOT, Command

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {"en": ROOT / "README.md", "es": ROOT / "grader" / "guides" / "es" / "start.md"}
"""The README in each language."""
GUIDES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "grader" / "guides").glob("*.md"))


@pytest.mark.parametrize("language", PAGES)
def test_the_map_of_the_problems_is_the_kits(language: str, pytestconfig: pytest.Config) -> None:
    page, text = PAGES[language], PAGES[language].read_text(encoding="utf-8")
    begin, end = "<!-- problems: written by `pytest --bless tests/test_readme.py` -->\n", "<!-- end -->"
    before, rest = text.split(begin)
    shown, after = rest.split(end)
    with speaking(language):
        due = map_of_problems(page)
    if pytestconfig.getoption("bless"):
        page.write_text(f"{before}{begin}{due}{end}{after}", encoding="utf-8")
        shown = due
    assert shown == due


HEADS = {"en": ("Track", "problem", "lesson", "difficulty", "builds on"),
         "es": ("Itinerario", "problema", "lección", "dificultad", "se apoya en")}  # fmt: skip


def map_of_problems(page: Path) -> str:
    """A table for each track, in the order in which a learner meets its problems, with links from a page."""
    kit = Kit(ROOT)
    listed = catalogue(kit)
    track_word, *heads = HEADS[language()]
    lines: list[str] = []
    for track in sorted({one.track for one in listed}):
        lines += ["", f"**{track_word} {track}**", "", f"| {' | '.join(heads)} |", "|---|---|---|---|"]
        for one in listed:
            if one.track == track:
                translated = statement.translation_path(kit.statement(one.name), language())
                target = translated if translated.is_file() else kit.statement(one.name)
                link = f"[{one.name}]({os.path.relpath(target, page.parent)})"
                difficulty = page_words().difficulty_of(one.difficulty)
                lines.append(f"| {link} | {one.title} | {difficulty} | {', '.join(one.after) or '-'} |")
    return "\n".join([*lines, "", ""])


@pytest.mark.slow
@pytest.mark.parametrize("language", PAGES)
def test_its_first_report_is_what_the_command_prints(language: str, own_kit: Command) -> None:
    (own_kit.kit / "problems" / FLAGSHIP / "stub.py").write_text(HALF_AND_STACKED)
    printed = own_kit(FLAGSHIP, "--lang", language).stdout
    shown = PAGES[language].read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    due, found = ([line.split() for line in text.rstrip().splitlines()] for text in (shown, printed))
    assert (found[0][:2], found[1:]) == (due[0][:2], due[1:])  # the first line ends with the version of JAX


def test_it_is_short_but_for_the_map_of_the_problems() -> None:
    before, _, rest = README.partition("<!-- problems")
    assert len((before + rest.partition("<!-- end -->")[2]).splitlines()) <= 160


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_its_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_it_lists_every_guide() -> None:
    linked = re.findall(r"\]\(grader/guides/(\w+)\.md\): ", README)
    assert sorted(linked) == sorted(path.stem for path in (ROOT / "grader" / "guides").glob("*.md"))


def test_every_option_of_the_help_is_in_the_readme_or_a_guide() -> None:
    for command in ("check", "audit", "release", "new"):
        for option in re.findall(r"--[a-z][a-z-]+", Command(ROOT)(command, "--help").stdout):
            assert option in README + GUIDES or option == "--help", (command, option)
