"""The README is short and keeps its word: the map is the kit's, options and links are there."""

from __future__ import annotations

import re

import pytest

from grader.commands.catalogue import catalogue
from grader.kit.kit import Kit
from tests.conftest import ROOT, Command

README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "grader" / "guides").glob("*.md"))


def test_the_map_of_the_problems_is_the_kits(pytestconfig: pytest.Config) -> None:
    begin, end = "<!-- problems: written by `pytest --bless tests/test_readme.py` -->\n", "<!-- end -->"
    before, rest = README.split(begin)
    shown, after = rest.split(end)
    if pytestconfig.getoption("bless"):
        (ROOT / "README.md").write_text(f"{before}{begin}{map_of_problems()}{end}{after}", encoding="utf-8")
        shown = map_of_problems()
    assert shown == map_of_problems()


def map_of_problems() -> str:
    """A table for each track, in the order in which a learner meets its problems."""
    listed = catalogue(Kit(ROOT))
    lines: list[str] = []
    for track in sorted({one.track for one in listed}):
        lines += ["", f"**Track {track}**", "", "| problem | lesson | difficulty | builds on |", "|---|---|---|---|"]
        for one in listed:
            if one.track == track:
                link = f"[{one.name}](problems/{one.name}/README.md)"
                lines.append(f"| {link} | {one.title} | {one.difficulty} | {', '.join(one.after) or '-'} |")
    return "\n".join([*lines, "", ""])


def test_it_is_short_but_for_the_map_of_the_problems() -> None:
    before, _, rest = README.partition("<!-- problems")
    assert len((before + rest.partition("<!-- end -->")[2]).splitlines()) <= 160


def test_its_links_lead_to_files() -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", README):
        assert (ROOT / target).exists(), target


def test_it_lists_every_guide() -> None:
    linked = re.findall(r"\]\(grader/guides/(\w+)\.md\): ", README)
    assert sorted(linked) == sorted(path.stem for path in (ROOT / "grader" / "guides").glob("*.md"))


def test_every_option_of_the_help_is_in_the_readme_or_a_guide() -> None:
    for command in ("check", "audit", "release", "new"):
        for option in re.findall(r"--[a-z][a-z-]+", Command(ROOT)(command, "--help").stdout):
            assert option in README + GUIDES or option == "--help", (command, option)
