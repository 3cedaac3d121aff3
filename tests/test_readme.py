"""The README keeps its word: the example is a whole problem, and its transcripts are what the commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from grader.commands import catalogue
from grader.kit import Kit
from tests.conftest import ROOT, Command

README = (ROOT / "README.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`((?:problems|solutions)/[^`]+)`:\n\n````\w+\n(.*?)^````", README, re.MULTILINE | re.DOTALL))
TRANSCRIPTS = re.findall(r"```text\n\$ python -m grader ([^\n]+)\n(.*?)```", README, re.DOTALL)
MENDED = re.search(r"`(cases=\[.*?\])`", README)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the README's `new` was run, word for word."""
    root = tmp_path_factory.mktemp("readme")
    (command,) = re.findall(r"^python -m grader (new .*)$", README, re.MULTILINE)
    (root / "course").mkdir()
    done = Command(root)(*shlex.split(command))
    assert done.returncode == 0, done.stderr
    return root


def without_seconds(text: str) -> list[str]:
    return [re.sub(r"\d+\.\d s$", "S", line.rstrip()) for line in text.strip().splitlines()]


def test_the_example_is_written_over_what_new_writes(course: Path) -> None:
    assert len(FILES) == 4
    assert all((course / "course" / path).is_file() for path in FILES)


def test_the_transcripts_are_what_audit_prints(course: Path) -> None:
    for path, text in FILES.items():
        (course / "course" / path).write_text(text, encoding="utf-8")
    (before, shown), (after, clean) = TRANSCRIPTS
    done = Command(course)(*shlex.split(before))
    assert done.returncode == 1
    assert without_seconds(done.stdout) == without_seconds(shown)
    assert MENDED is not None
    reference = course / "course/solutions/moving_average/reference.py"
    text = re.sub(r"cases=\[.*\]", MENDED[1], reference.read_text())
    reference.write_text(text)
    done = Command(course)(*shlex.split(after))
    assert done.returncode == 0
    assert without_seconds(done.stdout) == without_seconds(clean)


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
    for track in dict.fromkeys(one.track for one in listed):
        lines += ["", f"**Track {track}**", "", "| problem | lesson | difficulty | builds on |", "|---|---|---|---|"]
        for one in listed:
            if one.track == track:
                link = f"[{one.name}](problems/{one.name}/README.md)"
                lines.append(f"| {link} | {one.title} | {one.difficulty} | {', '.join(one.after) or '-'} |")
    return "\n".join([*lines, "", ""])


def test_every_option_of_the_help_is_in_the_readme() -> None:
    for command in ("check", "audit", "key", "new"):
        for option in re.findall(r"--[a-z][a-z-]+", Command(ROOT)(command, "--help").stdout):
            assert option in README or option == "--help", (command, option)
