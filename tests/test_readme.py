"""README is short and keeps its word; the guides `problems` and `options` are what the kit and the commands declare."""

from __future__ import annotations

import os
import re
import struct
from collections import defaultdict
from copy import copy
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from grader.cli import app
from grader.commands.learner import catalogue
from grader.kit import markup, statement
from grader.kit.kit import SECTIONS, Kit
from grader.locale.language import gettext, language, speaking
from grader.page.words import page_words
from tests.commands.test_check import HALF_AND_STACKED
from tests.conftest import FLAGSHIP, ROOT, Command
from tests.serve.pictures import PICTURES, SCHEMES, SIZE

GUIDES = ROOT / "grader" / "guides"
FOLDERS = {"en": GUIDES, "es": GUIDES / "es"}
PAGES = {"en": ROOT / "README.md", "es": GUIDES / "es" / "start.md"}
"""The README in each language."""
LONGEST = 150
"""The most lines of a README."""

WORDS = {
    "en": {"track": "Track", "problems": ("problem", "lesson", "difficulty", "builds on"),
           "commands": ("command", "what it does"), "options": ("option", "meaning", "commands"), "all": "all"},
    "es": {"track": "Itinerario", "problems": ("problema", "lección", "dificultad", "se apoya en"),
           "commands": ("comando", "qué hace"), "options": ("opción", "significado", "comandos"), "all": "todos"},
}  # fmt: skip


def head(table: str) -> list[str]:
    words = WORDS[language()][table]
    return [f"| {' | '.join(words)} |", "|---" * len(words) + "|"]


def map_of_problems(page: Path) -> list[str]:
    """A table for each track, in the order in which a learner meets its problems, with links from a page."""
    kit = Kit(ROOT)
    listed = catalogue(kit)
    lines: list[str] = []
    for track in sorted({one.track for one in listed}):
        lines += [f"### {WORDS[language()]['track']} {track}", "", *head("problems")]
        for one in listed:
            if one.track == track:
                translated = statement.translation_path(kit.statement(one.name), language())
                target = translated if translated.is_file() else kit.statement(one.name)
                link = f"[{one.name}]({os.path.relpath(target, page.parent)})"
                difficulty = page_words().difficulty_of(one.difficulty)
                lines.append(f"| {link} | {one.title} | {difficulty} | {', '.join(one.after) or '-'} |")
        lines.append("")
    return lines


def commands_of(*sections: str) -> dict[str, click.Context]:
    """The commands under some headings of `--help`, each with the context that knows its arguments."""
    whole = click.Context(app, info_name="grader")
    found: dict[str, click.Context] = {}
    for name in (name for section in sections or SECTIONS for name in SECTIONS[section]):
        command = app.get_command(whole, name)
        assert command is not None
        found[name] = click.Context(command, info_name=name, parent=whole)
    return found


def table_of_commands(_: Path) -> list[str]:
    lines = head("commands")
    for name, context in commands_of().items():
        words = [word for word in context.command.collect_usage_pieces(context) if word != "[OPTIONS]"]
        lines.append(f"| `{cell(' '.join([name, *words]))}` | {cell(gettext(context.command.help or ''))} |")
    return [*lines, ""]


def table_of_options(_: Path) -> list[str]:
    """A row for each option, with the commands that have it: first the options of many. `class` has a guide of its own."""
    takers: dict[tuple[str, str], list[str]] = defaultdict(list)
    contexts = {name: context for name, context in commands_of().items() if name != "class"}
    for name, context in contexts.items():
        for option in context.command.params:
            if isinstance(option, click.Option):
                told = copy(option)
                told.help = told.help and gettext(told.help)
                written, meaning = told.get_help_record(context) or ("", "")
                takers[written, meaning].append(name)
    lines = head("options")
    for (written, meaning), names in sorted(takers.items(), key=lambda item: -len(item[1])):
        who = WORDS[language()]["all"] if len(names) == len(contexts) else ", ".join(f"`{name}`" for name in names)
        lines.append(f"| `{cell(written)}` | {cell(meaning)} | {who} |")
    return [*lines, ""]


