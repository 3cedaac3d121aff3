"""The figures of lessons, by the real command: they are on the page as text, and what is left out or wrong is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.commands.site import figures
from grader.kit.kit import Kit
from grader.options import Options
from tests.commands.test_site import FIGURE, held
from tests.conftest import FLAGSHIP, ROOT, Command, copy_kit


@pytest.mark.nightly
@pytest.mark.slow
def test_the_process_of_the_command_imports_no_jax() -> None:
    modules = "grader.commands.site, grader.page.files, sys; grader.page.files.drawing_scripts()"
    code = f"import {modules}; sys.exit(bool({{'jax', 'jaxlib', 'flax'}} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.fixture
def kit(tmp_path: Path) -> Command:
    made = Command(copy_kit(tmp_path / "kit", FLAGSHIP))
    (made.kit / f"problems/{FLAGSHIP}/figure.py").write_text(FIGURE)
    return made


@pytest.mark.slow
def test_a_figure_stands_in_its_section_with_a_sentence_and_a_table_as_text(kit: Command, tmp_path: Path) -> None:
    assert kit("site", str(tmp_path / "site")).returncode == 0
    files = held(tmp_path / "site")
    text = files[f"lessons/{FLAGSHIP}.html"].decode()
    idea, figure, example = (
        text.index(one) for one in ('id="the-idea-and-the-formula"', "<figure", 'id="a-worked-example"')
    )
    assert idea < figure < example
    assert "A &lt;b&gt;walk&lt;/b&gt;" in text
    assert "<caption>A &lt;b&gt;walk&lt;/b&gt;, for base = 1. The controls" in text
    assert "What &lt;/script&gt; is seen." in text
    assert '<th scope="row">&lt;0&gt;</th><td class="n">0.0000</td>' in text
    assert '<th scope="row">1</th><td class="n">−0.5000</td>' in text
    script = files[f"figures/{FLAGSHIP}.js"].decode()
    (document,) = json.loads(script.partition("const FIGURES = ")[2].rstrip(";\n"))
    assert document["walk"]["positions"] == [[0.0, 1.0]]
    assert b"vegaEmbed" in files["assets/vega.js"]


@pytest.mark.nightly
@pytest.mark.slow
def test_a_figure_is_in_the_language_of_its_lesson(tmp_path: Path) -> None:
    """In Spanish on the Spanish page of a lesson that is translated, and marked as English on that of another."""
    kit = Command(copy_kit(tmp_path / "kit", FLAGSHIP, "rope_scores"))
    (kit.kit / "problems/rope_scores/README.es.md").unlink()
    assert kit("site", str(tmp_path / "site")).returncode == 0
    files = {path: data.decode() for path, data in held(tmp_path / "site").items() if "/vega" not in path}
    for folder, title, said in (("", "The whole table", "Dimensions"), ("es/", "La tabla completa", "Dimensiones")):
        page, script = files[f"{folder}lessons/{FLAGSHIP}.html"], files[f"{folder}figures/{FLAGSHIP}.js"]
        assert f'-title">{title}</figcaption>' in page
        assert f'\\"{said} \\" + (first)' in script
    for folder, mark in (("", ""), ("es/", ' lang="en"')):
        page, script = files[f"{folder}lessons/rope_scores.html"], files[f"{folder}figures/rope_scores.js"]
        assert f'-title"{mark}>Move both positions</figcaption>' in page
        assert "Query at position" in script


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[[0.0, 1.0]]", "[[0.0, 2.0]]", ":7: what the figure shows gives 2 where the reference gives 1"),
        (
            'seen.", table',
            'seen.", table, section="No such"',
            "should stand in the section 'No such', and there is none",
        ),
    ],
)
def test_a_figure_that_is_wrong_is_told_in_one_line_and_nothing_is_written(
    kit: Command, tmp_path: Path, old: str, new: str, why: str
) -> None:
    file = kit.kit / f"problems/{FLAGSHIP}/figure.py"
    file.write_text(FIGURE.replace(old, new))
    done = kit("site", str(tmp_path / "site"))
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith(f"problems/{FLAGSHIP}/figure.py:")
    assert why in done.stderr
    assert not (tmp_path / "site").exists()


def test_without_references_the_figures_are_left_out(kit: Command) -> None:
    Kit(kit.kit).answer(FLAGSHIP).unlink()
    found, note = figures(Options(Kit(kit.kit)), {FLAGSHIP: ["en"]})
    assert (found, note) == ({}, f"Without the figures of {FLAGSHIP}: this kit has no references.")
