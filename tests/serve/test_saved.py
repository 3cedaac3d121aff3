"""What takes long is made once, kept in the kit, and made again when what it is made of changes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from grader.kit.kit import Kit
from grader.locale.language import speaking
from grader.page.site import Writer
from grader.page.words import page_words
from grader.serve.saved import PageCache
from tests.conftest import Command, copy_kit

PROBLEM = "compare_positions"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user keeps what can be made again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "grader" / "page"


def figures(kit: Path) -> dict[str, Any]:
    return asyncio.run(PageCache(Kit(kit)).figures(PROBLEM, Writer([], page_words())))


@pytest.mark.nightly
def test_figures_are_kept_until_their_file_changes(tmp_path: Path, cache: Path) -> None:
    kit = copy_kit(tmp_path, PROBLEM)
    found = figures(kit)
    assert len(found["specs"]) == len(found["figures"]) > 0
    assert "<figure" in found["figures"][0]["html"]
    (kept,) = cache.glob("*.json")
    assert (kept.stat().st_mode & 0o777, cache.stat().st_mode & 0o777) == (0o600, 0o700)
    kept.write_text('{"figures": [], "specs": []}')
    assert figures(kit)["figures"] == []
    with (kit / "problems" / PROBLEM / "figure.py").open("a") as file:
        file.write("# changed\n")
    assert figures(kit) == found


@pytest.mark.slow
def test_the_scripts_of_a_page_are_the_grader_s_and_run_no_file_of_a_kit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """A kit may hold a file of any name: as a script of the page, or as a module of Python where the grader starts."""
    kit, ran = copy_kit(tmp_path / "kit", PROBLEM), tmp_path / "ran"
    for name in ("altair", "json", "vl_convert"):
        (kit / f"{name}.py").write_text(f"open({str(ran)!r}, 'w')\n")
    monkeypatch.chdir(kit)
    made = asyncio.run(PageCache(Kit(kit)).bundle())
    assert b"vegaEmbed" in made
    assert not ran.exists()
    (kept,) = cache.glob("*.js")
    planted = kit / ".grader" / "page" / kept.name
    planted.parent.mkdir(parents=True)
    planted.write_text("alert(1)")
    assert asyncio.run(PageCache(Kit(kit)).bundle()) == made
    kept.unlink()
    monkeypatch.setattr("grader.serve.saved._output_of", lambda _: b"made again")
    assert asyncio.run(PageCache(Kit(kit)).bundle()) == b"made again"


def test_the_oldest_of_what_is_kept_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.setattr("grader.serve.saved.MOST_SAVED", 2)
    saved = PageCache(Kit(tmp_path))
    for name in ("a", "b", "c"):
        saved._keep(name, b"")
        os.utime(cache / name, (time := len([*cache.iterdir()]), time))
    assert sorted(path.name for path in cache.iterdir()) == ["b", "c"]


@pytest.mark.parametrize("fault", ["a link", "of everybody", "relative"])
def test_nothing_is_read_or_kept_in_a_folder_that_others_can_write(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache" / "grader"
    (tmp_path / "elsewhere").mkdir()
    folder.parent.mkdir()
    match fault:
        case "a link":
            folder.symlink_to(tmp_path / "elsewhere")
        case "of everybody":
            folder.mkdir()
            folder.chmod(0o777)
        case _:
            monkeypatch.chdir(tmp_path)
            monkeypatch.setenv("XDG_CACHE_HOME", "cache")
            folder.mkdir(mode=0o700)
    saved = PageCache(Kit(tmp_path))
    saved._keep("vega-0.js", b"made")
    assert not [*tmp_path.rglob("*.js")]
    assert saved._read("vega-0.js") == b"made", "it is held for this run"


@pytest.mark.nightly
def test_figures_are_made_again_in_another_language_and_are_english_where_the_lesson_is(tmp_path: Path) -> None:
    kit = copy_kit(tmp_path, PROBLEM)
    assert '-title">Compare two positions<' in figures(kit)["figures"][0]["html"]
    with speaking("es"):
        assert '-title">Comparar dos posiciones<' in figures(kit)["figures"][0]["html"]
        (kit / "problems" / PROBLEM / "README.es.md").unlink()
        assert '-title" lang="en">Compare two positions<' in figures(kit)["figures"][0]["html"]


def test_a_lesson_without_figures_has_none(own_kit: Command) -> None:
    (own_kit.kit / "problems/sinusoidal_pos/figure.py").unlink()
    assert asyncio.run(PageCache(Kit(own_kit.kit)).figures("sinusoidal_pos", Writer([], page_words()))) == {
        "figures": [], "specs": [],
    }  # fmt: skip


def test_a_damaged_file_is_made_again(tmp_path: Path, cache: Path) -> None:
    kept = cache / "vega-0.js"
    kept.parent.mkdir(parents=True)
    kept.parent.parent.chmod(0o700)
    kept.symlink_to("/etc/passwd")
    saved = PageCache(Kit(tmp_path))
    assert saved._read("vega-0.js") is None
