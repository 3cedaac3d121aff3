"""Translations: what `new NAME --lang es` begins is current, and what an audit finds once one of the two texts changes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from grader.author.translation_checks import (
    TranslatedSection,
    check_translation,
    compared,
    is_translated,
    sections,
    translation_files,
)
from grader.kit.kit import Kit
from grader.kit.statement import text_digest, translation_mark, translation_path
from tests.author import toys
from tests.conftest import PROBLEMS, ROOT, Command

NAME = "distance_decay"


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return Kit(toys.make(tmp_path))


@pytest.fixture
def begun(kit: Kit) -> Kit:
    """A kit with a translation that is English still, under Spanish headings."""
    for file, text in translation_files(kit, NAME, "es").items():
        file.write_text(text, encoding="utf-8")
    return kit


def found(kit: Kit, file: Path, old: str, new: str) -> list[tuple[str, int, str]]:
    """What is found with one piece of a file replaced."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return [(one.check, one.line, one.message) for one in check_translation(kit, NAME, "es").findings]


def test_a_problem_without_a_translation_has_no_finding_and_counts_as_not_translated(kit: Kit) -> None:
    assert check_translation(kit, NAME, "es").findings == ()
    assert not is_translated(kit, NAME, "es")


def test_what_is_begun_is_current_and_has_spanish_headings(begun: Kit) -> None:
    assert check_translation(begun, NAME, "es").findings == ()
    assert is_translated(begun, NAME, "es")
    assert "## La tarea\n<!-- en " in translation_path(begun.statement(NAME), "es").read_text(encoding="utf-8")


def test_a_section_whose_english_changed_is_stale_and_what_changed_is_told(begun: Kit) -> None:
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(begun.root))
    for command in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "begun")):
        subprocess.run([*git, *command], check=True)
    ((check, line, said),) = found(begun, begun.statement(NAME), "more than far ones", "less than far ones")
    assert (check, line) == ("stale", 9)
    assert "- Near things matter more than far ones. / + Near things matter less than far ones." in said
    assert said.endswith("below its heading")
    ours = said.rpartition("`<!-- en ")[2][:8]
    spoken = translation_path(begun.statement(NAME), "es")
    now = next(one for one in spoken.read_text(encoding="utf-8").split("\n") if one.startswith("<!-- en "))
    assert found(begun, spoken, now, f"<!-- en {ours} -->") == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title: "Distance decay"', "title: 3", "the front matter needs a line `title: ...`"),
        ('en: "', 'en: "0', "the English title or aim has changed"),
        ("## La tarea", "## La faena", "`## La tarea` is missing"),
        ("e^{-(i - j)^2 / 4}", "e^{-(i + j)^2 / 4}", "has other formulas"),
        ("`T`: how many", "`N`: how many", "has other code: only in English: T; only here: N"),
        ("at least 2", "at least 3", "has other numbers: only in English: 2; only here: 3"),
        ("](README.md)", "](OTHER.md)", "has other links"),
        ("import math", "import cmath", "has other blocks of code"),
        ("## La tarea\n<!-- en ", "## La tarea\n<!-- es ", "`## La tarea` has no hash of the English"),
        ("| - | `T` | a whole number |\n", "", "has other numbers of rows"),
        ("3. An exponential", "An exponential", "has other numbers of items"),
    ],
)
def test_a_translation_that_says_something_else_is_found(begun: Kit, old: str, new: str, said: str) -> None:
    findings = found(begun, translation_path(begun.statement(NAME), "es"), old, new)
    assert [one for one in findings if said in one[2]], findings


def test_the_words_inside_formulas_and_pictures_are_free(begun: Kit) -> None:
    assert found(begun, translation_path(begun.statement(NAME), "es"), "-> weigh ->", "-> ponderar ->") == []


def test_the_code_of_a_stub_is_the_same_and_its_docstrings_are_free(begun: Kit) -> None:
    spoken = translation_path(begun.stub(NAME), "es")
    assert found(begun, spoken, "The weighed inputs, flattened.", "Las entradas ponderadas.") == []
    ((check, _, said),) = found(begun, spoken, "jnp.cos", "jnp.sin")
    assert (check, said) == ("translation", "its code should be that of stub.py, but for docstrings and comments")


def test_mistakes_have_the_names_of_the_english_ones(begun: Kit) -> None:
    ((_, _, said),) = found(begun, translation_path(begun.words(NAME), "es"), "## too-narrow", "## muy-estrecho")
    assert "`## too-narrow` is missing" in said


def test_the_command_says_how_much_is_translated_and_begins_no_file_twice(kit: Kit) -> None:
    run = Command(kit.root)
    assert "0 of 1 lessons are translated into Español." in run("audit", "--lang", "es").stdout
    done = run("new", NAME, "--lang", "es")
    assert "Translate problems/distance_decay/README.es.md" in " ".join(done.stdout.split())
    assert "1 of 1 lessons are translated into Español." in run("audit", "--lang", "es").stdout
    assert "is there already" in run("new", NAME, "--lang", "es").stderr
    refused = run("audit", "--lang", "es", "--mutants")
    assert (refused.returncode, "leave out --mutants" in refused.stderr) == (2, True)


@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_every_lesson_of_the_kit_is_translated_and_the_translation_is_current(name: str) -> None:
    kit = Kit(ROOT)
    assert check_translation(kit, name, "es").findings == ()
    assert is_translated(kit, name, "es")


@pytest.mark.parametrize("topic", sorted(path.stem for path in (ROOT / "grader/guides/es").glob("*.md")))
def test_the_guides_that_are_translated_are_current(topic: str) -> None:
    english = ROOT / "README.md" if topic == "start" else ROOT / f"grader/guides/{topic}.md"
    spoken = ROOT / f"grader/guides/es/{topic}.md"
    ours, theirs = (parts_of_guide(path) for path in (english, spoken))
    for one, other in zip(ours, theirs, strict=True):
        assert other.mark == text_digest(one.text), f"{one.heading} has changed: {translation_mark(one.text)}"
        if topic == "start" and one is ours[0]:
            continue  # it leads to the page in the other language
        lacking = [(what, here) for what, here, _ in compared(neutral(one.text), neutral(other.text)) if here]
        assert lacking == [], other.heading


def parts_of_guide(path: Path) -> list[TranslatedSection]:
    """What stands below the title of a guide, and its sections."""
    page = re.sub(GENERATED, "", path.read_text(), flags=re.DOTALL)
    return sections(re.sub(r"\A# ", "## ", page))


GENERATED = r"<!-- \w+: written by[^>]*-->.*?<!-- end -->"


def neutral(page: str) -> str:
    """A page without what its translation may change: what is printed, comments of code, small headings, folders and
    headings of links.
    """

    def bare(block: re.Match[str]) -> str:
        return "" if block[0].lstrip().startswith("```text") else re.sub(" *#.*", "", block[0])

    page = re.sub(r"^ *```.*?^ *```", bare, page, flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"^### .*$", "### -", page, flags=re.MULTILINE)
    return re.sub(r"\]\((?:[^\s)]*/)?([^\s)#]*)(?:#[^\s)]*)?\)", r"](\1)", page)