def cell(text: str) -> str:
    """A text in one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


WRITTEN = {
    "problems": ("problems", map_of_problems),
    "commands": ("options", table_of_commands),
    "options": ("options", table_of_options),
}
"""What is written from declarations: its guide, and what writes it."""


@pytest.mark.parametrize("language", FOLDERS)
@pytest.mark.parametrize("table", WRITTEN)
def test_a_table_of_a_guide_is_what_is_declared(table: str, language: str, pytestconfig: pytest.Config) -> None:
    topic, write = WRITTEN[table]
    page = FOLDERS[language] / f"{topic}.md"
    begin, end = f"<!-- {table}: written by `pytest --bless tests/test_readme.py` -->\n", "<!-- end -->"
    before, rest = page.read_text(encoding="utf-8").split(begin)
    shown, after = rest.split(end, 1)
    with speaking(language):
        due = "\n".join(["", *write(page), ""])
    if pytestconfig.getoption("bless"):
        page.write_text(f"{before}{begin}{due}{end}{after}", encoding="utf-8")
        shown = due
    assert shown == due


@pytest.mark.slow
@pytest.mark.parametrize("language", PAGES)
def test_its_first_report_is_what_the_command_prints(language: str, own_kit: Command) -> None:
    (own_kit.kit / "problems" / FLAGSHIP / "stub.py").write_text(HALF_AND_STACKED)
    printed = own_kit(FLAGSHIP, "--lang", language).stdout
    shown = PAGES[language].read_text(encoding="utf-8").split("```text\n")[1].split("```")[0]
    due, found = ([line.split() for line in text.rstrip().splitlines()] for text in (shown, printed))
    assert (found[0][:2], found[1:]) == (due[0][:2], due[1:])  # the first line ends with the version of JAX


@pytest.mark.parametrize("language", PAGES)
def test_it_is_short(language: str) -> None:
    assert len(PAGES[language].read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("language", PAGES)
def test_it_names_every_track_and_leads_to_its_lessons(language: str) -> None:
    with speaking(language):
        tracks = sorted({one.track for one in catalogue(Kit(ROOT))})
        due = [f"{WORDS[language]['track']} {track}" for track in tracks]
    assert re.findall(r"\| \[([^]]+)\]\([^)]*problems\.md#", PAGES[language].read_text(encoding="utf-8")) == due


@pytest.mark.parametrize("language", PAGES)
def test_it_shows_the_window_in_light_and_in_dark(language: str) -> None:
    page = PAGES[language]
    shown = re.findall(r'(?:src|srcset)="([^"]+)"', page.read_text(encoding="utf-8"))
    files = [(page.parent / target).resolve() for target in shown]
    assert sorted(files) == sorted(PICTURES / f"window-{scheme}.png" for scheme in SCHEMES)
    for file in files:
        data = file.read_bytes()
        assert struct.unpack(">II", data[16:24]) == SIZE, "its header says how large it is"
        assert len(data) <= 120_000


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


JOINING = (ROOT / ".github" / "CONTRIBUTING.md", ROOT / ".github" / "SECURITY.md")


@pytest.mark.parametrize(
    "page", [PAGES["en"], *GUIDES.rglob("*.md"), *JOINING], ids=lambda page: str(page.relative_to(ROOT))
)
def test_links_lead_to_files_and_to_headings(page: Path) -> None:
    for _, target in markup.links(page.read_text(encoding="utf-8")):
        target = unquote(target)
        if ":" not in target:
            path, _, anchor = target.partition("#")
            leads = page.parent / path if path else page
            assert leads.exists(), target
            assert not anchor or anchor in anchors(leads), target


@pytest.mark.parametrize("language", PAGES)
def test_it_lists_every_guide(language: str) -> None:
    linked = re.findall(r"\[(\w+)\]\([^)]*?(\w+)\.md\): ", PAGES[language].read_text(encoding="utf-8"))
    assert all(shown == topic for shown, topic in linked)
    assert sorted(topic for _, topic in linked) == sorted(path.stem for path in GUIDES.glob("*.md"))
