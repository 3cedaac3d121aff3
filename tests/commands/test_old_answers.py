"""`audit --answers` grades old answers with a problem: which outcomes, which mistakes, and what is unexplained."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.author import toys
from tests.conftest import Command

NAME, RIGHT = "distance_decay", toys.ANSWER
OLD = {
    "ana.py": RIGHT,
    "ben.py": RIGHT.replace("/ 4", "/ 2"),
    "week 3/cy.py": RIGHT.replace("/ 4", "/ 3"),
    "week 3/dee.py": "# mine\n" + RIGHT.replace("/ 4", "/ 3.0"),
    "eve.py": RIGHT.replace(NAME, "decay_of_distance"),
    "helper.py": "x = 1\n",
    "stub.py": toys.STUB,
}


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toys.make(tmp_path_factory.mktemp("old") / "kit")


@pytest.fixture(scope="module")
def old(kit: Path) -> Path:
    folder = kit.parent / "last year"
    for path, text in OLD.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": RIGHT}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    (folder / "fay.ipynb").write_text(json.dumps(book))
    return folder


def told(kit: Path, given: Path, *more: str) -> tuple[str, str]:
    done = Command(kit)("audit", NAME, "--answers", str(given), *more)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split()), done.stderr


@pytest.mark.slow
def test_old_answers_have_outcomes_mistakes_and_what_nothing_explains_with_its_place(kit: Path, old: Path) -> None:
    said, errors = told(kit, old)
    assert f"{NAME} 6 answers: 3 wrong, 2 correct, 1 unattempted" in said
    assert "too-narrow 1 -" in said
    assert "2 wrong answers that are not explained in full give the same: week 3/cy.py, week 3/dee.py." in said
    assert "Line 9 of week 3/cy.py: weights = " in said
    assert "Confined: tier " in said
    assert "Write a mistake that explains them into" in said
    assert "eve.py: no function in it is called distance_decay, and decay_of_distance may be meant for it" in errors
    assert "Not graded: 1 file without a function `distance_decay`." in errors


@pytest.mark.nightly
@pytest.mark.slow
def test_an_archive_and_a_gradebook_of_old_answers_are_read_too(kit: Path, old: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(old, tmp_path / "copy"))
    shutil.make_archive(str(copy / "gus"), "zip", old / "week 3")
    (copy / "hal.zip").write_bytes(b"PK, and no more")
    for form in ("zip", "gztar"):
        packed = shutil.make_archive(str(tmp_path / "old"), form, copy)
        said, errors = told(kit, Path(packed))
        assert f"{NAME} 8 answers: 5 wrong" in said
        assert "Not graded: hal.zip: this is no zip that can be read" in errors
    (copy / "ida.py").symlink_to(old / "ana.py")
    said, errors = told(kit, copy)
    assert f"{NAME} 8 answers: 5 wrong" in said
    assert "Not graded: ida.py: a link: put what it leads to in its place." in errors
    for student in ("ana", "ben"):
        (tmp_path / "week1" / student).mkdir(parents=True)
        shutil.copy(old / f"{student}.py", tmp_path / "week1" / student / f"{NAME}.py")
    assert Command(kit)("class", "grade", str(tmp_path / "week1")).returncode == 0
    gradebook = tmp_path / "week1.gradebook"
    before = gradebook.read_bytes()
    assert f"{NAME} 2 answers: 1 correct, 1 wrong" in told(kit, gradebook)[0]
    assert gradebook.read_bytes() == before


def test_where_no_old_answer_has_the_function_that_is_said(kit: Path, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("x = 1\n")
    done = Command(kit)("audit", NAME, "--answers", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"holds no answer to {NAME}: a file is one if it defines `{NAME}`" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("audit", "--answers", "."), "--answers is for one problem"),
        (("audit", NAME, "--answers", ".", "--mutants"), "--answers is for one problem"),
        (("audit", NAME, "--answers", ".", "--json"), "--answers is for one problem"),
        (("audit", NAME, "--tier", "C"), "--tier is for the answers of --answers"),
    ],
)
def test_options_that_would_do_nothing_are_refused(words: tuple[str, ...], said: str, kit: Path) -> None:
    done = Command(kit)(*words)
    assert done.returncode == 2
    assert said in done.stderr
