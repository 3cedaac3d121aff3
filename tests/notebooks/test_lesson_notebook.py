"""The notebooks of lessons: sound files, ready to run, and never in the place of others."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest

from grader.author.example_checks import blocks
from grader.kit.kit import Kit, KitError
from grader.kit.notebook import answer_in
from grader.kit.shipped_stub import untouched
from grader.notebooks import lesson_notebook
from grader.notebooks.lesson_notebook import statement_of
from tests.conftest import FLAGSHIP, PROBLEMS, ROOT, Command, copy_kit

SOURCE = "git+https://example.org/grader"


@pytest.mark.few(8, 24)
@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_each_lesson_makes_a_sound_notebook(name: str) -> None:
    text = lesson_notebook.notebook(Kit(ROOT), [name], SOURCE)
    book = json.loads(text)
    nbformat.validate(book)
    sources = ["".join(cell["source"]) for cell in book["cells"]]
    assert sources[0].startswith("# ")
    assert not any("](../" in source or source.startswith("## Hints") for source in sources)
    assert [cell["metadata"].get("tags") for cell in book["cells"] if "tags" in cell["metadata"]] == [
        [f"answer:{name}"]
    ]
    assert f'grader.check("{name}")' in sources
    # One fills in what the task asks for where it asks, and reads the answer to the question afterwards.
    order = [
        next(at for at, one in enumerate(sources) if part in one)
        for part in ("## Output", f"def {name}(", "## When it passes")
    ]
    assert order == sorted(order)
    # What the learner gets is no answer yet.
    assert untouched(Kit(ROOT), name, answer_in(text, name).text)


@pytest.mark.few(8, 24)
@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_each_worked_example_is_a_cell_that_runs(name: str) -> None:
    book = json.loads(lesson_notebook.notebook(Kit(ROOT), [name], SOURCE))
    code = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    text = ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "markdown"]
    shown = [one.code.strip("\n") for one in blocks(statement_of(Kit(ROOT), name))]
    assert shown
    assert code[1 : 1 + len(shown)] == shown
    assert not any("```python" in one for one in text)
    assert all(one.count("```") % 2 == 0 for one in text)


def test_references_are_links_in_a_notebook_and_code_stays_as_it_is() -> None:
    book = json.loads(lesson_notebook.notebook(Kit(ROOT), ["grad_masked_entropy"], SOURCE))
    text = "".join("".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "markdown")
    assert "[arXiv:1503.02531](https://arxiv.org/abs/1503.02531), section 2" in text
    doi = "10.1002/j.1538-7305.1948.tb01338.x"
    assert f"[doi:{doi}](https://doi.org/{doi}), section 6" in text
    assert not any(
        "](https://arxiv" in "".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == "code"
    )


def test_the_first_cell_says_from_where_it_installs() -> None:
    def first(name: str, source: str) -> str:
        book = json.loads(lesson_notebook.notebook(Kit(ROOT), [name], source))
        return "".join(next(cell["source"] for cell in book["cells"] if cell["cell_type"] == "code"))

    assert f'%pip install --quiet "grader @ {SOURCE}"' in first("rope", SOURCE)
    assert first("rope", SOURCE).endswith("the problems come with the grader")
    assert "%pip" not in first("rope", "")


def test_a_problem_of_another_kit_needs_its_kit(
    tmp_path: Path, own_kit: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> Kit:
        raise KitError("none")

    monkeypatch.setattr(lesson_notebook, "kit_of_grader", none)
    assert "grader.init" not in lesson_notebook.notebook(Kit(own_kit.kit), [FLAGSHIP], SOURCE)


def test_nothing_is_overwritten_unless_asked(own_kit: Command, tmp_path: Path) -> None:
    kit, out = Kit(own_kit.kit), tmp_path / "out"
    (path,) = lesson_notebook.write_notebooks(kit, {FLAGSHIP: [FLAGSHIP]}, out, "")
    path.write_text("mine")
    with pytest.raises(KitError, match="is there already"):
        lesson_notebook.write_notebooks(kit, {FLAGSHIP: [FLAGSHIP]}, out, "")
    assert path.read_text() == "mine"
    lesson_notebook.write_notebooks(kit, {FLAGSHIP: [FLAGSHIP]}, out, "", force=True)
    assert path.read_text() == lesson_notebook.notebook(kit, [FLAGSHIP], "")


def test_a_folder_that_cannot_be_written_is_one_line(own_kit: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KitError, match="cannot be written"):
        lesson_notebook.write_notebooks(Kit(own_kit.kit), {FLAGSHIP: [FLAGSHIP]}, tmp_path / "file" / "out", "")


@pytest.mark.parametrize(
    ("recorded", "source"),
    [
        ({"url": "https://x.org/g", "vcs_info": {"vcs": "git", "commit_id": "abc"}}, "git+https://x.org/g@abc"),
        ({"url": "https://x.org/g.whl", "archive_info": {}}, "https://x.org/g.whl"),
        ({"url": "file:///home/me/grader", "dir_info": {"editable": True}}, ""),
    ],
)
def test_the_source_is_where_pip_installed_it_from(
    recorded: object, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str:
            assert name == "direct_url.json"
            return json.dumps(recorded)

    monkeypatch.setattr(lesson_notebook, "distribution", lambda name: Installed())
    monkeypatch.setattr(lesson_notebook, "CHECKOUT", Path("/nowhere"))
    assert lesson_notebook.source_of_this() == source


def test_one_notebook_has_all_lessons_of_a_track(tmp_path: Path) -> None:
    whole = copy_kit(tmp_path / "kit", "first_arrays", "vmap_pairwise", FLAGSHIP)
    done = Command(whole)("notebook", "--track", "1", "--out", str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    book = nbformat.read(tmp_path / "track-1.ipynb", as_version=4)
    nbformat.validate(book)
    tags = [tag for cell in book.cells for tag in cell.metadata.get("tags", [])]
    assert tags == ["answer:first_arrays", "answer:vmap_pairwise"]
    assert sum("import grader" in cell.source for cell in book.cells) == 1
    assert untouched(Kit(ROOT), "vmap_pairwise", answer_in(nbformat.writes(book), "vmap_pairwise").text)
    missing = Command(whole)("notebook", "--track", "9", "--out", str(tmp_path))
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "There is no track '9'. The tracks are: 1 First steps in JAX, 2 Position encoding." in missing.stderr


def test_a_flow_that_is_a_graph_is_a_picture_that_needs_no_page() -> None:
    text = statement_of(Kit(ROOT), "transformer_block")
    assert "```flow" not in text
    said, data = re.findall(r"!\[(.*?)\]\(data:image/svg\+xml;base64,([^)]*)\)", text)[0]
    assert "x (T, d_model) → add to x" in said
    picture = ElementTree.fromstring(base64.b64decode(data))
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(picture.findall(".//{*}text")) == 13
    assert "```flow" in statement_of(Kit(ROOT), "feed_forward"), "a chain stays as it is"
