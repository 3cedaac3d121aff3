"""`python -m grader notebook`: what it writes and says."""

from __future__ import annotations

import pytest

from tests.conftest import FLAGSHIP, Command

SOURCE = "git+https://example.org/grader"


def test_it_writes_what_it_says_and_nothing_twice(own_kit: Command) -> None:
    done = own_kit("notebook", "--out", "books", "--install-from", SOURCE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Wrote books/sinusoidal_pos.ipynb." in done.stdout
    assert f"The first cell installs the grader from {SOURCE}." in done.stdout
    assert SOURCE in (own_kit.kit / "books" / f"{FLAGSHIP}.ipynb").read_text()
    again = own_kit("notebook", FLAGSHIP, "--out", "books")
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "is there already: name another file, or give --force." in again.stderr


def test_without_a_folder_it_writes_into_the_current_one(own_kit: Command) -> None:
    assert f"Wrote {FLAGSHIP}.ipynb." in own_kit("notebook", FLAGSHIP).stdout
    assert (own_kit.kit / f"{FLAGSHIP}.ipynb").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sinusoidal_po"], "Did you mean sinusoidal_pos?"),
        ([FLAGSHIP, "--install-from", 'x"y'], "give what pip installs"),
    ],
)
def test_what_does_not_fit_is_one_line(words: list[str], said: str, own_kit: Command) -> None:
    done = own_kit("notebook", *words, "--out", "books")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr
    assert not (own_kit.kit / "books").exists()
