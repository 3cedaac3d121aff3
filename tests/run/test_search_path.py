"""The import path: it never has the current folder, and a file there that Python runs as the grader is reported."""

from __future__ import annotations

import os
import shutil
import sys
import types
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

import grader
from grader.run.search_path import impostor, leave_current_folder, python_path, without_current_folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a folder `sub` in it; PYTHONPATH is not set, and changes of `sys.path` are undone."""
    folder = tmp_path / "here"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setattr(sys, "path", ["/usr/lib/python"])
    return folder


def test_only_absolute_entries_that_are_not_the_current_folder_are_left(here: Path) -> None:
    link = here.parent / "link"
    link.symlink_to(here)
    other = str(here.parent / "other")
    entries = ["", ".", "sub", "../other", str(here), str(here / "sub" / ".."), str(link), other, "/no/such/folder"]
    assert without_current_folder(entries) == [other, "/no/such/folder"]


@pytest.mark.parametrize(
    ("first", "searched"), [("", True), (".", True), ("{here}", True), ("/elsewhere", False), ("{here}/sub", False)]
)
def test_the_current_folder_is_dropped_and_reported(
    first: str, searched: bool, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = first.format(here=here)
    monkeypatch.setattr(sys, "path", [entry, "/usr/lib/python"])
    assert leave_current_folder() is searched
    assert sys.path == (["/usr/lib/python"] if searched else [entry, "/usr/lib/python"])


def test_relative_entries_of_pythonpath_are_dropped_in_the_form_that_python_gives_them(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = str(here.parent / "other")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["sub", other]))
    monkeypatch.setattr(sys, "path", [str(here / "sub"), other])
    assert leave_current_folder() is False
    assert sys.path == [other]
    assert python_path() == other


def test_without_pythonpath_processes_get_an_empty_one(here: Path) -> None:
    assert python_path() == ""


@pytest.mark.parametrize("file", ["grader.py", "grader.pyc", "grader/__init__.py"])
@pytest.mark.parametrize("searched", [True, False])
def test_another_grader_in_the_current_folder_is_an_impostor(file: str, searched: bool, here: Path) -> None:
    assert impostor(searched=searched) == ""
    (here / file).parent.mkdir(exist_ok=True)
    (here / file).write_text("print('correct')\n")
    assert impostor(searched=searched) == file


def test_the_checkout_of_the_same_grader_is_not_an_impostor(here: Path) -> None:
    assert grader.__file__ is not None
    (here / "grader").mkdir()
    shutil.copy(grader.__file__, here / "grader" / "__init__.py")
    assert impostor(searched=True) == ""
    with (here / "grader" / "__init__.py").open("a") as file:
        file.write("print('correct')\n")
    assert impostor(searched=True) == "grader/__init__.py"


def test_a_package_that_cannot_be_read_is_an_impostor_and_nothing_waits_for_it(here: Path) -> None:
    (here / "grader").mkdir()
    os.mkfifo(here / "grader" / "__init__.py")
    assert impostor(searched=False) == "grader/__init__.py"


@pytest.mark.parametrize(("origin", "found"), [("/elsewhere/toy.py", "toy.py"), ("built-in", ""), ("frozen", "")])
def test_a_file_with_the_name_of_an_imported_module_counts_where_python_looked_there(
    origin: str, found: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = types.ModuleType("toy")
    module.__spec__ = ModuleSpec("toy", None, origin=origin)
    monkeypatch.setitem(sys.modules, "toy", module)
    (here / "toy.py").touch()
    assert impostor(searched=True) == found
    assert impostor(searched=False) == ""
