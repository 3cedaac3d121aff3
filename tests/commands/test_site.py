"""`site`: the site is written by the real command, and holds nothing of the solutions."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import FLAGSHIP, Command, copy_kit

FIGURE = """
import numpy as np
from grader.page.figure import Figure, Table, Walk, same

def figures(reference):
    row = np.array([[0.0, 1.0]])
    same(row, reference(0, 1, 2))
    table = Table("base = 1", ["position", "sine"], [["<0>", -0.0], [1, -0.5]])
    return [Figure("A <b>walk</b>", Walk("a", row, row, {}), "What </script> is seen.", table)]
"""
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg"/>'


@pytest.fixture
def kit(tmp_path: Path) -> Command:
    """A kit of two lessons. Figures that are computed in no time stand in the place of their own."""
    made = Command(copy_kit(tmp_path / "kit", FLAGSHIP, "compare_positions"))
    for name in (FLAGSHIP, "compare_positions"):
        (made.kit / f"problems/{name}/figure.py").unlink()
    (made.kit / f"problems/{FLAGSHIP}/figure.py").write_text(FIGURE)
    return made


def held(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "inside", [b"<script>1</script>", b'<g onload="1"/>', b"<foreignObject/>", b'<a href="javascript:1"/>']
)
def test_a_picture_that_holds_a_script_is_a_fault_of_the_kit(inside: bytes, kit: Command, tmp_path: Path) -> None:
    folder = kit.kit / "problems" / FLAGSHIP
    (folder / "waves.svg").write_bytes(PICTURE.replace(b"/>", b">") + inside + b"</svg>")
    statement = folder / "README.md"
    statement.write_text(statement.read_text().replace("## The task", "![waves](waves.svg)\n\n## The task"))
    done = kit("site", str(tmp_path / "site"))
    assert done.returncode == 2
    assert "waves.svg: it holds a script, or HTML" in done.stderr


@pytest.mark.nightly
@pytest.mark.slow
def test_it_writes_the_lessons_named_and_again_those_of_the_next_call(kit: Command, tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = kit("site", str(site))
    assert (done.returncode, done.stderr) == (0, "")
    assert "holds 2 lessons now" in " ".join(done.stdout.split())
    assert {"lessons/compare_positions.html", f"lessons/{FLAGSHIP}.html", "index.html"} <= set(held(site))
    again = kit("site", str(site), FLAGSHIP, "--force")
    assert "1 lesson now" in " ".join(again.stdout.split())
    assert "2 files of an earlier build removed." in again.stdout  # one in each language
    assert "tracks/1.html" in held(site)
    assert "lessons/compare_positions.html" not in held(site)


@pytest.mark.slow
def test_nothing_of_the_solutions_is_on_the_page(kit: Command, tmp_path: Path) -> None:
    kit("site", str(tmp_path / "with"))
    shutil.rmtree(kit.kit / "solutions")
    assert kit("site", str(tmp_path / "without")).returncode == 0
    with_solutions, without = held(tmp_path / "with"), held(tmp_path / "without")
    figures = {f"figures/{FLAGSHIP}.js", "assets/figures.js", "assets/vega.js"}
    assert set(with_solutions) - set(without) == {*figures, *(f"es/{one}" for one in figures)}
    pages = {"index.html", f"lessons/{FLAGSHIP}.html"}  # those that lead to figures
    same = set(without) - {"page.json", *pages, *(f"es/{one}" for one in pages)}
    assert {path: without[path] for path in same} == {path: with_solutions[path] for path in same}


@pytest.mark.parametrize("base", ["https://example.org/jax", "http://127.0.0.1:8000/"])
def test_a_site_that_knows_its_address_lists_all_its_pages_for_search_engines(
    base: str, kit: Command, tmp_path: Path
) -> None:
    shutil.rmtree(kit.kit / "solutions")  # no figure, so no process
    done = kit("site", str(tmp_path / "site"), "--base", base)
    assert (done.returncode, done.stderr) == (0, "")
    whole = f"{base.rstrip('/')}/"
    assert f"they are at {whole}: publish" in " ".join(done.stdout.split())
    files = held(tmp_path / "site")
    found = [one.text or "" for one in ElementTree.fromstring(files["sitemap.xml"]).iter() if one.tag.endswith("}loc")]
    pages = [path.removesuffix("index.html") for path in files if path.endswith(".html")]
    assert sorted(found) == sorted(whole + page for page in pages)
    assert f"Sitemap: {whole}sitemap.xml\n" in files["robots.txt"].decode()
    assert files["es/assets/preview.png"].startswith(b"\x89PNG")
    assert b"needs no network" not in files["index.html"]
    again = kit("site", str(tmp_path / "site"), "--force")
    assert again.returncode == 0
    assert not {"sitemap.xml", "robots.txt", "assets/preview.png"} & set(held(tmp_path / "site"))


@pytest.mark.parametrize(
    "base",
    [
        *("", "example.org", "/jax", "ftp://example.org", "https://", "https:///jax", "https://example.org/?a=1"),
        *("https://example.org/#a", "https://me:secret@example.org", "https://example.org/a b", "https://x.org/\n"),
        'https://x.org/"><script>',
    ],
)
def test_what_is_no_address_of_a_site_is_told_in_one_line(base: str, kit: Command, tmp_path: Path) -> None:
    done = kit("site", str(tmp_path / "site"), "--base", base)
    assert done.returncode == 2
    assert "is not the address of a site: give http:// or https://" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "site").exists()


def test_a_folder_with_something_else_is_told_in_one_line(kit: Command, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    done = kit("site", str(tmp_path))
    assert done.returncode == 2
    assert "is there already: name another folder, or give --force." in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_unknown_problem_is_told(kit: Command, tmp_path: Path) -> None:
    done = kit("site", str(tmp_path / "site"), "sinusoidal_poz")
    assert (done.returncode, "Did you mean sinusoidal_pos" in done.stderr) == (2, True)
    assert not (tmp_path / "site").exists()


@pytest.mark.nightly
@pytest.mark.slow
def test_pictures_come_along_and_a_formula_that_cannot_be_set_is_told(kit: Command, tmp_path: Path) -> None:
    statement = kit.kit / f"problems/{FLAGSHIP}/README.md"
    statement.write_text(f"{statement.read_text()}\n![waves](waves.svg) ![away](../../away.svg) $\\unknown x$\n")
    (statement.parent / "waves.svg").write_bytes(PICTURE)
    (kit.kit / "away.svg").write_bytes(PICTURE)
    done = kit("site", str(tmp_path / "site"), FLAGSHIP)
    assert "the formula $\\unknown x$ is shown as it is written" in " ".join(done.stdout.split())
    found = held(tmp_path / "site")
    assert found[f"pictures/{FLAGSHIP}/waves.svg"] == PICTURE
    assert [path for path in found if path.startswith("pictures/")] == [f"pictures/{FLAGSHIP}/waves.svg"]


@pytest.mark.parametrize("name", ["photo.png", "README.es.md", "figure.py"])
def test_a_link_in_the_place_of_what_would_be_on_the_site_is_told_and_not_followed(
    name: str, kit: Command, tmp_path: Path
) -> None:
    shutil.rmtree(kit.kit / "solutions")
    (tmp_path / "private").write_bytes(PICTURE)
    folder = kit.kit / f"problems/{FLAGSHIP}"
    statement = (folder / "README.md").read_text()
    (folder / "README.md").write_text(f"{statement}\n![me](photo.png)\n")
    if name == "README.es.md":
        (tmp_path / "private").write_text((folder / name).read_text())
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(tmp_path / "private")
    for words in (["site", str(tmp_path / "out")], ["notebook", FLAGSHIP, "-o", str(tmp_path / "out")]):
        done = kit(*words)
        assert done.returncode == 2
        assert f"problems/{FLAGSHIP}/{name} cannot be handed out: a link, not a file" in " ".join(done.stderr.split())
        assert not (tmp_path / "out").exists()


def test_each_page_is_there_in_both_languages_and_leads_to_the_other(kit: Command, tmp_path: Path) -> None:
    shutil.rmtree(kit.kit / "solutions")  # no figure, so no process
    assert kit("site", str(tmp_path / "site")).returncode == 0
    for path in ("index.html", f"lessons/{FLAGSHIP}.html"):
        up = "../" * path.count("/")
        english, spanish = ((tmp_path / "site" / folder / path).read_text(encoding="utf-8") for folder in ("", "es"))
        assert '<html lang="en"' in english
        assert '<html lang="es"' in spanish
        assert f'<a href="{up}es/{path}" lang="es" hreflang="es">Español</a>' in english
        assert f'<a href="{up}../{path}" lang="en" hreflang="en">English</a>' in spanish
        for text in (english, spanish):
            assert text.count('rel="alternate" hreflang=') == 2
    spanish = (tmp_path / f"site/es/lessons/{FLAGSHIP}.html").read_text(encoding="utf-8")
    assert "Por qué importa" in spanish
    assert "Lee README.es.md" in spanish


def test_a_lesson_without_a_translation_is_english_on_a_spanish_page_that_says_so(kit: Command, tmp_path: Path) -> None:
    shutil.rmtree(kit.kit / "solutions")
    (kit.kit / "problems/compare_positions/README.es.md").unlink()
    assert kit("site", str(tmp_path / "site")).returncode == 0
    page = (tmp_path / "site/es/lessons/compare_positions.html").read_text(encoding="utf-8")
    assert page.count("Esta lección todavía no está traducida: está en inglés.") == 1
    start = (tmp_path / "site/es/index.html").read_text(encoding="utf-8")
    assert "1 de 2 lecciones están traducidas. Las demás están en inglés." in start
    assert "translated" not in (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert '<html lang="es"' in page
    assert ' lang="en"' in page
    for file in kit.kit.glob("problems/*/README.es.md"):
        file.unlink()
    assert kit("site", str(tmp_path / "site"), "--force").returncode == 0
    assert not (tmp_path / "site/es/index.html").exists()
    assert "Español" not in (tmp_path / "site/index.html").read_text(encoding="utf-8")
