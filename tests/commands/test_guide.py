"""The guides are true: the example is a whole problem, commands print what its transcripts show, links lead to files."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from grader.commands import guide
from grader.kit import markdown
from tests.conftest import ROOT, Command

GUIDES = ROOT / "grader" / "guides"
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(GUIDES.glob("*.md"))}
AUTHORING = PAGES["authoring"]
FILES = dict(
    re.findall(r"^`((?:problems|solutions)/[^`]+)`:\n\n````\w+\n(.*?)^````", AUTHORING, re.MULTILINE | re.DOTALL)
)
TRANSCRIPTS = re.findall(r"```text\n\$ python -m grader ([^\n]+)\n(.*?)```", AUTHORING, re.DOTALL)
FIXED = re.search(r"`(cases=\[.*?\])`", AUTHORING)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the guide's `new` was run, word for word."""
    root = tmp_path_factory.mktemp("readme")
    (command,) = re.findall(r"^python -m grader (new .*)$", AUTHORING, re.MULTILINE)
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
    assert FIXED is not None
    reference = course / "course/solutions/moving_average/reference.py"
    text = re.sub(r"cases=\[.*\]", FIXED[1], reference.read_text())
    reference.write_text(text)
    done = Command(course)(*shlex.split(after))
    assert done.returncode == 0
    assert without_seconds(done.stdout) == without_seconds(clean)


def test_every_guide_is_listed_with_its_title(grader: Command) -> None:
    lines = grader("guide").stdout.splitlines()
    for topic, text in PAGES.items():
        assert any(line.split() == [topic, *text.splitlines()[0][2:].split()] for line in lines), topic


@pytest.mark.parametrize("topic", PAGES)
def test_a_guide_is_shown_whole_without_a_kit(topic: str, tmp_path: Path) -> None:
    done = Command(tmp_path)("guide", topic)
    assert (done.returncode, done.stderr) == (0, "")
    shown = re.sub(r"\W+", "", done.stdout)
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"(?s)^(````?).*?^\1", "", PAGES[topic], flags=re.M), re.MULTILINE):
        assert re.sub(r"\W+", "", heading) in shown


def test_an_unknown_topic_is_reported_in_one_line(grader: Command) -> None:
    done = grader("guide", "securty")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "Did you mean security?" in line
    assert all(topic in line for topic in guide.topics())


@pytest.mark.parametrize("topic", PAGES)
def test_links_of_a_guide_lead_to_files(topic: str) -> None:
    for _, target in markdown.links(PAGES[topic]):
        assert ":" in target or (GUIDES / target.partition("#")[0]).exists(), target
